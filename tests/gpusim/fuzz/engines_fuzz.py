#!/usr/bin/env python3
"""Kernels made at random do the same by both engines: the same memory, counters, findings and messages.

usage: engines_fuzz.py SIMCC CASE_SEED CASE_KERNELS

Each kernel has branches in branches, loops that are uniform and some that are not, loads and stores of several widths and
patterns, shared memory, barriers, shuffles, votes and atomics, and runs with blocks of several shapes. The program of a seed
that differs is kept in the folder for temporary files, and named.
"""
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "common"))
import command_line

HEAD = r"""
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "gpusim/report.h"
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
    unsigned long long digest = 14695981039346656037ull;  // FNV-1a, of the bits
    for (float value : got) {
      unsigned bits;
      std::memcpy(&bits, &value, sizeof bits);
      digest = (digest ^ bits) * 1099511628211ull;
    }
    std::printf("%016llx\n%s\n", digest, gpusim::to_json(gpusim::last_report()).c_str());
  }
}
"""
INTEGERS, FLOATS = ["i", "j", "x"], ["a", "b", "c"]


class Kernel:
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
  {leaves}
  out[(blockIdx.x * 256 + t) & (kCount - 1)] = a + b * 0.5f - c + float(i & 255) + float(j & 15) + float(x >> 20) + float(count);
}}
"""


def program(seed, count):
    rng = random.Random(seed)
    kernels = "".join(Kernel(rng).text(k) for k in range(count))
    names = ", ".join(f"kernel_{k}" for k in range(count))
    return f"{HEAD}{kernels}void (*const kernels[])(const float*, float*, int) = {{{names}}};{TAIL}"


def run(binary, kernel, **variables):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GPUSIM_")}
    done = subprocess.run([binary, str(kernel)], capture_output=True, text=True, check=False,
                          env={**clean, "GPUSIM_BUDGET": "3000000", **variables})
    return f"exit status {done.returncode}\n{done.stdout}{done.stderr}"


def main():
    simcc, seed, count = command_line.arguments("SIMCC CASE_SEED CASE_KERNELS")
    differ = 0
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "kernels.cu", pathlib.Path(folder) / "kernels"
        source.write_text(program(int(seed), int(count)), encoding="utf-8")
        subprocess.run([simcc, source, "-o", binary], check=True)
        for kernel in range(int(count)):
            for check in ("none", "all"):
                said = {(engine, threads): run(binary, kernel, GPUSIM_CHECK=check, GPUSIM_ENGINE=engine, GPUSIM_THREADS=threads)
                        for engine, threads in (("interpreter", "1"), ("native", "1"), ("native", "2"))}
                for how, text in said.items():
                    if text == said["interpreter", "1"]:
                        continue
                    differ += 1
                    kept = pathlib.Path(tempfile.mkdtemp(prefix="engines-fuzz-")) / f"seed_{seed}.cu"
                    kept.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
                    print(f"{kept}: kernel {kernel}, checks {check}, {how[0]}, {how[1]} threads:")
                    for line, expected in zip(text.splitlines(), said["interpreter", "1"].splitlines()):
                        if line != expected:
                            print(f"  {line[:700]}\n  expected: {expected[:700]}")
                            break
    print(f"seed {seed}: {count} kernels, {differ} runs differ")
    sys.exit(differ != 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
