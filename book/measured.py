"""The numbers behind the book's sentences: what was timed and counted, by name.

Times and ncu's counters come from data files, the simulated GPU's from the tables in book/generated,
which a test compares with what programs print now.
"""

import functools
import html
import json
import pathlib
import re

BOOK = pathlib.Path(__file__).resolve().parent
LARGEST = 1 << 30
LABORATORIES = "book/data/timings_steps_h200.json"  # measured with the steps at 2^25 and 2^28
CHANGES = "book/data/changes_h100.json"  # experiments whose kernels differ in one thing each


@functools.cache
def data(path):
    return json.loads((BOOK.parent / path).read_text(encoding="utf-8"))


def machine_of(document):
    """The time model's name of the GPU that a document was measured on."""
    return "h100" if "H100" in document["where"]["gpu"] else "h200"


@functools.cache
def predicted(machine):
    """ms by program, kernel and elements: what the time model says (timing_truth_test.py --write)."""
    rows = data("common/gpusim/timing/accuracy.json")["rows"]
    return {(row["program"], row["kernel"], row["n"]): row["predicted"] for row in rows if row["machine"] == machine}


def timing(program, kernel, n=LARGEST):
    found = [
        row["timing"]
        for run in data("book/data/timings_h200.json")["runs"]
        if (run["program"], run["n"]) == (program, n)
        for row in run["rows"]
        if row["kernel"] == kernel
    ]
    if len(found) != 1:
        raise LookupError(f"timings_h200.json: {program}, {kernel}, n = {n:,}: {len(found)} times")
    return found[0]


def as_shipped(program, kernel):
    """Warp instructions for every 256 elements, and active lanes, of a kernel that the reader starts from."""
    text = (BOOK / f"generated/{program}.starter.txt").read_text(encoding="utf-8")
    row = re.search(rf"^{re.escape(kernel)} +ok +([\d,]+) +([\d.]+)", text, re.MULTILINE)
    return float(row[1].replace(",", "")) / 4096, float(row[2])


def speed(program, kernel, n=LARGEST):
    """GB/s of useful bytes."""
    return timing(program, kernel, n)["gigabytes_per_second"]


def of_copy(program, kernel, n=LARGEST):
    """Percent of the copy in the same run."""
    return timing(program, kernel, n)["percent_of_copy"]


def timed_row(path, program, row, *options):
    """Timing of a laboratory's row in the file `path`. Options only where that ran with several."""
    found = [
        each["timing"]
        for run in data(path)["laboratories"]
        if run["program"] == program and (not options or run["options"] == list(options))
        for each in run["rows"]
        if each["kernel"] == row
    ]
    if len(found) != 1:
        raise LookupError(f"{path}: laboratory {' '.join((program, *options))}, {row}: {len(found)} times")
    return found[0]


def laboratory(program, row, document=LABORATORIES):
    """Milliseconds of a laboratory's row."""
    return timed_row(document, program, row)["milliseconds"]


def changed(program, row, *options):
    """Timing of a kernel in an experiment whose kernels differ in one thing each."""
    return timed_row(CHANGES, program, row, *options)


def runs_of(document, experiment):
    """The runs of the program NN_topic.EXPERIMENT in a document."""
    return [run for run in document["laboratories"] if run["program"].split(".")[1] == experiment]


@functools.cache
def of_cublas(kernel, *shape):
    """Percent of cuBLAS's time for a product of rows, columns and depth, one after the other in one run of measure.py."""
    found = {
        row["kernel"]: row["timing"]["teraflops"]
        for run in data("book/data/products_h200.json")["runs"]
        if tuple(run["shape"]) == shape
        for row in run["rows"]
    }
    return 100 * found[kernel] / found["cublasSgemm"]


def ncu(launch, counter="warp_instructions", per_block=False):
    row = data("tests/gpusim/data/ncu_h200.json")["kernels"][launch]
    return row["counters"][counter] / (row["grid"] if per_block else 1)


@functools.cache
def swept(blocks, threads):
    """GB/s in the sweep of chapter 08."""
    return next(
        row["gigabytes_per_second"]
        for row in data("book/data/grid_sweep_h200.json")["rows"]
        if (row["blocks"], row["threads"]) == (blocks, threads)
    )


def unrolled_rows(document, n):
    """Timings of chapter 08's experiment `unrolled`, by row."""
    (run,) = (run for run in document["laboratories"] if run["n"] == n)
    return {row["kernel"]: row["timing"] for row in run["rows"]}


def unrolled(row, n=LARGEST):
    """GB/s of a row of that experiment."""
    return unrolled_rows(data("book/data/unrolled_h100.json"), n)[row]["gigabytes_per_second"]


def sass_loads(kernel):
    """Load instructions that ptxas made of a kernel of that experiment."""
    return data("book/data/unrolled_h100.json")["sass_loads"][kernel]


def ptx(kernel, what, compiler="nvcc"):
    """A count in the PTX of chapter 07's loops."""
    return data("book/data/unroll_ptx.json")["compilers"][compiler]["kernels"][kernel][what]


def registers(kernel, what="registers"):
    return data("book/data/registers_sm90.json")["kernels"][kernel][what]


@functools.cache
def table(stem):
    """{row: {kernel: number}} of a chapter's table of counters, as the page shows it."""
    lines = (BOOK / "generated" / f"{stem}.counters.md").read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    kernels = [
        name.strip("`") if name.startswith("`") else html.unescape(re.sub(r"<.*?>", "", name))
        for name in cells[0][1:]
    ]
    found = {}
    for label, *values in cells[2:]:
        name = re.sub(r"\[(.*?)\]\(.*?\)", r"\1", label).replace("<code>", "").replace("</code>", "")
        found[name] = {
            kernel: float(value.replace(",", "")) for kernel, value in zip(kernels, values, strict=True)
        }
    return found


def counted(stem, kernel, row):
    """What the simulated GPU counted, by the name of the row in the table."""
    return table(stem)[row][kernel]
# SPDX-License-Identifier: MIT
