"""Experiments of single chapters, whose kernels differ in one thing each or run with several sizes."""
import pathlib
import sys

from measuring.ncu import launches_under_ncu, memory_of
from measuring.programs import COUNTED_SIZE, SIZES, document_of, timed
from measuring.ptxas import loads_in_sass, registers_in_sass
from measuring.rows import ROWS, ROWS_SIZE

SWEPT_SIZE, SWEPT_REPEATS = 1 << 28, 5  # one warp alone takes seconds
LIMIT = "12_bandwidth_limit"
LIMIT_SIZES, LIMIT_REPEATS = [1 << k for k in (20, 21, 22, 23, 24, 25, 28, 30)], 60
LIMIT_LABORATORIES = {  # at which sizes
    "launches": [1 << 20], "in_flight": [1 << 28], "hints": [1 << 25, 1 << 28], "blocks": [1 << 22, 1 << 25, 1 << 28],
    "async_copies": [1 << 25, 1 << 28]}
CHANGES, CHANGES_REPEATS = {  # with which options
    "10_scan.tiles": [["--n", "2^28"]], "10_scan.waits": [["--n", "2^28"]], "11_transpose.packs": [[]],
    "12_bandwidth_limit.loop": [["--n", "2^28"]], "13_gemm.changes": [["--rows", "1024"], ["--rows", "4096"]],
    "15_softmax.exchange": [["--n", "2^28"]]}, 40
CONFLICTS = "04_bank_conflicts.padding"


def sweep(build):
    program = pathlib.Path(build, "chapters/08_grid_sizing.sweep.gpu")
    document = timed(program, SWEPT_SIZE, "--repeat", str(SWEPT_REPEATS))
    return {"what": f"medians of {SWEPT_REPEATS} timed runs of sum_any_block; GB/s of useful bytes",
            "n": document["n"], "rows": document["rows"]}


def unrolled(build):
    program = pathlib.Path(build, "chapters/08_grid_sizing.unrolled.gpu")
    return {"what": "medians of the timed runs; GB/s of useful bytes. sass_loads: instructions that load from global memory",
            "laboratories": [timed(program, n) for n in SIZES], "sass_loads": loads_in_sass(program)}


def tiles(build):
    program = pathlib.Path(build, "chapters/10_scan.tiles.gpu")
    return {"what": "the single pass with tiles of several shapes: medians of the timed runs; GB/s read and written; percent of "
                    "a device-to-device copy in the same run",
            "runs": [timed(program, SWEPT_SIZE)]}


def limit(build):
    """Steps and library take turns, size by size, so that both meet the same GPU."""
    build = pathlib.Path(build)
    step, repeats = build / f"solutions/{LIMIT}.gpu", ("--repeat", str(LIMIT_REPEATS))
    runs, laboratories = [], []
    for n in LIMIT_SIZES:
        runs.append(timed(step, n, *repeats))
        runs.append(timed(build / "libraries.gpu", n, "--only-sum", "1", *repeats))
    for name, sizes in LIMIT_LABORATORIES.items():
        laboratories += [timed(build / f"chapters/{LIMIT}.{name}.gpu", n, *repeats) for n in sizes]
    return {"what": f"medians of {LIMIT_REPEATS} timed runs; GB/s of useful bytes. memory: what ncu says of sum_one_launch",
            "runs": runs, "laboratories": laboratories,
            "memory": [{"n": n, **memory_of(step, n)} for n in (1 << 25, 1 << 28, 1 << 30)]}


def conflicts(build):
    program = pathlib.Path(build, f"chapters/{CONFLICTS}.gpu")
    run = timed(program, SWEPT_SIZE, "--repeat", str(CHANGES_REPEATS))
    print(f"ncu {program.name}", flush=True)
    launches = [launch for _, launch in launches_under_ncu(program, "--n", str(COUNTED_SIZE), "--repeat", "0")]
    rows = [row["kernel"] for row in run["rows"]]
    if len(launches) != len(rows):
        sys.exit(f"{program.name}: {len(launches)} launches under ncu for {len(rows)} rows")
    return {"what": f"medians of {CHANGES_REPEATS} timed runs; GB/s of useful bytes. counted: counters of ncu, summed over one "
                    "launch",
            "laboratories": [run], "counted": {"n": COUNTED_SIZE, "kernels": dict(zip(rows, launches))}}


def changes(build):
    chapters = pathlib.Path(build, "chapters")
    runs = [{"options": options, **document_of(chapters / f"{name}.gpu", *options, "--repeat", str(CHANGES_REPEATS))}
            for name, each in CHANGES.items() for options in each]
    return {"what": f"medians of {CHANGES_REPEATS} timed runs; GB/s of useful bytes. sass_loads: instructions that load from "
                    "global memory. registers: a thread's, and its bytes of local memory",
            "runs": [timed(pathlib.Path(build, f"solutions/{ROWS}.gpu"), n) for n in SIZES[:2]],
            "starters": [timed(chapters / f"{ROWS}.gpu", ROWS_SIZE)], "laboratories": runs,
            "sass_loads": loads_in_sass(chapters / "12_bandwidth_limit.loop.gpu"),
            "registers": registers_in_sass(chapters / "10_scan.tiles.gpu")}
# SPDX-License-Identifier: MIT
