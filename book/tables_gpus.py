"""Chapter 14's tables, from book/data/gpus_*.json (common/measure.py gpus), and what sentences and figures take from it."""

import math

from tables import code, markdown, source
from tables_limit import power

WAYS = {"gathered": "gathered by GPU 0", "tree": "tree of copies", "nccl": "NCCL", "fused": "one launch"}
EACH = ", a host thread for each"
OURS = ("one_shot", "two_shot", "ring")
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


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

    def cells(gpus, floats, how):
        return microseconds(sum_us(document, gpus, floats, how)), f"{times_one_gpu(document, gpus, floats, how):.2f}"

    lines = [["n", "", "1 GPU, µs", *(head for gpus in several for head in (f"{gpus} GPUs, µs", "times one"))]]
    for floats in sorted({row["floats"] for row in document["sums"]}):
        for how, name in WAYS.items():
            lines.append([power(floats), name, microseconds(sum_us(document, 1, floats, how)),
                          *(cell for gpus in several for cell in cells(gpus, floats, how))])
    return markdown(lines, "llr" + "rr" * len(several)) + below(
        document, "One host thread gives all GPUs their work, call after call; the caches are not emptied. Microseconds of a "
                  "call: the median of five such series, by the host's clock.")


def times(document, gpus):
    """Microseconds of every all-reduce."""
    ways = ["nccl", *(how + EACH for how in OURS[:2]), *OURS]
    lines = [["µs", "NCCL", *(f"{code(how)}, host threads" for how in OURS[:2]), *map(code, OURS)]]
    for size in sizes(document):
        found = [fastest(document, gpus, size, way) for way in ways]
        lines.append([bytes_text(size), *(microseconds(row["us"]) if row else "–" for row in found)])
    return markdown(lines, "l" + "r" * len(ways)) + below(
        document, f"{gpus} GPUs; an array of so many bytes on each. “Host threads”: one for each GPU; all others: one for all.")


def table(document, what):
    name, _, gpus = what.partition("_")
    return {"times": times}[name](document, int(gpus)) if gpus else {"sums": sums}[name](document)
# SPDX-License-Identifier: MIT
