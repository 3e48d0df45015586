"""Figures of chapter 12: how loads in flight and length change the speed of a sum."""

import charts
import tables_limit
from measured import runs_of
from pages.shared import caption
from svg import Drawing


def bandwidth_limit_in_flight(name, sources):
    document = sources.data("limit_h200.json")
    drawing = Drawing(name, 0)
    rows = tables_limit.in_flight_rows(document)
    series = {
        f"{blocks:,} blocks": [(loads, found[blocks] / 1000) for loads, found in rows.items()]
        for blocks in next(iter(rows.values()))
    }
    drawing.height = charts.lines(drawing, 0, series, list(rows), "loads a round", "TB/s")
    drawing.caption = caption(document, runs_of(document, "in_flight")[0]["n"])
    return drawing


def bandwidth_limit_curve(name, sources):
    document = sources.data("limit_h200.json")
    drawing = Drawing(name, 0)
    found = tables_limit.timed(document)
    series = {
        label: [
            (n / 2**20, timing["gigabytes_per_second"] / 1000)
            for (of, n), timing in found.items()
            if of == kernel
        ]
        for label, kernel in (("one launch", tables_limit.STEP), ("CUB", tables_limit.CUB))
    }
    ticks = [x for x, _ in series["CUB"]]
    drawing.height = charts.lines(drawing, 0, series, [int(x) for x in ticks], "millions (2²⁰) of floats", "TB/s")
    drawing.caption = caption(document)
    return drawing


FIGURES = {
    "12_bandwidth_limit_in_flight": bandwidth_limit_in_flight,
    "12_bandwidth_limit_curve": bandwidth_limit_curve,
}
# SPDX-License-Identifier: MIT
