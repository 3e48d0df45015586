// expect: median   5  local memory 0 loads 0 stores
// expect: sorted   0 1 2 3 4 5 6 7  local memory 0 loads 0 stores
// expect: runtime  17  local memory 0 loads 0 stores
// A loop in a loop, both unrolled, the inner one's length known only then: an array that they index is in registers, as
// nvcc has it, not in local memory.
#include <cstdio>

#include <gpusim/report.h>

#define UNROLL _Pragma("unroll")

__device__ int out[8], in[9] = {9, 3, 7, 1, 5, 8, 2, 6, 4};

__global__ void median() {
  int v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) v[k] = in[k];
#pragma unroll
  for (int k = 0; k < 5; ++k)
#pragma unroll
    for (int j = k + 1; j < 9; ++j) {
      const int low = min(v[k], v[j]), high = max(v[k], v[j]);
      v[k] = low, v[j] = high;
    }
  out[0] = v[4];
}

__global__ void bitonic_sort() {
  int v[8];
  UNROLL for (int k = 0; k < 8; ++k) v[k] = (5 * k + 3) % 8;
  UNROLL for (int size = 2; size <= 8; size *= 2)
      UNROLL for (int stride = size / 2; stride > 0; stride /= 2)
          UNROLL for (int k = 0; k < 8; ++k) if ((k & stride) == 0) {
    const bool up = (k & size) == 0;
    if ((v[k] > v[k | stride]) == up) {
      const int t = v[k];
      v[k] = v[k | stride], v[k | stride] = t;
    }
  }
  UNROLL for (int k = 0; k < 8; ++k) out[k] = v[k];
}

// The length of the inner loop is known to nobody: it is a loop, whatever is asked.
__global__ void runtime(int n) {
  int v[2] = {0, 0};
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int j = k; j < n; ++j) v[k] += j;
  out[0] = v[0] + v[1] - 3;
}

void show(const char* what, int count) {
  int got[8];
  cudaMemcpyFromSymbol(got, out, sizeof got);
  std::printf("%-8s", what);
  for (int k = 0; k < count; ++k) std::printf(" %d", got[k]);
  const auto& local = gpusim::last_report().total.local;
  std::printf("  local memory %d loads %d stores\n", int(local.load.requests), int(local.store.requests));
}

int main() {
  gpusim::enable_reports();
  median<<<1, 1>>>();
  show("median", 1);
  bitonic_sort<<<1, 1>>>();
  show("sorted", 8);
  runtime<<<1, 1>>>(5);
  show("runtime", 1);
}
// SPDX-License-Identifier: MIT
