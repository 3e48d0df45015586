"""Figures of chapter 07: loops and levels that are unrolled, and chains of additions."""

import structure
import timelines
from svg import Drawing


def full_unroll_passes(name, sources):
    drawing = Drawing(name, 0)
    traces = sources.traces
    drawing.height = timelines.instructions(
        drawing, 0, 0, traces["sum_looped 256"], 1, "Counted at run time", "the starter: a loop"
    )
    timelines.instructions(
        drawing, 350, 0, traces["sum_unrolled 256"], 1, "Known at compile time", "the solution: no loop"
    )
    return drawing


def full_unroll_levels(name, sources):
    drawing = Drawing(name, 0)
    launches = {threads: sources.traces[f"sum_unrolled {threads}"] for threads in (64, 128, 256, 512, 1024)}
    drawing.height = structure.levels(drawing, 0, launches)
    return drawing


def full_unroll_chains(name, _):
    drawing = Drawing(name, 0)
    drawing.height = structure.chains(drawing, 0, 8, 1, 30, "1 chain")
    structure.chains(drawing, 0, 8, 4, 240, "4 chains")
    drawing.arrow(650, 28, 650, drawing.height - 20, "ink")
    drawing.text(640, drawing.height - 60, "time", "end")
    return drawing


FIGURES = {
    "07_full_unroll_passes": full_unroll_passes,
    "07_full_unroll_levels": full_unroll_levels,
    "07_full_unroll_chains": full_unroll_chains,
}
# SPDX-License-Identifier: MIT
