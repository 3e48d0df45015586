"""The figure of the page *Predicted times*."""

import charts
import tables_time
from svg import Drawing


def time_scatter(name, sources):
    document = sources.data("accuracy.json", "common/gpusim/timing")
    dots = {
        label: [(row["measured"], row["predicted"]) for row in document["rows"] if row["machine"] == machine]
        for machine, label in tables_time.NAMES.items()
    }
    drawing = Drawing(name, 0)
    drawing.height = charts.predicted_by_measured(drawing, 0, dots, 0.25)
    sizes = [row["n"] for row in document["rows"]]
    drawing.caption = f"{len(sizes)} launches of the chapters and their experiments, n = {min(sizes):,} to {max(sizes):,}."
    return drawing


FIGURES = {
    "time_scatter": time_scatter,
}
# SPDX-License-Identifier: MIT
