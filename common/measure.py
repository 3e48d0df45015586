#!/usr/bin/env python3
"""Measures the tutorial on this machine's GPU and writes the result as data: what the book's tables are made of.

measure.py timings BUILD_DIR FILE.json    every solved step and NVIDIA's libraries at three sizes, with the copy ceiling
                                          of the same run
measure.py counters BUILD_DIR FILE.json   what ncu counts for every kernel of the steps, at n = 2^25, and for
                                          every case of the calibration set (tests/gpusim/fidelity/calibration.cu)
measure.py sweep BUILD_DIR FILE.json      chapter 08's sum with every number of blocks and threads, at n = 2^28
measure.py unrolled BUILD_DIR FILE.json   chapter 08's loop with 1, 2, 4 and 8 loads in flight at three sizes, and how many
                                          loads ptxas made of each
measure.py tiles BUILD_DIR FILE.json      chapter 10's single pass with tiles of several shapes, at n = 2^28
measure.py limit BUILD_DIR FILE.json      chapter 12's steps and laboratories, beside CUB's sum, from 2^20 to 2^30 elements;
                                          how busy ncu finds the memory
measure.py conflicts BUILD_DIR FILE.json  chapter 04's tree with and without bank conflicts, by the same instructions, at
                                          n = 2^28; what ncu counts of both
measure.py products BUILD_DIR FILE.json   chapter 13's products of matrices and cuBLAS's, in several shapes
measure.py rows BUILD_DIR FILE.json       chapter 15's softmax and RMSNorm of 2^28 elements next to PyTorch's, eager and compiled;
                                          its steps, timed and counted by ncu. Needs PyTorch
measure.py changes BUILD_DIR FILE.json    experiments of chapters 10 to 13 and 15 whose kernels differ in one thing each; how many
                                          loads ptxas made of chapter 12's loops, and the registers of chapter 10's tiles; chapter
                                          15's steps at two sizes, and its kernels before the exercise is solved
measure.py gpus BUILD_DIR FILE.json       chapter 14's sums and all-reduces on 1, 2, 4, … GPUs of this host, beside NCCL's, from
                                          1 KiB to 1 GiB; work and communication side by side; with MPI, the same by a process
                                          for each GPU. Needs several GPUs that reach each other's memory, and NCCL
measure.py registers BUILD_DIR FILE.json  what ptxas allots to the kernels of chapter 08's laboratory `spills`; needs
                                          nvcc and no GPU

BUILD_DIR holds the programs of a GPU build (solutions/NN_topic.gpu). The file names the GPU, its driver, CUDA, the
commit and the date (without a GPU: the architecture in place of GPU and driver). It is written only when everything
ran and every sum was right.
"""
import csv
import datetime
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import command_line
import counter_list
import whole_file

SIZES = [1 << 25, 1 << 28, 1 << 30]
COUNTED_SIZE = 1 << 25
TIMED_LABORATORIES = ["07_full_unroll.chains", "09_shuffle.exchange", "11_transpose.block_order", "11_transpose.swizzle"]
PRODUCTS = "13_gemm"  # a program of shapes, not of lengths
SHAPES = [(1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192), (4095, 4097, 4093)]
COUNTED_SHAPE = (768, 1024, 32)  # gemm_chosen takes the same plan with 108 multiprocessors and with 132
SWEPT_SIZE, SWEPT_REPEATS = 1 << 28, 5  # one warp alone takes seconds
LIMIT = "12_bandwidth_limit"
LIMIT_SIZES, LIMIT_REPEATS = [1 << k for k in (20, 21, 22, 23, 24, 25, 28, 30)], 60
LIMIT_LABORATORIES = {  # at which sizes
    "launches": [1 << 20], "in_flight": [1 << 28], "hints": [1 << 25, 1 << 28], "blocks": [1 << 22, 1 << 25, 1 << 28],
    "async_copies": [1 << 25, 1 << 28]}
ROWS, ROWS_SIZE, ROWS_REPEATS, ROWS_COUNTED = "15_softmax", 1 << 28, 20, 1 << 20
CHANGES, CHANGES_REPEATS = {  # with which options
    "10_scan.tiles": [["--n", "2^28"]], "10_scan.waits": [["--n", "2^28"]], "11_transpose.packs": [[]],
    "12_bandwidth_limit.loop": [["--n", "2^28"]], "13_gemm.changes": [["--rows", "1024"], ["--rows", "4096"]],
    "15_softmax.exchange": [["--n", "2^28"]]}, 40
