"""Figures of the page *The machine*."""

import charts
import maps
import structure
import traced
from pages.shared import ADDITIONS, MEMORY, caption, first, maps_below, timed_steps
from svg import Drawing

ADDITIONS_PER_BYTE = 1 / 4  # of a sum: one for each float


def machine_blocks_warps_lanes(name, _):
    drawing = Drawing(name, 0)
    drawing.height = structure.machine(drawing)
    return drawing


def machine_coalescing(name, sources):
    return maps_below(
        name,
        lambda *of: maps.coalescing(*of, distance=40),
        *(
            (first(sources.traces[label], "load", "global"), heading)
            for label, heading in (
                ("load_every 1", "Neighbours: in[lane]"),
                ("load_shifted", "Shifted: in[lane + 1]"),
                ("load_every 0", "One address: in[0]"),
                ("load_every 8", "A sector each: in[8 * lane]"),
            )
        ),
    )


def machine_banks(name, sources):
    return maps_below(
        name,
        lambda *of: maps.banks(*of, distance=54),
        *(
            (
                traced.accesses(
                    traced.phases(sources.traces[f"load_every_shared {step}"], 0)[1], "load", "shared"
                )[0],
                f"Stride {step}",
            )
            for step in (1, 0, 2, 33, 32)
        ),
    )


def machine_roofline(name, sources):
    document = sources.data("timings_h200.json")
    runs, steps = timed_steps(document)
    drawing = Drawing(name, 0)
    drawing.height = charts.roofline(
        drawing,
        0,
        MEMORY,
        ADDITIONS,
        ADDITIONS_PER_BYTE,
        [value * 1e9 * ADDITIONS_PER_BYTE for _, _, value in steps],
    )
    drawing.caption = "Roof: NVIDIA's data sheet. Dots: " + caption(document, runs[0]["n"])
    return drawing


FIGURES = {
    "machine_blocks_warps_lanes": machine_blocks_warps_lanes,
    "machine_coalescing": machine_coalescing,
    "machine_banks": machine_banks,
    "machine_roofline": machine_roofline,
}
# SPDX-License-Identifier: MIT
