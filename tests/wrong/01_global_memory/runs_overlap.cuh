// rejected: wrong result
// The stride between runs is off by one: each run begins with the last element of the one before, which is summed
// twice, and the end of the input is not summed at all. One run alone is right.
#pragma once

#define sum_runs solved_sum_runs  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_runs

__global__ void sum_runs(const float* in, float* run_sums, int n) {
  const int run = blockIdx.x * kBlock + threadIdx.x;
  const int begin = run * (kRun - 1);
  if (run > (n - 1) / kRun) return;
  float sum = 0.0f;
  for (int i = begin; i < begin + kRun && i < n; ++i) sum += in[i];
  run_sums[run] = sum;
}
