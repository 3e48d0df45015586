"""What ncu counts of the launches of a program."""
import csv
import io
import re

import counter_list
from measuring.toolchain import output_of

# By our counter, the metrics of ncu whose sum has the same definition. Some twice: the hardware's counter, in which other traffic
# leaves a few percent of noise, and (…_sass) what ncu works out from the addresses.
METRICS = counter_list.ncu_metrics()
# Of the memory's cycles those in which it delivers, and ncu's peak.
MEMORY_METRICS = {
    "bytes_read": "dram__bytes_read.sum", "bytes_per_second": "dram__bytes_read.sum.per_second",
    "busy_percent": "dram__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "peak_bytes_per_second": "dram__bytes.sum.peak_sustained_elapsed.per_second"}


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


def memory_of(program, n):
    """What the memory does while sum_one_launch runs."""
    print(f"ncu {program.name} --n {n}", flush=True)
    report = output_of("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics",
                       ",".join(MEMORY_METRICS.values()), "--kernel-name", "sum_one_launch", program, "--n", str(n),
                       "--repeat", "0")
    names, _, row = csv.reader(io.StringIO("\n".join(line for line in report.splitlines() if line.startswith('"'))))
    values = dict(zip(names, row))
    return {ours: float(values[theirs].replace(",", "")) for ours, theirs in MEMORY_METRICS.items()}
# SPDX-License-Identifier: MIT
