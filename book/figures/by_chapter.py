"""Every figure of the book, by the name under which a page includes it."""

import statistics

import charts
import maps
import scans
import shuffles
import structure
import tables_gpus
import tables_limit
import tables_rows
import tables_time
import timelines
import traced
import trees
from measure import COUNTED_SHAPE  # common/measure.py
from measured import runs_of
from svg import Drawing


def maps_below(name, draw, *of):
    """Maps below each other. `of`: (step, heading)."""
    drawing = Drawing(name, 0)
    y = 0
    for step, heading in of:
        y = draw(drawing, y, step, heading) + 24
    drawing.height = y - 18
    return drawing


def global_memory_tree(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = trees.tree(drawing, 2, sources.traces["sum_in_place 16"], "global", "data[]") + 4
    return drawing


def first(launch, kind, space, warp=0):
    return traced.accesses(traced.steps_of(launch, warp), kind, space)[0]


def global_memory_runs(name, sources):
    return maps_below(
        name,
        maps.coalescing,
        (first(sources.traces["sum_atomic"], "load", "global"), "sum_atomic loads"),
        (first(sources.traces["sum_runs"], "load", "global"), "sum_runs loads"),
    )


def shared_memory_traffic(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = structure.tile_traffic(
        drawing, 0, sources.traces["sum_in_place"], "Chapter 01", None, 180, 318
    )
    return drawing


def shared_memory_tile(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = structure.tile_traffic(
        drawing, 0, sources.traces["sum_tile"], "Chapter 02", "tile, shared memory", 180, 318
    )
    return drawing


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


MULTIPROCESSORS = 132  # of an H200
# NVIDIA's data sheet of the H200 SXM: 4.8 TB/s, and 67 TFLOP/s of single precision, in which a multiplication
# with addition counts as two. A sum has no multiplications: half of that are its additions.
MEMORY = 4.8e12
ADDITIONS = 67e12 / 2
ADDITIONS_PER_BYTE = 1 / 4  # of a sum: one for each float


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


def grid_sizing_sweep(name, sources):
    document = sources.data("grid_sweep_h200.json")
    drawing = Drawing(name, 0)
    drawing.height = charts.sweep(
        drawing, 0, document["rows"], [(MULTIPROCESSORS, "one block per multiprocessor")]
    )
    if "where" in document:
        drawing.caption = caption(document, document["n"])
    return drawing


def working_lanes(name, trace, heading):
    drawing = Drawing(name, 0)
    drawing.height = trees.working_lanes(drawing, 0, trace, heading) + 4
    return drawing


def divergence_lanes(name, sources):
    return working_lanes(name, sources.traces["sum_tile"], "Chapter 02: sum_tile")


def divergence_packed(name, sources):
    return working_lanes(name, sources.traces["sum_strided"], "Chapter 03: sum_strided")


def first_level(launch):
    """The load by warp 0 of the elements to which it adds, on the first level of the tree."""
    level = traced.phases(launch, 0)[1]
    store = traced.accesses(level, "store", "shared")[0]
    return next(
        load for load in traced.accesses(level, "load", "shared") if load["addresses"] == store["addresses"]
    )


def bank_conflicts_map(name, sources):
    return maps_below(name, maps.banks, (first_level(sources.traces["sum_strided"]), "Chapter 03: tile[2 * t]"))


def bank_conflicts_apart(name, sources):
    return maps_below(name, maps.banks, (first_level(sources.traces["sum_sequential"]), "Chapter 04: tile[t]"))


def bank_conflicts_trees(name, sources):
    drawing = Drawing(name, 0)
    y = 0
    for kernel, heading in (
        ("sum_strided 16", "Neighbours first (chapter 03)"),
        ("sum_sequential", "Half a tile first (chapter 04)"),
    ):
        drawing.text(0, y + 10, heading, font_weight="bold")
        y = trees.tree(drawing, y + 32, sources.traces[kernel], "shared", "tile[]") + 30
    drawing.height = y - 26
    return drawing


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


def full_unroll_passes(name, sources):
    drawing = Drawing(name, 0)
    traces = sources.traces
    drawing.height = timelines.instructions(
        drawing, 0, 0, traces["sum_looped 256"], 1, "Counted at run time", "the starter: a loop"
    )
    timelines.instructions(
        drawing, 350, 0, traces["sum_unrolled 256"], 1, "Known at compile time", "the solution: no loop"
    )
    return drawing


def full_unroll_levels(name, sources):
    drawing = Drawing(name, 0)
    launches = {threads: sources.traces[f"sum_unrolled {threads}"] for threads in (64, 128, 256, 512, 1024)}
    drawing.height = structure.levels(drawing, 0, launches)
    return drawing


def full_unroll_chains(name, _):
    drawing = Drawing(name, 0)
    drawing.height = structure.chains(drawing, 0, 8, 1, 30, "1 chain")
    structure.chains(drawing, 0, 8, 4, 240, "4 chains")
    drawing.arrow(650, 28, 650, drawing.height - 20, "ink")
    drawing.text(640, drawing.height - 60, "time", "end")
    return drawing


def grid_sizing_stride(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = structure.grid_stride(
        drawing, 0, [sources.traces[f"grid_stride {block}"] for block in range(3)]
    )
    return drawing


def shuffle_down(name, sources):
    drawing = Drawing(name, 0)
    steps = [step for step in traced.phases(sources.traces["sum_shuffle"], 0)[0] if step["kind"] == "shuffle"]
    drawing.height = shuffles.shuffle_rows(drawing, 0, steps) + 4
    return drawing


def shuffle_swap(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = shuffles.swap(drawing, 0, sources.traces["swap"]) + 4
    return drawing


def shuffle_block(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = shuffles.block_sum(drawing, 0, sources.traces["sum_shuffle"]) + 4
    return drawing


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


def transpose_sides(name, sources):
    launch = sources.traces["read_rows"]
    return maps_below(
        name,
        maps.coalescing,
        (first(launch, "load", "global"), "One load request"),
        (first(launch, "store", "global"), "One store request"),
    )


def tile_banks(name, sources, *layouts):
    """Side by side. `layouts`: (trace, title)."""
    drawing = Drawing(name, 0)
    for k, (label, title) in enumerate(layouts):
        # Warp 3 loads column 3 first.
        step = traced.accesses(traced.phases(sources.traces[label], 3)[1], "load", "shared")[0]
        x = 20 + (3 - len(layouts)) * 112 + k * 224
        drawing.height = maps.tile_banks(drawing, x, 0, step, title) + 4
    return drawing


def transpose_banks(name, sources):
    return tile_banks(name, sources, ("tile", "Plain"))


def transpose_spread(name, sources):
    return tile_banks(name, sources, ("padded", "Padded"), ("swizzled", "Swizzled"))


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


def softmax_columns(name, sources):
    document = sources.data("rows_h200.json")
    found, copy = tables_rows.shapes(document), tables_rows.copies(document)["float"]
    columns = [columns for operation, of, columns in found if (operation, of) == ("softmax", "float")]
    series = {
        label: [(c // 1024, found["softmax", "float", c][way] / 1000) for c in columns]
        for label, way in (("this chapter", "ours"), ("PyTorch", "eager"), ("torch.compile", "compiled"))
    }
    drawing = Drawing(name, 0)
    drawing.height = charts.lines(
        drawing,
        0,
        {"a copy": [(c // 1024, copy / 1000) for c in columns], **series},
        [c // 1024 for c in columns],
        "thousands (2¹⁰) of columns",
        "TB/s",
    )
    drawing.caption = caption(document, document["elements"])
    return drawing


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
    "index_ladder": index_ladder,
    "machine_blocks_warps_lanes": machine_blocks_warps_lanes,
    "machine_coalescing": machine_coalescing,
    "machine_banks": machine_banks,
    "machine_roofline": machine_roofline,
    "01_global_memory_tree": global_memory_tree,
    "01_global_memory_runs": global_memory_runs,
    "02_shared_memory_tile": shared_memory_tile,
    "02_shared_memory_traffic": shared_memory_traffic,
    "03_divergence_lanes": divergence_lanes,
    "03_divergence_packed": divergence_packed,
    "04_bank_conflicts_map": bank_conflicts_map,
    "04_bank_conflicts_apart": bank_conflicts_apart,
    "04_bank_conflicts_trees": bank_conflicts_trees,
    "05_idle_threads_live": idle_threads_live,
    "05_idle_threads_plans": idle_threads_plans,
    "06_warp_unroll_barriers": warp_unroll_barriers,
    "06_warp_unroll_alone": warp_unroll_alone,
    "06_warp_unroll_orders": warp_unroll_orders,
    "07_full_unroll_passes": full_unroll_passes,
    "07_full_unroll_levels": full_unroll_levels,
    "07_full_unroll_chains": full_unroll_chains,
    "08_grid_sizing_stride": grid_sizing_stride,
    "08_grid_sizing_sweep": grid_sizing_sweep,
    "09_shuffle_down": shuffle_down,
    "09_shuffle_swap": shuffle_swap,
    "09_shuffle_block": shuffle_block,
    "10_scan_kogge_stone": scan_kogge_stone,
    "10_scan_brent_kung": scan_brent_kung,
    "10_scan_operations": scan_operations,
    "10_scan_look_back": scan_look_back,
    "10_scan_tiles": scan_tiles,
    "12_bandwidth_limit_in_flight": bandwidth_limit_in_flight,
    "12_bandwidth_limit_curve": bandwidth_limit_curve,
    "13_gemm_roofline": gemm_roofline,
    "15_softmax_columns": softmax_columns,
    "14_many_gpus_sizes": many_gpus_sizes,
    "11_transpose_sides": transpose_sides,
    "11_transpose_banks": transpose_banks,
    "11_transpose_spread": transpose_spread,
}
# SPDX-License-Identifier: MIT
