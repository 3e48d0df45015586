#!/usr/bin/env python3
"""What a program is told when nobody sets GPUSIM_CHECK: the first finding, in full and once, and nothing where it is right.

usage: default_checks_test.py SIMCC
"""
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

HINT = "GPUSIM_CHECK=all checks everything"

# Each case of it is a run with an argument. Sizes are such that `long` is cut in the middle of a launch.
PROGRAM = r"""
#include <cstdio>
#include <cstdlib>
#include <vector>

// Every block writes its part; `racy`: all threads of a block write one element.
__global__ void fill(int* out, int n, int turns, bool racy) {
  int x = threadIdx.x;
  for (int k = 0; k < turns; ++k) x = x * 1664525 + 1013904223;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[racy ? blockIdx.x : i] = x + i;
}
// Reads all of it: blocks, too, that ran when nobody looked any more.
__global__ void add(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  atomicAdd(out, sum);
}
__global__ void read_early(int* out, int n) {
  __shared__ int tile[128];
  tile[threadIdx.x] = threadIdx.x;
  int x = tile[127 - threadIdx.x];
  __syncthreads();
  int y = tile[(threadIdx.x + n) % 128];  // a second place, to be told by GPUSIM_CHECK=all
  tile[threadIdx.x] = y;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}
int main(int argc, char** argv) {
  const int what = std::atoi(argv[1]), n = 1 << 16;
  int *a, *sum, host = 0;
  cudaMalloc(&a, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  if (what == 0) fill<<<512, 128>>>(a, n, 4, false);     // right, and short
  if (what == 1) fill<<<512, 128>>>(a, n, 2000, false);  // right, and long
  if (what == 2) read_early<<<512, 128>>>(a, 1);         // a race at every block
  if (what == 3)                                         // a race in a launch that comes late
    for (int k = 0; k < 300; ++k) fill<<<512, 128>>>(a, n, 40, k == 299);
  if (what == 4) fill<<<500, 128>>>(a, n / 2, 4, false);  // half of what is read was written
  if (what != 3) add<<<what == 1 ? 256 : 64, 128>>>(a, sum, n);
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d\n", host);
  return what == 2 ? 7 : 0;
}
"""


def run(program, what, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    return subprocess.run([program, str(what)], capture_output=True, text=True, env={**clean, **variables}, check=False)


def expect(condition, what, ran):
    if not condition:
        sys.exit(f"{what}: exit status {ran.returncode}, standard output {ran.stdout!r}, standard error:\n{ran.stderr}")


def check(program):
    for what in [0, 1, 3]:
        ran = run(program, what)
        expect(ran.returncode == 0 and ran.stderr == "", f"a right program, or one whose mistake is out of reach, {what}", ran)
        expect(ran.stdout == run(program, what, GPUSIM_CHECK="none").stdout, f"prints something else, {what}", ran)
    expect("never written" not in run(program, 1, GPUSIM_CHECK="memory").stderr, "the program is right", run(program, 1))

    told = run(program, 2)
    expect(told.returncode == 7, "the exit status is the program's own", told)
    expect(told.stderr.count(": race: ") == 1 and told.stderr.count(HINT) == 1, "one race, one hint", told)
    expect("program.cu:22" in told.stderr and "tile[127 - threadIdx.x]" in told.stderr, "the race's line", told)
    for threads in ["1", "3"]:
        again = run(program, 2, GPUSIM_THREADS=threads)
        expect(again.stderr == told.stderr and again.returncode == 7, f"{threads} threads: the same", again)
    everything = run(program, 2, GPUSIM_CHECK="all")
    expect(everything.returncode == 1 and everything.stderr.count(": race: ") > 1 and HINT not in everything.stderr,
           "GPUSIM_CHECK=all tells all", everything)
    silent = run(program, 2, GPUSIM_CHECK="none")
    expect(silent.returncode == 7 and silent.stderr == "", "GPUSIM_CHECK=none tells nothing", silent)

    unwritten = run(program, 4)
    expect(unwritten.returncode == 0 and unwritten.stderr.count(": never written: ") == 1, "memory never written", unwritten)


def main():
    (simcc,) = command_line.arguments("SIMCC")
    with tempfile.TemporaryDirectory() as folder:
        source, program = os.path.join(folder, "program.cu"), os.path.join(folder, "program")
        with open(source, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([simcc, source, "-o", program], check=True)
        check(program)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
