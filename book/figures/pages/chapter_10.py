"""Figures of chapter 10: two trees of a scan, the look-back, and the speed of tiles."""

import charts
import scans
from pages.shared import caption
from svg import Drawing


def scan_tree(name, sources, kernel, labels):
    drawing = Drawing(name, 0)
    levels = scans.additions(sources.traces[kernel], 16)
    drawing.height = scans.tree(drawing, 2, levels, labels) + 4
    return drawing


def scan_kogge_stone(name, sources):
    return scan_tree(name, sources, "scan_kogge_stone", ["by 1", "by 2", "by 4", "by 8"])


def scan_brent_kung(name, sources):
    labels = ["up 1", "up 2", "up 4", "up 8", "down 4", "down 2", "down 1"]
    return scan_tree(name, sources, "scan_brent_kung", labels)


def scan_operations(name, sources):
    rows = sources.data("scan_operations.json")["rows"]
    series = {
        label: [(row["n"], row[key] / row["n"]) for row in rows]
        for key, label in (
            ("sequential", "sequential"),
            ("kogge_stone", "Kogge-Stone"),
            ("brent_kung", "Brent-Kung"),
        )
    }
    drawing = Drawing(name, 0)
    drawing.height = charts.lines(
        drawing, 0, series, [row["n"] for row in rows], "elements", "additions for each element"
    )
    return drawing


def scan_look_back(name, _):
    drawing = Drawing(name, 0)
    tiles = ["prefix"] * 4 + ["aggregate"] * 5 + ["empty"] * 3
    drawing.height = scans.look_back(drawing, tiles, 9)
    return drawing


def scan_tiles(name, sources):
    document = sources.data("scan_tiles_h200.json")
    run = document["runs"][0] if "runs" in document else document
    bars = [
        (row["kernel"].replace(" threads", ""), row["timing"]["gigabytes_per_second"], "on")
        for row in run["rows"]
        if row["timing"] and " threads x " in row["kernel"]
    ]
    libraries = [
        row
        for each in sources.data("timings_h200.json")["runs"]
        if each["n"] == run["n"]
        for row in each["rows"]
        if row["kernel"] == "cub::DeviceScan::InclusiveSum"
    ]
    bars += [("CUB", row["timing"]["gigabytes_per_second"], "second") for row in libraries]
    drawing = Drawing(name, 0)
    drawing.height = charts.bars(drawing, 0, bars, "GB/s", ("a copy:", run["copy_gigabytes_per_second"]))
    if "where" in document:
        drawing.caption = "Threads a block x floats a thread. " + caption(document, run["n"])
    return drawing


FIGURES = {
    "10_scan_kogge_stone": scan_kogge_stone,
    "10_scan_brent_kung": scan_brent_kung,
    "10_scan_operations": scan_operations,
    "10_scan_look_back": scan_look_back,
    "10_scan_tiles": scan_tiles,
}
# SPDX-License-Identifier: MIT
