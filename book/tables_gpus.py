"""Chapter 14's tables, from book/data/gpus_*.json (common/measure.py gpus), and what sentences and figures take from it."""

import math

from tables import code, markdown, source
from tables_limit import power

WAYS = {"gathered": "gathered by GPU 0", "tree": "tree of copies", "nccl": "NCCL", "fused": "one launch"}
EACH = ", a host thread for each"
OURS = ("one_shot", "two_shot", "ring")
NAMES = {"nccl": "NCCL", **{how: code(how) for how in OURS}}
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
DATA_SHEET = 50  # GB/s: what a port of 400 Gbit/s, as InfiniBand NDR has, can carry at most


def sum_row(document, gpus, floats, how):
    key = (gpus, floats, how)
    return next(row for row in document["sums"] if (row["gpus"], row["floats"], row["how"]) == key)


def sum_us(document, gpus, floats, how):
    """Microseconds of one sum."""
    return sum_row(document, gpus, floats, how)["us"]


def times_one_gpu(document, gpus, floats, how="fused"):
    return sum_us(document, 1, floats, how) / sum_us(document, gpus, floats, how)


def fastest(document, gpus, size, *ways):
    """The row that took the least time, of these ways with any number of blocks; None if none was timed."""
    rows = [row for row in document["all_reduces"] if (row["gpus"], row["bytes"]) == (gpus, size) and row["how"] in ways]
    return min(rows, key=lambda row: row["us"], default=None)


def any_host(how):
    """By one host thread or by one for each GPU."""
    return how, how + EACH


def sizes(document):
    return sorted({row["bytes"] for row in document["all_reduces"]})


def crossing(document, gpus, one, other):
    """(the largest size up to which `one` is always faster, the next one, the bytes between at which lines through both
    cross)."""
    both = [(size, fastest(document, gpus, size, *any_host(one)), fastest(document, gpus, size, *any_host(other)))
            for size in sizes(document)]
    ratios = [(size, math.log(a["us"] / b["us"])) for size, a, b in both if a and b]
    at = next(k for k, (_, ratio) in enumerate(ratios) if ratio > 0)
    (low, before), (high, after) = ratios[at - 1], ratios[at]
    return low, high, low * (high / low) ** (before / (before - after))


def alpha(document, gpus=4):
    """Microseconds of a message from kernel to kernel: a ring hands on 2 N - 3 times more than one-shot, which moves hardly more
    bytes of the smallest array."""
    least = sizes(document)[0]
    ring, one_shot = (fastest(document, gpus, least, how)["us"] for how in ("ring", "one_shot"))
    return (ring - one_shot) / (2 * gpus - 3)


def bus(document, gpus=4, how="ring", size=GIB):
    """GB/s of each GPU, with the best number of blocks: 1 / beta."""
    return max(row["bus_gb_s"] for row in document["all_reduces"]
               if (row["gpus"], row["bytes"]) == (gpus, size) and row["how"] in any_host(how))


def ring_model(document, size, gpus=4):
    """Microseconds by alpha and beta: a launch with its meetings, hand-overs, bytes."""
    start = fastest(document, gpus, sizes(document)[0], "one_shot")["us"]
    return start + (2 * gpus - 3) * alpha(document, gpus) + 2 * (gpus - 1) / gpus * size / bus(document, gpus) / 1e3


def microseconds(us):
    return f"{us:,.1f}" if us < 1000 else f"{us:,.0f}"


