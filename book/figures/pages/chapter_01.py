"""Figures of chapter 01: a tree in global memory, and the sectors of its loads."""

import maps
import trees
from pages.shared import first, maps_below
from svg import Drawing


def global_memory_tree(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = trees.tree(drawing, 2, sources.traces["sum_in_place 16"], "global", "data[]") + 4
    return drawing


def global_memory_runs(name, sources):
    return maps_below(
        name,
        maps.coalescing,
        (first(sources.traces["sum_atomic"], "load", "global"), "sum_atomic loads"),
        (first(sources.traces["sum_runs"], "load", "global"), "sum_runs loads"),
    )


FIGURES = {
    "01_global_memory_tree": global_memory_tree,
    "01_global_memory_runs": global_memory_runs,
}
# SPDX-License-Identifier: MIT
