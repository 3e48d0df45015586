"""Figures of chapter 11: both sides of a transpose, and the banks of its tile."""

import maps
import traced
from pages.shared import first, maps_below
from svg import Drawing


def transpose_sides(name, sources):
    launch = sources.traces["read_rows"]
    return maps_below(
        name,
        maps.coalescing,
        (first(launch, "load", "global"), "One load request"),
        (first(launch, "store", "global"), "One store request"),
    )


def tile_banks(name, sources, *layouts):
    """Side by side. `layouts`: (trace, title)."""
    drawing = Drawing(name, 0)
    for k, (label, title) in enumerate(layouts):
        # Warp 3 loads column 3 first.
        step = traced.accesses(traced.phases(sources.traces[label], 3)[1], "load", "shared")[0]
        x = 20 + (3 - len(layouts)) * 112 + k * 224
        drawing.height = maps.tile_banks(drawing, x, 0, step, title) + 4
    return drawing


def transpose_banks(name, sources):
    return tile_banks(name, sources, ("tile", "Plain"))


def transpose_spread(name, sources):
    return tile_banks(name, sources, ("padded", "Padded"), ("swizzled", "Swizzled"))


FIGURES = {
    "11_transpose_sides": transpose_sides,
    "11_transpose_banks": transpose_banks,
    "11_transpose_spread": transpose_spread,
}
# SPDX-License-Identifier: MIT
