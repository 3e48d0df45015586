"""Figures of chapter 08: the grid-stride loop, and the speed of every size of grid."""

import charts
import structure
from pages.shared import caption
from svg import Drawing

MULTIPROCESSORS = 132  # of an H200


def grid_sizing_stride(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = structure.grid_stride(
        drawing, 0, [sources.traces[f"grid_stride {block}"] for block in range(3)]
    )
    return drawing


def grid_sizing_sweep(name, sources):
    document = sources.data("grid_sweep_h200.json")
    drawing = Drawing(name, 0)
    drawing.height = charts.sweep(
        drawing, 0, document["rows"], [(MULTIPROCESSORS, "one block per multiprocessor")]
    )
    if "where" in document:
        drawing.caption = caption(document, document["n"])
    return drawing


FIGURES = {
    "08_grid_sizing_stride": grid_sizing_stride,
    "08_grid_sizing_sweep": grid_sizing_sweep,
}
# SPDX-License-Identifier: MIT
