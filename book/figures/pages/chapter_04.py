"""Figures of chapter 04: banks of shared memory, and the two orders of the tree."""

import maps
import traced
import trees
from pages.shared import maps_below
from svg import Drawing


def first_level(launch):
    """The load by warp 0 of the elements to which it adds, on the first level of the tree."""
    level = traced.phases(launch, 0)[1]
    store = traced.accesses(level, "store", "shared")[0]
    return next(
        load for load in traced.accesses(level, "load", "shared") if load["addresses"] == store["addresses"]
    )


def bank_conflicts_map(name, sources):
    return maps_below(name, maps.banks, (first_level(sources.traces["sum_strided"]), "Chapter 03: tile[2 * t]"))


def bank_conflicts_apart(name, sources):
    return maps_below(name, maps.banks, (first_level(sources.traces["sum_sequential"]), "Chapter 04: tile[t]"))


def bank_conflicts_trees(name, sources):
    drawing = Drawing(name, 0)
    y = 0
    for kernel, heading in (
        ("sum_strided 16", "Neighbours first (chapter 03)"),
        ("sum_sequential", "Half a tile first (chapter 04)"),
    ):
        drawing.text(0, y + 10, heading, font_weight="bold")
        y = trees.tree(drawing, y + 32, sources.traces[kernel], "shared", "tile[]") + 30
    drawing.height = y - 26
    return drawing


FIGURES = {
    "04_bank_conflicts_map": bank_conflicts_map,
    "04_bank_conflicts_apart": bank_conflicts_apart,
    "04_bank_conflicts_trees": bank_conflicts_trees,
}
# SPDX-License-Identifier: MIT
