#!/usr/bin/env python3
"""Kernels made at random do the same however the simulated GPU runs them.

usage: kernels_fuzz.py SIMCC CASE_SEED CASE_KERNELS

Each kernel has branches in branches, loops that are uniform and some that are not, loads and stores of several widths and
patterns, shared memory, barriers, shuffles, votes and atomics, and runs with blocks of several shapes. Half of the kernels are
wild: their threads race, and some access what does not exist. The other half is orderly: no thread touches what another one
writes, unless a barrier lies between.

- All give the same memory, counters, findings and messages on 1, 2 and 7 host threads.
- Orderly ones give the same in every order of blocks, write the same in every schedule, and have no finding.

The program of a seed that differs is kept in the folder for temporary files, and named. It compiles with -I tests/gpusim/fuzz.
"""
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line
import runs

HEAD = r"""
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "gpusim/report.h"
#include "print_result.h"
constexpr int kCount = 1 << 14;
"""
TAIL = r"""
int main(int, char** argv) {
  gpusim::enable_reports();
  const dim3 blocks[] = {96, dim3(32, 4), dim3(16, 8), 72, dim3(5, 13), 256};
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, kCount * sizeof(float));
  cudaMalloc(&out, kCount * sizeof(float));
  std::vector<float> host(kCount);
  for (int i = 0; i < kCount; ++i) host[i] = float(i * 7919 % 1009) / 64.0f - 4.0f;
  const int which = std::atoi(argv[1]);
  for (const dim3 block : blocks) {
    cudaMemcpy(in, host.data(), kCount * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, kCount * sizeof(float));
    kernels[which]<<<11, block>>>(in, out, 5);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    std::vector<float> got(kCount);
    cudaMemcpy(got.data(), out, kCount * sizeof(float), cudaMemcpyDeviceToHost);
    print_result(got);
  }
  cudaFree(in);
  cudaFree(out);
}
"""
INTEGERS, FLOATS = ["i", "j", "x"], ["a", "b", "c"]
MINE = "(blockIdx.x * 256 + t) & (kCount - 1)"  # a thread's element of the output


def is_orderly(kernel):
    return kernel % 2 == 1


