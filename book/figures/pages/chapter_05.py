"""Figures of chapter 05: threads that idle, and three plans against it."""

import structure
import trees
from svg import Drawing


def idle_threads_live(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = trees.live_grid(drawing, 0, sources.traces["sum_sequential"])
    return drawing


def idle_threads_plans(name, sources):
    drawing = Drawing(name, 0)
    y = 0
    for letter, what, cell in (
        ("A", "half the blocks", 256),
        ("B", "half the threads", 128),
        ("C", "twice the elements", 256),
    ):
        launches = [launch for label, launch in sources.traces.items() if label.startswith(f"plan {letter} ")]
        drawing_heading = f"Plan {letter}: {what}"
        y = structure.plan(drawing, y, launches, drawing_heading, cell) + 26
    drawing.height = y - 24
    return drawing


FIGURES = {
    "05_idle_threads_live": idle_threads_live,
    "05_idle_threads_plans": idle_threads_plans,
}
# SPDX-License-Identifier: MIT
