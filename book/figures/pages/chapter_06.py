"""Figures of chapter 06: waits at barriers, and the orders in which lanes may run."""

import timelines
from svg import Drawing


def barriers(name, trace, heading):
    drawing = Drawing(name, 0)
    drawing.height = timelines.barriers(drawing, 0, trace, heading, 10) + 4
    return drawing


def warp_unroll_barriers(name, sources):
    return barriers(name, sources.traces["sum_adjacent_tiles"], "Chapter 05")


def warp_unroll_alone(name, sources):
    return barriers(name, sources.traces["sum_warp_tail"], "Chapter 06")


def warp_unroll_orders(name, sources):
    drawing = Drawing(name, 0)
    y = 0
    for schedule, heading in (
        ("lockstep", "Lockstep"),
        ("ascending", "Ascending: lowest lane first"),
        ("descending", "Descending: highest lane first"),
    ):
        y = timelines.order(drawing, y, sources.scheduled(schedule)["old_tail"], heading) + 22
    drawing.height = y - 22
    return drawing


FIGURES = {
    "06_warp_unroll_barriers": warp_unroll_barriers,
    "06_warp_unroll_alone": warp_unroll_alone,
    "06_warp_unroll_orders": warp_unroll_orders,
}
# SPDX-License-Identifier: MIT
