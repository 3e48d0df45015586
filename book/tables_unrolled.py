"""Chapter 08's table of grids and loads in flight, from book/data/unrolled_*.json (common/measure.py unrolled)."""
from measured import LARGEST, machine_of, predicted, unrolled_rows
from tables import markdown, number, source

LARGE = 1 << 28  # what the time model has predicted
LOADS = {1: "one load a round", 2: "two", 4: "four", 8: "eight"}
GRIDS = {  # rows of the experiment, by loads a round
    "chapter 07's grid": {1: "unroll 1, grid of chapter 07", 2: "2 elements a thread (chapter 07)"},
    "1,024 blocks": {loads: f"unroll {loads}, 1024 blocks" for loads in LOADS},
}


def table(document, _):
    """GB/s of useful bytes."""
    model = {kernel: ms for (program, kernel, n), ms in predicted(machine_of(document)).items()
             if (program, n) == ("08_grid_sizing.unrolled", LARGE)}
    largest, large = (unrolled_rows(document, n) for n in (LARGEST, LARGE))

    def foretold(row):
        bytes_ = large[row]["gigabytes_per_second"] * large[row]["milliseconds"]
        return number(round(bytes_ / model[row])) if row in model else "–"

    lines = [["GB/s", *LOADS.values()]]
    for grid, rows in GRIDS.items():
        lines.append([f"{grid}, measured",
                      *(number(round(largest[rows[k]]["gigabytes_per_second"])) if k in rows else "" for k in LOADS)])
        lines.append([f"{grid}, predicted", *(foretold(rows[k]) if k in rows else "" for k in LOADS)])
    return markdown(lines, "lrrrr") + (
        f"\n*Medians of 20 runs each at n = 2<sup>30</sup>; predicted at n = 2<sup>28</sup> by the [time model](time.md). "
        f"Chapter 07's grid has a block for every 512 elements. Its kernel with two loads is "
        f"`sum_fixed<2>`; all others are `sum_stride_by`. "
        f"{source(document['where'])}.*\n")
# SPDX-License-Identifier: MIT