def bytes_text(size):
    unit, name = next((unit, name) for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")) if size >= unit)
    return f"{size // unit:,} {name}"


def below(document, what):
    settings = " ".join(f"{code(f'{name}={value}')}" for name, value in document["environment"].items())
    return f"\n*{what} {source(document['where'])}, {settings}.*\n"


def counts(document):
    return sorted({row["gpus"] for row in document["sums"]})


def sums(document):
    several = counts(document)[1:]

    def cell(gpus, floats, how):
        return f"{microseconds(sum_us(document, gpus, floats, how))} · {times_one_gpu(document, gpus, floats, how):.2f}"

    lines = [["n", "", "1 GPU, µs", *(f"{gpus} GPUs, µs · times one" for gpus in several)]]
    for floats in sorted({row["floats"] for row in document["sums"]}):
        for how, name in WAYS.items():
            lines.append([power(floats), name, microseconds(sum_us(document, 1, floats, how)),
                          *(cell(gpus, floats, how) for gpus in several)])
    return markdown(lines, "llr" + "r" * len(several)) + below(
        document, "One host thread gives all GPUs their work. Medians of five series, by the host's clock.")


def scaling(document):
    """The sum of one launch, by what each GPU has."""
    rows = sorted((row for row in document["sums"] if row["how"] == "fused"), key=lambda row: row["floats"] / row["gpus"])
    lines = [["floats for each GPU", "GPUs", "n", "µs", "GB/s of each GPU", "of N times one GPU"]]
    for row in rows:
        gpus, floats = row["gpus"], row["floats"]
        strong = f"{100 * times_one_gpu(document, gpus, floats) / gpus:.0f} %" if gpus > 1 else "–"
        lines.append([power(floats // gpus), str(gpus), power(floats), microseconds(row["us"]), f"{row['gb_s'] / gpus:,.0f}",
                      strong])
    return markdown(lines, "lrlrrr") + below(document, "“One launch” of the table above.")


def times(document, gpus):
    """Microseconds of every all-reduce."""
    ways = ["nccl", *(how + EACH for how in OURS[:2]), *OURS]
    lines = [["µs", "NCCL", *(f"{code(how)}, host threads" for how in OURS[:2]), *map(code, OURS)]]
    for size in sizes(document):
        found = [fastest(document, gpus, size, way) for way in ways]
        lines.append([bytes_text(size), *(microseconds(row["us"]) if row else "–" for row in found)])
    return markdown(lines, "l" + "r" * len(ways)) + below(
        document, f"{gpus} GPUs; an array of so many bytes on each. “Host threads”: one for each GPU; all others: one for all.")


def buses(document, gpus):
    """Bus bandwidth and number of blocks, each algorithm at its best."""
    ways = ["nccl", *OURS]
    lines = [["bus GB/s · blocks", *(NAMES[how] for how in ways)]]
    for size in sizes(document):
        found = [fastest(document, gpus, size, *any_host(how)) for how in ways]
        lines.append([bytes_text(size), *(
            (f"{row['bus_gb_s']:,.1f}" + (f" · {row['blocks']}" if row["blocks"] else "")) if row else "–" for row in found)])
    return markdown(lines, "l" + "r" * len(ways)) + below(
        document, f"{gpus} GPUs. Bus bandwidth: 2 (N − 1) / N times the bytes of an array, by the time. Of 64, 128 and 256 "
                  "blocks (from 64 MiB on) the best; who launches (up to 1 MiB), too.")


def paper(document):
    """What alpha and beta make of more GPUs."""
    at_most = 8  # of one host
    message, nvlink = alpha(document), bus(document)

    def long(us):
        return f"{us:,.0f} µs" if us < 1e3 else f"{us / 1e3:,.1f} ms"

    lines = [["GPUs", "ring: 2 (N − 1) α", "in pairs: 2 log₂ N α", "1 GiB at NVLink's β", f"1 GiB at {DATA_SHEET} GB/s",
              "ring: N α / β at " + f"{DATA_SHEET} GB/s"]]
    for gpus in (4, 8, 1024, 100_000):
        moved = 2 * (gpus - 1) / gpus * GIB / 1e3  # GB/s are 1e3 bytes a microsecond
        equal = gpus * message * DATA_SHEET * 1e3
        lines.append([f"{gpus:,}", long(2 * (gpus - 1) * message), long(2 * math.log2(gpus) * message),
                      long(moved / nvlink) if gpus <= at_most else "–", long(moved / DATA_SHEET),
                      f"{equal / 1e6:,.1f} MB" if equal < 1e9 else f"{equal / 1e9:,.1f} GB"])
    return markdown(lines, "rrrrrr") + below(
        document, f"On paper, from α = {message:.1f} µs and 1 / β = {nvlink:,.0f} GB/s of 4 GPUs; {DATA_SHEET} GB/s: the data "
                  "sheet's 400 Gbit/s. Last column: the array for which α and β cost a ring the same.")


def table(document, what):
    name, _, gpus = what.partition("_")
    return {"times": times, "buses": buses}[name](document, int(gpus)) if gpus else {
        "sums": sums, "scaling": scaling, "paper": paper}[name](document)