class Kernel:
    """A wild one."""

    def __init__(self, rng):
        self.rng, self.loops = rng, 0

    def integer(self, depth=2):
        pick = self.rng.random()
        if depth == 0 or pick < 0.4:
            return self.rng.choice(INTEGERS + ["t", "blockIdx.x", "n", str(self.rng.randrange(1, 40))])
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        form = self.rng.choice(["({} + {})", "({} - {})", "({} * {})", "({} & {})", "({} ^ {})", "({} >> ({} & 7))",
                                "({} << ({} & 3))", "({} % ({} % 13 + 14))", "min({}, {})"])
        return form.format(f"int({one})", f"int({other})")

    def number(self, depth=2):
        pick = self.rng.random()
        if depth == 0 or pick < 0.4:
            return self.rng.choice([*FLOATS, "0.5f", "1.25f", "float(int(x) & 255)"])
        one, other = self.number(depth - 1), self.number(depth - 1)
        form = self.rng.choice(["({} + {})", "({} - {})", "({} * {})", "fminf({}, {})", "fmaf({}, 0.25f, {})"])
        return form.format(one, other)

    def place(self, count):
        """An index below count, a power of two: neighbours, all the same, apart, or anywhere."""
        form = self.rng.choice(["t + {}", "blockIdx.x * blockDim.x + t + {}", "t * 2 + {}", "{}", "n + {} * 0", "-t - {}",
                                "threadIdx.x + {}", "threadIdx.y * 16 + threadIdx.x", "t / 32 + {}", "(t & 31) + {}"])
        return "(" + form.format(self.rng.choice([str(self.rng.randrange(64)), self.integer(1)])) + f") & {count - 1}"

    def condition(self):
        return self.rng.choice(["t % {k} == 0", "t < {k}", "t >= {k}", "(x & {k}) != 0", "a < b", "i > j", "blockIdx.x % 3 == 1",
                                "t == {k}", "n > {k}", "t % 32 >= {k}"]).format(k=self.rng.choice([1, 2, 3, 5, 16, 31, 40]))

    def simple(self):
        value, kind = self.number(), self.rng.random()
        if kind < 0.3:
            return f"{self.rng.choice(INTEGERS)} = {self.integer()};"
        if kind < 0.55:
            return f"{self.rng.choice(FLOATS)} = {value};"
        return self.access(value, kind)

    def access(self, value, kind):
        """A load or a store. `kind`: 0.55 to 1."""
        if kind < 0.65:
            return f"{self.rng.choice(FLOATS)} += in[{self.place(16384)}];"
        if kind < 0.71:
            return f"{self.rng.choice(FLOATS)} += tile[{self.place(256)}];"
        if kind < 0.73:
            return f"c += reinterpret_cast<short*>(tile)[{self.place(512)}];"
        if kind < 0.75:
            return f"{{ const float2 v = reinterpret_cast<float2*>(tile)[{self.place(128)}]; b -= v.x * v.y; }}"
        if kind < 0.8:
            return f"c += reinterpret_cast<const signed char*>(in)[{self.place(16384)}];"
        if kind < 0.84:
            return (f"{{ const float4 v = reinterpret_cast<const float4*>(in)[{self.place(4096)}]; "
                    "a = v.x + v.w; c -= v.y * v.z; }")
        if kind < 0.88:
            return f"a += (x & 64 ? in : tile)[{self.place(256)}];"
        if kind < 0.92:
            return f"out[{self.place(16384)}] = {value};"
        if kind < 0.93:
            return f"reinterpret_cast<signed char*>(tile)[{self.place(1024)}] = int({value}) & 63;"
        if kind < 0.94:
            return f"reinterpret_cast<float4*>(tile)[{self.place(64)}] = make_float4(a, {value}, c, b);"
        if kind < 0.965:
            return f"tile[{self.place(256)}] = {value};"
        if kind < 0.97:  # beyond the end, of some lanes or of none
            return self.rng.choice([f"a += in[({self.integer()}) & 32767];", f"tile[({self.integer()}) & 511] = {value};"])
        return f"atomicAdd(&count, {self.rng.randrange(1, 5)});"

    def together(self):
        return self.rng.choice([
            "__syncthreads();", "__syncthreads();",
            f"a += __shfl_down_sync(~0u, b, {self.rng.randrange(32)});",
            f"b += __shfl_xor_sync(~0u, c, {self.rng.randrange(32)});",
            f"c += __shfl_up_sync(~0u, a, {self.rng.randrange(32)}, {self.rng.choice([8, 16, 32])});",
            "b -= __shfl_sync(~0u, a, n);", "x += __ballot_sync(~0u, a < c);", "i += __any_sync(~0u, x & 1);", "__syncwarp();",
            "c += float(__popc(__match_any_sync(~0u, int(x) & 3)));"])

    def block(self, depth, count, is_uniform):
        lines = []
        for _ in range(count):
            kind = self.rng.random()
            if depth and kind < 0.25:
                lines.append(f"if ({self.condition()}) {{ {self.block(depth - 1, self.rng.randrange(1, 4), False)} }}")
                if self.rng.random() < 0.4:
                    lines.append(f"else {{ {self.block(depth - 1, self.rng.randrange(1, 4), False)} }}")
            elif depth and kind < 0.35:
                self.loops += 1
                k, limit = f"k{self.loops}", self.rng.choice(["n", "3", "int(t & 3)", "int(blockIdx.x & 3) + 1"])
                uniform = is_uniform and "t" not in limit
                lines.append(f"for (int {k} = 0; {k} < {limit}; ++{k}) "
                             f"{{ x += {k}; {self.block(depth - 1, self.rng.randrange(1, 4), uniform)} }}")
            elif is_uniform and kind < 0.5:
                lines.append(self.together())
            else:
                lines.append(self.simple())
        return "\n  ".join(lines)

    def before_the_end(self):
        return ""

    def text(self, number):
        lines = self.block(3, 9, True)
        leaves = f"if ({self.condition()}) return;" if self.rng.random() < 0.5 else ""
        whole = "" if "_sync(~0u" not in lines else "if (blockDim.x * blockDim.y % 32) return;\n  "
        return f"""__global__ void kernel_{number}(const float* in, float* out, int n) {{
  __shared__ alignas(16) float tile[256];
  __shared__ int count;
  {whole}const int t = threadIdx.y * blockDim.x + threadIdx.x;
  int i = t * 3, j = blockIdx.x;
  unsigned x = t * 2654435761u;
  float a = t, b = 0.5f, c = in[t];
  for (int k = t; k < 256; k += blockDim.x * blockDim.y) tile[k] = k;
  if (t == 0) count = 0;
  __syncthreads();
  {lines}
  {self.before_the_end()}{leaves}
  out[{MINE}] = a + b * 0.5f - c + float(i & 255) + float(j & 15) + float(x >> 20) + float(count);
}}
"""


