#!/usr/bin/env python3
"""Measures the tutorial on this machine's GPU and writes the result as data: what the book's tables are made of.

measure.py timings BUILD_DIR FILE.json    every solved step at three sizes, with the copy ceiling of the same run
measure.py counters BUILD_DIR FILE.json   what ncu counts for every kernel of the steps, at n = 2^25

BUILD_DIR holds the programs of a GPU build (solutions/NN_topic.gpu). The file names the GPU, its driver, CUDA, the
commit and the date. It is written only when everything ran and every sum was right.
"""
import csv
import datetime
import io
import json
import os
import pathlib
import re
import subprocess
import sys

SIZES = [1 << 25, 1 << 28, 1 << 30]
COUNTED_SIZE = 1 << 25
# Our counter (gpusim/report.h) and the metric of ncu that has the same definition.
METRICS = {
    "warp_instructions": "smsp__inst_executed.sum",
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def provenance():
    gpu, driver = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader").splitlines()[0].split(", ")
    # A tree without git (a tarball, a copy) names its commit in the environment.
    commit = os.environ.get("COMMIT") or output_of("git", "rev-parse", "--short=12", "HEAD").strip()
    return {"gpu": gpu, "driver": driver, "commit": commit, "date": datetime.date.today().isoformat()}


def programs(build):
    found = sorted(pathlib.Path(build, "solutions").glob("*.gpu"))
    if not found:
        sys.exit(f"{build}/solutions holds no NN_topic.gpu: configure with -Dgpu=enabled and build first")
    return found


def timings(build):
    runs = []
    for program in programs(build):
        for n in SIZES:
            print(f"{program.name} --n {n}", flush=True)
            runs.append(json.loads(output_of(program, "--json", "--n", str(n))))
    return {"what": "medians of the timed runs; GB/s of useful bytes; percent of a device-to-device copy in the same run",
            "runs": runs}


def counters(build):
    """One launch of each kernel under ncu. Clocks are left alone: counters do not depend on them."""
    kernels = {}
    for program in programs(build):
        print(f"ncu {program.name}", flush=True)
        report = output_of("ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
                           "--metrics", ",".join(METRICS.values()), program, "--n", str(COUNTED_SIZE), "--repeat", "1")
        table = [line for line in report.splitlines() if line.startswith('"')]
        names, _, *launches = csv.reader(io.StringIO("\n".join(table)))
        for launch in launches:
            row = dict(zip(names, launch))
            kernel = re.match(r"[\w:<>]+", row["Kernel Name"]).group()
            if kernel in kernels:
                continue  # timed runs repeat the launch
            kernels[kernel] = {
                "program": program.name.removesuffix(".gpu"),
                "grid": int(row["Grid Size"].strip("()").split(",")[0]),
                "block": int(row["Block Size"].strip("()").split(",")[0]),
                "counters": {ours: int(float(row[theirs].replace(",", ""))) for ours, theirs in METRICS.items()},
            }
    return {"what": "counters of ncu, summed over one launch", "n": COUNTED_SIZE, "kernels": kernels}


def main():
    measure = {"timings": timings, "counters": counters}
    if len(sys.argv) != 4 or sys.argv[1] not in measure:
        sys.exit("usage: measure.py timings|counters BUILD_DIR FILE.json")
    what, build, file = sys.argv[1:]
    document = {"where": provenance(), **measure[what](build)}
    target = pathlib.Path(file)
    partial = target.with_suffix(".partial")
    partial.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    partial.replace(target)
    print(f"wrote {target}")


if __name__ == "__main__":
    main()
