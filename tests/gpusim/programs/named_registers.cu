// expect: lanes 3 3 3, thread 35, below 7, %laneid 100%
// expect: clock goes on: 1
// options: -std=c++17
//
// Registers of a GPU in assembler text, with their sign once or twice: nvcc takes both. Other text stays as it is.
#include <cstdio>

__global__ void ask(unsigned* p) {
  if (threadIdx.x != 35) return;
  unsigned once, twice, spread, thread, below, before, after;
  asm("mov.u32 %0, %laneid;" : "=r"(once));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(twice));
  asm volatile(
      "{ .reg .u32 a;  "
      "mov.u32 a, %laneid; "
      "mov.u32 %0, a; }"
      : "=r"(spread));
  asm("mov.u32 %0, %tid.x;" : "=r"(thread));
  asm("mov.u32 %0, %lanemask_lt;" : "=r"(below));
  asm volatile("mov.u32 %0, %clock;" : "=r"(before)::"memory");
  asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
  p[0] = once, p[1] = twice, p[2] = spread, p[3] = thread, p[4] = below, p[5] = after - before < 1u << 31;
}

int main() {
  unsigned* p;
  cudaMallocManaged(&p, 6 * sizeof *p);
  ask<<<1, 64>>>(p);
  cudaDeviceSynchronize();
  std::printf("lanes %u %u %u, thread %u, below %u, %s 100%%\n", p[0], p[1], p[2], p[3], p[4], "%laneid");
  std::printf("clock goes on: %u\n", p[5]);
}
// SPDX-License-Identifier: MIT
