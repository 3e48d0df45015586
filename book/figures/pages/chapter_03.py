"""Figures of chapter 03: which lanes work on each level of the tree."""

import trees
from svg import Drawing


def working_lanes(name, trace, heading):
    drawing = Drawing(name, 0)
    drawing.height = trees.working_lanes(drawing, 0, trace, heading) + 4
    return drawing


def divergence_lanes(name, sources):
    return working_lanes(name, sources.traces["sum_tile"], "Chapter 02: sum_tile")


def divergence_packed(name, sources):
    return working_lanes(name, sources.traces["sum_strided"], "Chapter 03: sum_strided")


FIGURES = {
    "03_divergence_lanes": divergence_lanes,
    "03_divergence_packed": divergence_packed,
}
# SPDX-License-Identifier: MIT