CONFLICTS = "04_bank_conflicts.padding"
MANY_GPUS = "chapters/14_many_gpus.sweep.gpu"
# NCCL without NVLink's multicast, which kernels that load and store do not use either, and not every host offers.
MANY_GPUS_ENVIRONMENT = {"NCCL_NVLS_ENABLE": "0"}
ROOT_MAY_MPIRUN = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # else Open MPI refuses in a container
# Of the memory's cycles those in which it delivers, and ncu's peak.
MEMORY_METRICS = {
    "bytes_read": "dram__bytes_read.sum", "bytes_per_second": "dram__bytes_read.sum.per_second",
    "busy_percent": "dram__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "peak_bytes_per_second": "dram__bytes.sum.peak_sustained_elapsed.per_second"}
ARCHITECTURE = "sm_90"
SMALLER_ARRAYS = [8, 16]  # elements, where spills.cu has 32
ROOT = pathlib.Path(__file__).resolve().parents[1]
# By our counter, the metrics of ncu whose sum has the same definition. Some twice: the hardware's counter, in which other traffic
# leaves a few percent of noise, and (…_sass) what ncu works out from the addresses.
METRICS = counter_list.ncu_metrics()
CALIBRATION = ROOT / "tests/gpusim/fidelity/calibration.cu"


def output_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}; measuring takes an NVIDIA GPU with its driver, and the CUDA Toolkit")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def nvcc():
    home = os.environ.get("CUDA_HOME") or os.environ.get("CUDA_PATH") or "/usr/local/cuda"
    return shutil.which("nvcc") or home + "/bin/nvcc"


def toolchain():
    cuda = re.search(r"release ([\d.]+)", output_of(nvcc(), "--version")).group(1)
    # A tree without git (a tarball, a copy) names its commit in the environment.
    commit = os.environ.get("COMMIT") or output_of("git", "rev-parse", "--short=12", "HEAD").strip()
    return {"cuda": cuda, "commit": commit, "date": datetime.date.today().isoformat()}


def provenance():
    gpu, driver = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()[0].split(", ")
    return {"gpu": gpu, "driver": driver, **toolchain()}


def programs(build):
    found = sorted(pathlib.Path(build, "solutions").glob("*.gpu"))
    if not found:
        sys.exit(f"{build}/solutions holds no NN_topic.gpu: configure with -Dgpu=enabled and build first")
    return found


def document_of(program, *options):
    """What a program says with --json."""
    print(pathlib.Path(program).name, *options, flush=True)
    return json.loads(output_of(program, "--json", *options))


def timed(program, n, *options):
    return document_of(program, "--n", str(n), *options)


def timings(build):
    runs = []
    for program in [*programs(build), pathlib.Path(build, "libraries.gpu")]:
        for n in SIZES if program.stem != PRODUCTS else []:
            runs.append(timed(program, n))
    laboratories = [document_of(pathlib.Path(build, "chapters", name + ".gpu")) for name in TIMED_LABORATORIES]
    return {"what": "medians of the timed runs; GB/s of useful bytes; percent of a device-to-device copy in the same run",
            "runs": runs, "laboratories": laboratories}


def shape_options(shape):
    return [word for name, length in zip(("--rows", "--columns", "--depth"), shape) for word in (name, str(length))]


def products(build):
    """Ours and cuBLAS's one after the other, shape by shape."""
    runs = []
    for shape in SHAPES:
        for program in (f"solutions/{PRODUCTS}.gpu", "libraries.gpu"):
            runs.append({**document_of(pathlib.Path(build, program), *shape_options(shape)), "shape": shape})
    return {"what": "medians of the timed runs; shape: rows, columns and depth of a product", "runs": runs}


def product(dimensions):
    """The threads or blocks of "(32, 8, 1)"."""
    x, y, z = map(int, dimensions.strip("()").split(","))
    return x * y * z


def kernel_name(signature):
    """scan<256, float> of "void scan<(int)256, float>(const T1 *, int)", as the simulated GPU writes it."""
    name = signature.removeprefix("void ").replace("(bool)1", "true").replace("(bool)0", "false")
    name = re.sub(r"\((?:unsigned )?\w+\)(?=-?\d)", "", name)
    return name.split("(")[0]


