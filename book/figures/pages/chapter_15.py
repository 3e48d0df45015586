"""The figure of chapter 15: softmax by the length of its rows."""

import charts
import tables_rows
from pages.shared import caption
from svg import Drawing


def softmax_columns(name, sources):
    document = sources.data("rows_h200.json")
    found, copy = tables_rows.shapes(document), tables_rows.copies(document)["float"]
    columns = [columns for operation, of, columns in found if (operation, of) == ("softmax", "float")]
    series = {
        label: [(c // 1024, found["softmax", "float", c][way] / 1000) for c in columns]
        for label, way in (("this chapter", "ours"), ("PyTorch", "eager"), ("torch.compile", "compiled"))
    }
    drawing = Drawing(name, 0)
    drawing.height = charts.lines(
        drawing,
        0,
        {"a copy": [(c // 1024, copy / 1000) for c in columns], **series},
        [c // 1024 for c in columns],
        "thousands (2¹⁰) of columns",
        "TB/s",
    )
    drawing.caption = caption(document, document["elements"])
    return drawing


FIGURES = {
    "15_softmax_columns": softmax_columns,
}
# SPDX-License-Identifier: MIT
