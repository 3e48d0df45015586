"""Figures of chapter 09: shuffles of a warp, and the sum of a block."""

import shuffles
import traced
from svg import Drawing


def shuffle_down(name, sources):
    drawing = Drawing(name, 0)
    steps = [step for step in traced.phases(sources.traces["sum_shuffle"], 0)[0] if step["kind"] == "shuffle"]
    drawing.height = shuffles.shuffle_rows(drawing, 0, steps) + 4
    return drawing


def shuffle_swap(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = shuffles.swap(drawing, 0, sources.traces["swap"]) + 4
    return drawing


def shuffle_block(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = shuffles.block_sum(drawing, 0, sources.traces["sum_shuffle"]) + 4
    return drawing


FIGURES = {
    "09_shuffle_down": shuffle_down,
    "09_shuffle_swap": shuffle_swap,
    "09_shuffle_block": shuffle_block,
}
# SPDX-License-Identifier: MIT