def launches_under_ncu(*command):
    """A row for each launch of the program. Clocks are left alone: counters do not depend on them."""
    metrics = [metric for group in METRICS.values() for metric in group]
    report = output_of("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                       "--metrics", ",".join(metrics), *command)
    names, _, *launches = csv.reader(io.StringIO("\n".join(line for line in report.splitlines() if line.startswith('"'))))
    for launch in launches:
        row = dict(zip(names, launch))
        yield kernel_name(row["Kernel Name"]), {
            "grid": product(row["Grid Size"]),
            "block": product(row["Block Size"]),
            "counters": {ours: sum(int(float(row[metric].replace(",", ""))) for metric in theirs)
                         for ours, theirs in METRICS.items()},
        }


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


def sweep(build):
    program = pathlib.Path(build, "chapters/08_grid_sizing.sweep.gpu")
    document = timed(program, SWEPT_SIZE, "--repeat", str(SWEPT_REPEATS))
    return {"what": f"medians of {SWEPT_REPEATS} timed runs of sum_any_block; GB/s of useful bytes",
            "n": document["n"], "rows": document["rows"]}


def loads_in_sass(program):
    """How many instructions that load from global memory each kernel of a program has, as ptxas made it."""
    loads, kernel = {}, ""
    for line in output_of("cuobjdump", "-sass", program).splitlines():
        if function := re.match(r"\s*Function : (\S+)", line):
            kernel = kernel_name(output_of("c++filt", function.group(1)).strip().replace("(anonymous namespace)::", ""))
            loads[kernel] = 0
        elif re.search(r"\bLDG\b", line):
            loads[kernel] += 1
    return loads


def unrolled(build):
    program = pathlib.Path(build, "chapters/08_grid_sizing.unrolled.gpu")
    return {"what": "medians of the timed runs; GB/s of useful bytes. sass_loads: instructions that load from global memory",
            "laboratories": [timed(program, n) for n in SIZES], "sass_loads": loads_in_sass(program)}


def registers_in_sass(program):
    """What ptxas allots to a thread of each kernel of a program: registers, and bytes of local memory."""
    told = re.findall(r"Function (\S+):\n\s*REG:(\d+) STACK:(\d+)", output_of("cuobjdump", "--dump-resource-usage", program))
    if not told:
        sys.exit(f"cuobjdump --dump-resource-usage {program}: no kernel in what it says")
    return {kernel_name(output_of("c++filt", mangled).strip()): {"registers": int(count), "local_bytes": int(stack)}
            for mangled, count, stack in told}


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


def tiles(build):
    program = pathlib.Path(build, "chapters/10_scan.tiles.gpu")
    return {"what": "the single pass with tiles of several shapes: medians of the timed runs; GB/s read and written; percent of "
                    "a device-to-device copy in the same run",
            "runs": [timed(program, SWEPT_SIZE)]}


def told_by_ptxas(*options):
    """What ptxas tells of every kernel of chapter 08's `spills` as it compiles. Bytes are those of one thread."""
    chapter = "08_grid_sizing"
    done = subprocess.run(
        [nvcc(), "-std=c++17", "-O2", f"-arch={ARCHITECTURE}", "-cubin", "-Xptxas", "-v", *options, "-I", ROOT / "common", "-I",
         ROOT / "solutions" / chapter, ROOT / "chapters" / chapter / "spills.cu", "-o", os.devnull],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"nvcc: exit status {done.returncode}: {done.stderr.strip()[-400:]}")
    told = re.findall(r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, "
                      r"(\d+) bytes spill loads\n.*Used (\d+) registers", done.stderr)
    if not told:
        sys.exit("nvcc -Xptxas -v named no kernel: " + done.stderr.strip()[-400:])
    kernels = {}
    for mangled, stack, stores, loads, count in reversed(told):  # ptxas begins with the last
        name = re.search(r"(\w+(<[^>]*>)?)\(", output_of("c++filt", mangled).replace("(anonymous namespace)::", "")).group(1)
        kernels[name] = {"registers": int(count), "local_bytes": int(stack), "spill_store_bytes": int(stores),
                         "spill_load_bytes": int(loads)}
    return kernels


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


def memory_of(program, n):
    """What the memory does while sum_one_launch runs."""
    print(f"ncu {program.name} --n {n}", flush=True)
    report = output_of("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics",
                       ",".join(MEMORY_METRICS.values()), "--kernel-name", "sum_one_launch", program, "--n", str(n),
                       "--repeat", "0")
    names, _, row = csv.reader(io.StringIO("\n".join(line for line in report.splitlines() if line.startswith('"'))))
    values = dict(zip(names, row))
    return {ours: float(values[theirs].replace(",", "")) for ours, theirs in MEMORY_METRICS.items()}


def gpus(build):
    program = pathlib.Path(build, MANY_GPUS)
    print(program.name, flush=True)
    settings = [f"{name}={value}" for name, value in (MANY_GPUS_ENVIRONMENT | ROOT_MAY_MPIRUN).items()]
    rows = json.loads(output_of("env", *settings, program))
    if not shutil.which("mpirun"):
        print("no mpirun here: processes are left out (sh common/bootstrap.sh --mpi, then build again)")
        return by_what_is_timed(rows)
    for count in sorted({row["gpus"] for row in rows if "gpus" in row}):
        print(f"mpirun -n {count} {program.name}", flush=True)
        rows += json.loads(output_of("env", *settings, "mpirun", "--bind-to", "none", "-n", str(count), program))
    return by_what_is_timed(rows)


def by_what_is_timed(rows):
    """Chapter 14's rows: sums, all-reduces, what its program makes of them as a model, overlap, and all that by processes."""
    by_gpus, by_processes = ([row for row in rows if of in row] for of in ("gpus", "processes"))
    of = {what: [row for row in by_gpus if key in row]
          for what, key in (("sums", "floats"), ("all_reduces", "bytes"), ("models", "model"), ("overlaps", "row_bytes"))}
    of |= {f"process_{what}": [row for row in by_processes if key in row]
           for what, key in (("sums", "floats"), ("all_reduces", "bytes"))}
    if {"end": True} not in rows or not of["models"] or not any(row["how"] == "nccl" for row in of["all_reduces"]):
        sys.exit(f"{MANY_GPUS}: it takes two GPUs and a build with NCCL (the summary of `meson setup` says whether)")
    wrong = [row for rows in of.values() for row in rows if not row.get("right", True)]
    if wrong:
        sys.exit(f"{MANY_GPUS}: not right: {wrong[0]}")
    return {"what": "microseconds by the host's clock: medians of five series of calls one after another, in which all GPUs are "
                    "busy from the first to the last; gb_s: useful bytes; bus_gb_s: bytes of an array times 2 (N - 1) / N",
            "environment": MANY_GPUS_ENVIRONMENT, **of}


def rows(build):
    """Ours and PyTorch's in one run; what ncu counts of fewer elements."""
    build, repeats = pathlib.Path(build), ("--repeat", str(ROWS_REPEATS))
    program = build / f"solutions/{ROWS}.gpu"
    steps = timed(program, ROWS_SIZE, *repeats)
    shapes, parts = (timed(build / f"chapters/{ROWS}.{name}.gpu", ROWS_SIZE, *repeats) for name in ("shapes", "parts"))
    print("pytorch_rows.py", flush=True)
    pytorch = json.loads(output_of(sys.executable, pathlib.Path(__file__).with_name("pytorch_rows.py"), str(ROWS_SIZE),
                                   str(ROWS_REPEATS)).splitlines()[-1])
    print(f"ncu {program.name} --n {ROWS_COUNTED}", flush=True)
    kernels = {f"{ROWS} {kernel}": launch
               for kernel, launch in launches_under_ncu(program, "--n", str(ROWS_COUNTED), "--repeat", "0")}
    return {"what": f"medians of {ROWS_REPEATS} timed runs; GB/s of useful bytes, each element read and written once. counted: "
                    "counters of ncu, summed over one launch",
            "elements": ROWS_SIZE, "runs": [steps], "shapes": shapes, "parts": parts,
            "pytorch": pytorch, "counted": {"n": ROWS_COUNTED, "kernels": kernels}}


def registers(_build):
    kernels = told_by_ptxas()
    for elements in SMALLER_ARRAYS:
        kernels[f"sum_few<false>, {elements} elements"] = told_by_ptxas(f"-DFEW={elements}")["sum_few<false>"]
    return {"what": "a thread's registers and bytes of local memory, of which spilled; from nvcc -Xptxas -v", "kernels": kernels}


def without_zeros(cases):
    return {name: {**case, "counters": {c: v for c, v in case["counters"].items() if v}} for name, case in cases.items()}


MEASURE = {"timings": timings, "products": products, "counters": counters, "sweep": sweep, "unrolled": unrolled, "limit": limit,
           "tiles": tiles, "changes": changes, "conflicts": conflicts, "rows": rows, "gpus": gpus, "registers": registers}


def main(what, build, file):
    where = {"architecture": ARCHITECTURE, **toolchain()} if what == "registers" else provenance()
    document = {"where": where, **MEASURE[what](build)}
    target = pathlib.Path(file)
    # A launch is one line.
    text = re.sub(r"\{[^{}]*(\{[^{}]*\}[^{}]*)?\}", lambda inner: " ".join(inner.group().split()),
                  json.dumps(document, indent=1))
    whole_file.write(target, text + "\n")
    print(f"wrote {target}")


if __name__ == "__main__":
    command_line.run(main, __doc__, f"{'|'.join(MEASURE)} BUILD_DIR FILE.json",
                     lambda arguments: len(arguments) == 3 and arguments[0] in MEASURE)
# SPDX-License-Identifier: MIT
