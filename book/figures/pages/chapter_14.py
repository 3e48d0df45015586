"""The figure of chapter 14: all-reduces of every size."""

import charts
import tables_gpus
from pages.shared import caption
from svg import Drawing

ALL_REDUCES = (  # way, kind of line, where its label stands (which size, how much lower)
    ("nccl", "ink dashed", 1, 18),
    ("one_shot", "ink", 6, -60),
    ("two_shot", "link", 7, 56),
    ("ring", "link dashed", 1, -16),
)


def many_gpus_sizes(name, sources):
    """All-reduces on four GPUs, each algorithm at its best."""
    document, gpus = sources.data("gpus_h200.json"), 4
    sizes = tables_gpus.sizes(document)
    series = []
    for how, kind, at, lower in ALL_REDUCES:
        rows = [tables_gpus.fastest(document, gpus, size, *tables_gpus.any_host(how)) for size in sizes]
        line = [(row["bytes"], row["us"]) for row in rows if row]
        series.append(("NCCL" if how == "nccl" else how, kind, line, at, lower))
    regions = [
        (tables_gpus.crossing(document, gpus, "one_shot", "two_shot")[2], "one_shot"),
        (tables_gpus.crossing(document, gpus, "two_shot", "nccl")[2], "two_shot"),
        (sizes[-1], "NCCL"),
    ]
    drawing = Drawing(name, 0)
    drawing.height = charts.all_reduces(
        drawing,
        0,
        series,
        [(size, tables_gpus.bytes_text(size)) for size in sizes[::2] + sizes[-1:] * (len(sizes) % 2 == 0)],
        [(4, ""), (10, "10"), (100, "100"), (1000, "1,000"), (6000, "")],
        regions,
        "bytes on each GPU",
        "µs; at the bottom: the fastest",
    )
    drawing.caption = "4 GPUs, up to 1 MiB with a host thread for each (NCCL and ring: one for all). " + caption(document)
    return drawing


FIGURES = {
    "14_many_gpus_sizes": many_gpus_sizes,
}
# SPDX-License-Identifier: MIT
