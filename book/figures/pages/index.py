"""The figure of the first page: every step's speed."""

import statistics

import charts
from pages.shared import caption, timed_steps
from svg import Drawing


def index_ladder(name, sources):
    document = sources.data("timings_h200.json")
    runs, steps = timed_steps(document)
    bars = [
        (f"{program[:2]} {kernel.split('<')[0]}", value, "on") for program, kernel, value in sorted(steps)
    ]
    bars += [
        ("CUB", row["timing"]["gigabytes_per_second"], "second")
        for run in runs
        for row in run["rows"]
        if row["kernel"] == "cub::DeviceReduce::Sum"
    ]
    copy = statistics.median(run["copy_gigabytes_per_second"] for run in runs)  # one in each of them
    drawing = Drawing(name, 0)
    drawing.height = charts.bars(drawing, 0, bars, "GB/s", ("a copy:", copy))
    drawing.caption = caption(document, runs[0]["n"])
    return drawing


FIGURES = {
    "index_ladder": index_ladder,
}
# SPDX-License-Identifier: MIT
