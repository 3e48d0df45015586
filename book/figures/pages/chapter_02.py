"""Figures of chapter 02: what a tile in shared memory saves in traffic."""

import structure
from svg import Drawing


def shared_memory_traffic(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = structure.tile_traffic(
        drawing, 0, sources.traces["sum_in_place"], "Chapter 01", None, 180, 318
    )
    return drawing


def shared_memory_tile(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = structure.tile_traffic(
        drawing, 0, sources.traces["sum_tile"], "Chapter 02", "tile, shared memory", 180, 318
    )
    return drawing


FIGURES = {
    "02_shared_memory_tile": shared_memory_tile,
    "02_shared_memory_traffic": shared_memory_traffic,
}
# SPDX-License-Identifier: MIT
