"""Chapter 14's tables of overlap and of processes, from book/data/gpus_processes_*.json (common/measure.py gpus)."""

from tables import code, markdown
from tables_gpus import below, bytes_text, fastest, microseconds
from tables_limit import power

PIECES = (1, 2, 4, 8, 16)
SENDERS = {"two_shot": code("two_shot"), "nccl": "NCCL"}


def overlap_us(document, gpus, size, how, pieces=1):
    """Microseconds, at the best number of blocks."""
    wanted = (gpus, size, how, pieces)
    return min(row["us"] for row in document["overlaps"]
               if (row["gpus"], row["row_bytes"], row["how"], row["pieces"]) == wanted)


def best_overlap(document, gpus, size, how):
    """(pieces, microseconds)"""
    return min(((p, overlap_us(document, gpus, size, how, p)) for p in PIECES), key=lambda row: row[1])


def overlap_sizes(document):
    return sorted({row["row_bytes"] for row in document["overlaps"]})


def overlap(document, gpus):
    lines = [["a row", "sent by", "adding alone", "sending alone", *(f"{p} piece{'s' if p > 1 else ''}" for p in PIECES)]]
    rows = document["overlaps"][0]["rows"]
    for size in overlap_sizes(document):
        for how, name in SENDERS.items():
            lines.append([bytes_text(size), name, *(microseconds(overlap_us(document, gpus, size, part)) for part in (
                "add", f"send {how}")), *(microseconds(overlap_us(document, gpus, size, how, p)) for p in PIECES)])
    return markdown(lines, "llrr" + "r" * len(PIECES)) + below(
        document, f"Microseconds on {gpus} GPUs: each adds up {rows} rows, then they all-reduce the sums. For "
                  f"{code('two_shot')}, the better of 32 and 64 blocks.")


def microseconds_of(rows, **wanted):
    """Of the row that has all of these; None where there is none."""
    return next((row["us"] for row in rows if wanted.items() <= row.items()), None)


def sum_us(document, processes, floats, how="nccl"):
    return microseconds_of(document["process_sums"], processes=processes, floats=floats, how=how)


def counts(document):
    return sorted({row["processes"] for row in document["process_sums"]})


def heads(several, compared):
    """Two columns for each number of processes: the time, and how it compares with one process."""
    return [head for count in several for head in (f"{count} processes, µs", compared)]


def strong(document):
    """The same array by more processes."""
    several = counts(document)[1:]
    lines = [["n", "1 process, µs", *heads(several, "times one")]]
    for floats in sorted({row["floats"] for row in document["process_sums"]}):
        one = sum_us(document, 1, floats)
        others = [sum_us(document, count, floats) for count in several]
        cells = (cell for us in others for cell in (microseconds(us), f"{one / us:.2f}"))
        lines.append([power(floats), microseconds(one), *cells])
    return markdown(lines, "lr" + "rr" * len(several)) + below(
        document, "One array, divided among the processes: one for each GPU, with NCCL. The caches are not emptied.")


def reduce_us(document, processes, size, how="nccl"):
    return microseconds_of(document["process_all_reduces"], processes=processes, bytes=size, how=how)


def reduce_sizes(document):
    return sorted({row["bytes"] for row in document["process_all_reduces"]})


def reduces(document, processes):
    lines = [["µs", "NCCL, one process", "NCCL, a process for each", "MPI, by the hosts"]]
    for size in reduce_sizes(document):
        by_mpi = reduce_us(document, processes, size, "mpi")
        lines.append([bytes_text(size), microseconds(fastest(document, processes, size, "nccl")["us"]),
                      microseconds(reduce_us(document, processes, size)), microseconds(by_mpi) if by_mpi else "–"])
    return markdown(lines, "lrrr") + below(document, f"All-reduces on {processes} GPUs, of an array of so many bytes on each.")


def table(document, what):
    name, *numbers = what.split("_")
    return {"overlap": overlap, "strong": strong, "reduces": reduces}[name](document, *map(int, numbers))
# SPDX-License-Identifier: MIT
