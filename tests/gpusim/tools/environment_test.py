#!/usr/bin/env python3
"""The GPUSIM_… variables of any program: what they do, and that a value which is not understood is one line and exit
status 1.

usage: environment_test.py SIMCC values|patience
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

PROGRAM = r"""
#include <cstdio>
__global__ void say() { printf("block %d\n", blockIdx.x); }
__global__ void count(unsigned* counter, unsigned step) {
  for (unsigned k = 0; k < 10; k += step) atomicAdd(counter, 1);
}
int main(int argc, char**) {
  unsigned* counter;
  cudaMalloc(&counter, sizeof(unsigned));
  cudaMemset(counter, 0, sizeof(unsigned));
  if (argc > 2) {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    int blocks = 0, multiprocessors = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, say, 256, 40000);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    printf("%s, %d.%d, %d, %d, %zu, %d\n", p.name, p.major, p.minor,
           multiprocessors, p.l2CacheSize, p.sharedMemPerBlockOptin, blocks);
    return 0;
  }
  if (argc > 1) count<<<7, 32>>>(counter, 0);
  else say<<<3, 1>>>();
  return cudaDeviceSynchronize() != cudaSuccess;
}
"""
REFUSED = {
    "GPUSIM_BUDGET": ["-5", "", "abc", "0", "7x", " 7", "99999999999999999999999"],
    "GPUSIM_DEVICES": ["", "0", "17", "all"],
    "GPUSIM_MACHINE": ["h900", "/", "/dev/zero", "/dev/null"],
    "GPUSIM_PATIENCE": ["0", "-1", "1.5"],
    "GPUSIM_THREADS": ["", "0", "-2", "257", "two"],
    "GPUSIM_BLOCK_ORDER": ["", "backwards", "last_to_first,shuffled"],
    "GPUSIM_EXPLORE": ["", "s", "0s", "all", "-1", "5x"],
    "GPUSIM_SCHEDULE": ["", "random", "1/b0", "1/b0w0,"],
    "GPUSIM_CHECK": ["races", "memory,all"],
    "GPUSIM_FRESH_MEMORY": ["", "NaN", "0"],
    "GPUSIM_PREDICT": ["off", "2"],
    "GPUSIM_REPORT": ["yes", "report.txt", "/", "/nowhere/report.json"],
    "GPUSIM_REPLAY": ["off", "2"],
}
ODD = ["a\nb", "\x1b[31mred", "x" * 3000]  # told on one line, too
# As which GPU it answers: name, compute capability, multiprocessors, L2 cache, a block's shared memory, blocks of 40 KB.
MACHINES = {
    "": "Simulated GPU, 8.0, 108, 41943040, 166912, 4\n",
    "h200": "Simulated NVIDIA H200, 9.0, 132, 62914560, 232448, 5\n",
    "h100": "Simulated NVIDIA H100 80GB HBM3, 9.0, 132, 52428800, 232448, 5\n",
    "a100": "Simulated NVIDIA A100-SXM4-80GB, 8.0, 108, 41943040, 166912, 4\n",
    "l4": "Simulated NVIDIA L4, 8.9, 58, 50331648, 101376, 2\n",
    "rtx4090": "Simulated NVIDIA GeForce RTX 4090, 8.9, 128, 75497472, 101376, 2\n",
    "rtx5090": "Simulated NVIDIA GeForce RTX 5090, 12.0, 170, 100663296, 101376, 2\n",
    "b200": "Simulated NVIDIA B200, 10.0, 148, 132644864, 232448, 5\n",
}
OUTPUTS = {
    "": "block 0\nblock 1\nblock 2\n",
    "first_to_last": "block 0\nblock 1\nblock 2\n",
    "last_to_first": "block 2\nblock 1\nblock 0\n",
    "shuffled": "block 1\nblock 2\nblock 0\n",
}
H200 = pathlib.Path(__file__).resolve().parents[3] / "common/gpusim/timing/machines/h200.json"


def run(program, *arguments, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    return subprocess.run([program, *arguments], capture_output=True, text=True, env={**clean, **variables}, check=False)


def values(program):
    for name, wrong in REFUSED.items():
        for value in wrong:
            done = run(program, **{name: value})
            lines = done.stderr.splitlines()
            if done.returncode != 1 or len(lines) != 1 or not lines[0].startswith(f"gpusim: {name}={value} "):
                sys.exit(f"{name}={value!r}: exit status {done.returncode}, {done.stderr!r}")
        for value in ODD:
            done = run(program, **{name: value})
            lines = done.stderr.splitlines()
            if done.returncode != 1 or len(lines) != 1 or len(lines[0]) > 300 or "\x1b" in lines[0]:
                sys.exit(f"{name}={value[:20]!r}: exit status {done.returncode}, {done.stderr!r}")
    for order, expected in OUTPUTS.items():
        done = run(program, **({"GPUSIM_BLOCK_ORDER": order} if order else {}))
        if done.returncode != 0 or done.stdout != expected:
            sys.exit(f"GPUSIM_BLOCK_ORDER={order}: exit status {done.returncode}, {done.stdout!r}, expected {expected!r}")
    for machine, expected in MACHINES.items():
        done = run(program, "what", "it", "is", GPUSIM_MACHINE=machine)
        if done.returncode != 0 or done.stdout != expected:
            sys.exit(f"GPUSIM_MACHINE={machine}: exit status {done.returncode}, {done.stdout!r}, expected {expected!r}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "mine.json")
        file.write_text(H200.read_text(encoding="utf-8").replace('"l2_latency"', '"l2_latnecy"'), encoding="utf-8")
        done = run(program, GPUSIM_MACHINE=str(file))
        expected = (f"gpusim: GPUSIM_MACHINE={file} lacks 'l2_latency' (cycles: a load that the L2 cache answers); "
                    "it has 'l2_latnecy', ")
        if done.returncode != 1 or not done.stderr.startswith(expected):
            sys.exit(f"a machine without l2_latency: exit status {done.returncode}, {done.stderr!r}")
    done = run(program, "endless", GPUSIM_BUDGET="100000")
    if done.returncode != 1 or "stopped after 100000 warp instructions: does this loop end?" not in done.stderr:
        sys.exit(f"GPUSIM_BUDGET=100000: exit status {done.returncode}, {done.stderr!r}")


def patience(program):
    """A kernel that does not end says so after some seconds, and where it is."""
    started = time.monotonic()
    with subprocess.Popen([program, "endless"], stderr=subprocess.PIPE, text=True) as running:
        line = running.stderr.readline()
        running.kill()
    print(f"after {time.monotonic() - started:.1f} s: {line}", end="")
    # 5 s, or a little later where other work delays it.
    if not re.match(r"gpusim: count is still running after [5-9] s: 0 of 7 blocks have ended, now at \S*program\.cu:5:", line):
        sys.exit(f"not what was expected: {line!r}")


def main():
    simcc, case = command_line.arguments("SIMCC values|patience")
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "program.cu"), os.path.join(folder, "program")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([simcc, source, "-o", program], check=True)
        {"values": values, "patience": patience}[case](program)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
