"""Every solved step: timed beside NVIDIA's libraries, and counted by ncu, as is the calibration set."""
import pathlib
import sys
import tempfile

from measuring.ncu import launches_under_ncu
from measuring.programs import COUNTED_SHAPE, COUNTED_SIZE, PRODUCTS, SIZES, document_of, programs, shape_options, timed
from measuring.toolchain import nvcc, output_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMED_LABORATORIES = ["07_full_unroll.chains", "09_shuffle.exchange", "11_transpose.block_order", "11_transpose.swizzle"]
SHAPES = [(1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (4095, 4097, 4093)]
CALIBRATION = ROOT / "tests/gpusim/fidelity/calibration.cu"


def timings(build):
    runs = []
    for program in [*programs(build), pathlib.Path(build, "libraries.gpu")]:
        for n in SIZES if program.stem != PRODUCTS else []:
            runs.append(timed(program, n))
    laboratories = [document_of(pathlib.Path(build, "chapters", name + ".gpu")) for name in TIMED_LABORATORIES]
    return {"what": "medians of the timed runs; GB/s of useful bytes; percent of a device-to-device copy in the same run",
            "runs": runs, "laboratories": laboratories}


def products(build):
    """Ours and cuBLAS's one after the other, shape by shape."""
    runs = []
    for shape in SHAPES:
        for program in (f"solutions/{PRODUCTS}.gpu", "libraries.gpu"):
            runs.append({**document_of(pathlib.Path(build, program), *shape_options(shape)), "shape": shape})
    return {"what": "medians of the timed runs; shape: rows, columns and depth of a product", "runs": runs}


def calibration():
    """The set is its own program; it prints the name of every launch, in order."""
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch, "calibration")
        output_of(nvcc(), "-arch=native", "-O2", "-std=c++17", CALIBRATION, "-o", program)
        print("ncu calibration", flush=True)
        names = output_of(program).splitlines()
        launches = list(launches_under_ncu(program))
    if len(names) != len(launches) or len(set(names)) != len(names):
        sys.exit(f"calibration: {len(names)} names for {len(launches)} launches, or one twice")
    return {name: launch for name, (_, launch) in zip(names, launches)}


def counters(build):
    kernels = {}
    for program in programs(build):
        print(f"ncu {program.name}", flush=True)
        grids = {}  # of each kernel, in order of appearance
        what = shape_options(COUNTED_SHAPE) if program.stem == PRODUCTS else ["--n", str(COUNTED_SIZE)]
        for kernel, launch in launches_under_ncu(program, *what, "--repeat", "0"):
            seen = grids.setdefault(kernel, [])
            if launch["grid"] not in seen:
                seen.append(launch["grid"])
                number = f" #{len(seen)}" if len(seen) > 1 else ""
                kernels[f"{program.name.removesuffix('.gpu')} {kernel}{number}"] = launch
    return {"what": "counters of ncu, summed over one launch; in `calibration` those that are not 0",
            "n": COUNTED_SIZE, "kernels": kernels, "calibration": without_zeros(calibration())}


def without_zeros(cases):
    return {name: {**case, "counters": {c: v for c, v in case["counters"].items() if v}} for name, case in cases.items()}
# SPDX-License-Identifier: MIT