class OrderlyKernel(Kernel):
    """Each thread has an element of the tile and one of the output. Others read a thread's element of the tile between two
    barriers only, and the counter of the block once all threads have added to it."""

    def access(self, value, kind):
        if kind < 0.63:
            return f"{self.rng.choice(FLOATS)} += in[{self.place(16384)}];"
        if kind < 0.68:
            return f"c += reinterpret_cast<const signed char*>(in)[{self.place(16384)}];"
        if kind < 0.73:
            return (f"{{ const float4 v = reinterpret_cast<const float4*>(in)[{self.place(4096)}]; "
                    "a = v.x + v.w; c -= v.y * v.z; }")
        if kind < 0.78:
            return f"{self.rng.choice(FLOATS)} += tile[t];"
        if kind < 0.82:
            return "a += (x & 64 ? in : tile)[t];"
        if kind < 0.84:
            return "c += reinterpret_cast<short*>(tile)[2 * t + 1];"
        if kind < 0.88:
            return f"out[{MINE}] = {value};"
        if kind < 0.9:
            return f"reinterpret_cast<signed char*>(tile)[4 * t + {self.rng.randrange(4)}] = int({value}) & 63;"
        if kind < 0.96:
            return f"tile[t] = {value};"
        return f"atomicAdd(&count, {self.rng.randrange(1, 5)});"

    def together(self):
        if self.rng.random() < 0.6:
            return super().together()
        read = self.rng.choice([f"a += tile[{self.place(256)}];", f"b -= reinterpret_cast<float2*>(tile)[{self.place(128)}].y;",
                                f"{{ const float4 v = reinterpret_cast<float4*>(tile)[{self.place(64)}]; c += v.x - v.z; }}"])
        return f"__syncthreads(); {read} __syncthreads();"

    def before_the_end(self):
        return "__syncthreads();\n  "


def program(seed, count):
    rng = random.Random(seed)
    kernels = "".join((OrderlyKernel if is_orderly(k) else Kernel)(rng).text(k) for k in range(count))
    names = ", ".join(f"kernel_{k}" for k in range(count))
    return f"{HEAD}{kernels}void (*const kernels[])(const float*, float*, int) = {{{names}}};{TAIL}"


def differences(binary, kernel, check):
    """(how it ran, what it said, what it should have said)"""
    command, budget = [binary, str(kernel)], 3_000_000
    first = runs.first_run(command, check, budget)
    if is_orderly(kernel) and (not first.startswith("exit status 0\n") or "gpusim: " in first):
        yield "a right kernel is accused", first, ""
    for how, said, expected in runs.other_runs(command, check, budget, 1_000_000_000, first, is_orderly(kernel)):
        if said != expected:
            yield how, said, expected


def main():
    simcc, seed, count = command_line.arguments("SIMCC CASE_SEED CASE_KERNELS")
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "kernels.cu", pathlib.Path(folder) / "kernels"
        source.write_text(program(int(seed), int(count)), encoding="utf-8")
        subprocess.run([simcc, source, "-I", pathlib.Path(__file__).parent, "-o", binary], check=True)
        for kernel, check in itertools.product(range(int(count)), ("none", "all")):
            for how, said, expected in differences(binary, kernel, check):
                differ += 1
                kept = pathlib.Path(tempfile.mkdtemp(prefix="kernels-fuzz-")) / f"seed_{seed}.cu"
                kept.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
                print(f"{kept}: kernel {kernel}, checks {check}, {how}:")
                for line, should_be in itertools.zip_longest(said.splitlines(), expected.splitlines()):
                    if line != should_be:
                        print(f"  {str(line)[:700]}\n  expected: {str(should_be)[:700]}")
                        break
    print(f"seed {seed}: {count} kernels, {differ} runs differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
