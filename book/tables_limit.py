"""Chapter 12's tables, from book/data/limit_*.json (common/measure.py limit)."""

import re

from measured import predicted, runs_of
from tables import code, markdown, source

STEP, CUB = "sum_one_launch", "cub::DeviceReduce::Sum"


def power(n):
    return f"2<sup>{n.bit_length() - 1}</sup>"


def microseconds(timing):
    return f"{timing['milliseconds'] * 1000:,.1f}"


def bandwidth(timing):
    return f"{timing['gigabytes_per_second']:,.0f}"


def bandwidth_if(timing, milliseconds):
    """Of the same bytes in another time."""
    return f"{timing['gigabytes_per_second'] * timing['milliseconds'] / milliseconds:,.0f}"


def timed(document):
    """{(kernel, n): timing} of the steps and CUB."""
    return {(row["kernel"], run["n"]): row["timing"] for run in document["runs"] for row in run["rows"]}


def below(document):
    return f"\n*{document['what'].split(';')[0].capitalize()}. {source(document['where'])}.*\n"


def curve(document):
    """The step beside CUB at every size."""
    found = timed(document)
    lines = [["n", "CUB, µs", f"{code(STEP)}, µs", "CUB, GB/s", f"{code(STEP)}, GB/s", "times CUB"]]
    for n in sorted({n for _, n in found}):
        cub, ours = found[CUB, n], found[STEP, n]
        lines.append([power(n), microseconds(cub), microseconds(ours), bandwidth(cub), bandwidth(ours),
                      f"{cub['milliseconds'] / ours['milliseconds']:.2f}"])
    return markdown(lines, "lrrrrr") + below(document)


def model_of(document, program):
    """ms by kernel and elements, as the time model has them for the document's GPU."""
    machine = document["where"]["gpu"].split()[1].lower()  # NVIDIA H200
    return {(kernel, n): ms for (of, kernel, n), ms in predicted(machine).items() if of == program}


PREDICTED_BELOW = "\n*Predicted: [by a model](time.md), not measured.*\n"


def steps(document):
    """µs of every step at three sizes, and GB/s at the largest."""
    found = timed(document)
    model = model_of(document, "12_bandwidth_limit")
    sizes = [1 << 20, 1 << 25, 1 << 28]
    columns = [(n, of) for n in sizes for of in ("measured", "predicted")
               if of == "measured" or any(n == size for _, size in model)]
    lines = [["µs", *(power(n) if of == "measured" else of for n, of in columns), f"GB/s at {power(sizes[-1])}"]]
    kernels = [row["kernel"] for row in document["runs"][0]["rows"]]

    def cell(kernel, n, of):
        if of == "measured":
            return microseconds(found[kernel, n])
        return f"{model[kernel, n] * 1000:,.1f}" if (kernel, n) in model else "–"

    for kernel in [*kernels, CUB]:
        lines.append([kernel, *(cell(kernel, *column) for column in columns), bandwidth(found[kernel, sizes[-1]])])
    return markdown(lines, "l" + "r" * (len(columns) + 1)) + below(document) + (PREDICTED_BELOW if model else "")


def laboratory(document, name):
    """GB/s of a laboratory's rows, a column for each size."""
    runs = runs_of(document, name)
    cells = {(row["kernel"], run["n"]): bandwidth(row["timing"]) for run in runs for row in run["rows"]}
    names = list(dict.fromkeys(row["kernel"] for run in runs[::-1] for row in run["rows"]))
    model = model_of(document, f"12_bandwidth_limit.{name}")
    of_model = {(row["kernel"], run["n"]): bandwidth_if(row["timing"], model[row["kernel"], run["n"]])
                for run in runs for row in run["rows"] if (row["kernel"], run["n"]) in model}
    columns = [(run["n"], of) for run in runs for of in (cells, of_model) if any(n == run["n"] for _, n in of)]
    lines = [["GB/s", *(f"n = {power(n)}" if of is cells else "predicted" for n, of in columns)]]
    lines += [[kernel, *(of.get((kernel, n), "–") for n, of in columns)] for kernel in names]
    return markdown(lines, "l" + "r" * len(columns)) + below(document) + (PREDICTED_BELOW if of_model else "")


def launches(document):
    lines = [["", "µs"]]
    lines += [[row["kernel"], f"{row['timing']['milliseconds'] * 1000:.2f}"]
              for run in runs_of(document, "launches") for row in run["rows"]]
    return markdown(lines, "lr") + below(document)


def in_flight_rows(document):
    """{loads a round: {blocks: GB/s}}"""
    found = {}
    for run in runs_of(document, "in_flight"):
        for row in run["rows"]:
            loads, blocks = map(int, re.findall(r"\d+", row["kernel"]))
            found.setdefault(loads, {})[blocks] = row["timing"]["gigabytes_per_second"]
    return found


def table(document, what):
    made = {"curve": curve, "steps": steps, "launches": launches}
    return made[what](document) if what in made else laboratory(document, what)
# SPDX-License-Identifier: MIT
