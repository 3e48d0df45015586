"""What figures of several pages need."""

import traced
from svg import Drawing

# NVIDIA's data sheet of the H200 SXM: 4.8 TB/s, and 67 TFLOP/s of single precision, in which a multiplication
# with addition counts as two. A sum has no multiplications: half of that are its additions.
MEMORY = 4.8e12
ADDITIONS = 67e12 / 2


def maps_below(name, draw, *of):
    """Maps below each other. `of`: (step, heading)."""
    drawing = Drawing(name, 0)
    y = 0
    for step, heading in of:
        y = draw(drawing, y, step, heading) + 24
    drawing.height = y - 18
    return drawing


def first(launch, kind, space, warp=0):
    """The first access of this kind that a warp makes."""
    return traced.accesses(traced.steps_of(launch, warp), kind, space)[0]


def timed_steps(document):
    """Those of the largest n: its runs, and (program, kernel, GB/s) of each step."""
    largest = max(run["n"] for run in document["runs"])
    runs = [run for run in document["runs"] if run["n"] == largest]
    return runs, [
        (run["program"], row["kernel"], row["timing"]["gigabytes_per_second"])
        for run in runs
        for row in run["rows"]
        if row["step"] and row["timing"] and run["program"][:2] <= "09"
    ]


def caption(document, n=None):
    """Where and when the numbers of a data file were measured."""
    where = document["where"]
    parts = [
        where["gpu"],
        *(
            f"{label} {where[key]}"
            for key, label in (("driver", "driver"), ("cuda", "CUDA"), ("commit", "commit"))
            if key in where
        ),
        where["date"],
    ]
    return (f"n = {n:,}. " if n else "") + ", ".join(parts) + "."
# SPDX-License-Identifier: MIT
