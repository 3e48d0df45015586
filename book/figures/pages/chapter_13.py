"""The figure of chapter 13: the roofline of its products."""

import charts
from measuring.programs import COUNTED_SHAPE  # common/measuring
from pages.shared import ADDITIONS, caption
from svg import Drawing

GEMM_SHAPE = [4096, 4096, 4096]
# Kernel of the program, how ncu's name of it begins, where its label stands and how much lower than its dot. The plan chosen for
# this shape is the last.
GEMM_STEPS = (
    ("gemm_naive", "gemm_naive", "end", 0),
    ("gemm_tile", "gemm_tile", "start", 4),
    ("gemm_column", "gemm_column", "start", 8),
    ("gemm_registers", "gemm_registers", "start", 4),
    ("gemm_vector", "gemm_one_tile", "start", 10),
    ("gemm_buffered", "gemm_two_tiles<Plan<128, 128, 8, 8, 8, 2>, AcrossTheBlock, 4>", "start", -2),
)


def gemm_roofline(name, sources):
    """Rates at one large shape; bytes for each multiply-add as ncu counts them, which depend on the tile only."""
    document, ncu = sources.data("products_h200.json"), sources.counted("ncu_h200.json")
    rows, columns, depth = COUNTED_SHAPE
    rates = {
        row["kernel"]: row["timing"]["teraflops"] * 1e12 / 2  # which counts a multiply-add as two
        for run in document["runs"]
        if run["shape"] == GEMM_SHAPE and run["program"] == "13_gemm"
        for row in run["rows"]
    }
    ceiling = max(
        row["timing"]["gigabytes_per_second"] * 1e9
        for run in sources.data("limit_h200.json")["runs"]
        for row in run["rows"]
    )
    steps = []
    for kernel, counted, *label in GEMM_STEPS:
        sectors = next(
            launch["counters"]["global_load_sectors"]
            for label, launch in ncu["kernels"].items()
            if label.startswith(f"13_gemm {counted}")
        )
        steps.append((kernel, rows * columns * depth / (32 * sectors), rates[kernel], *label))
    drawing = Drawing(name, 0)
    drawing.height = charts.roofline_of_steps(drawing, 0, ceiling, ADDITIONS, steps)
    drawing.caption = (
        "4,096³. Roof: arithmetic by NVIDIA's data sheet, memory as chapter 12's sum_atomic reads it. Dots: "
        + caption(document, GEMM_SHAPE[0] * GEMM_SHAPE[1])
    )
    return drawing


FIGURES = {
    "13_gemm_roofline": gemm_roofline,
}
# SPDX-License-Identifier: MIT
