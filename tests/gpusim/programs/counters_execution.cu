// expect: all_agree      1 branches  0 divergent  32.0 lanes at the stores
// expect: they_disagree  1 branches  1 divergent  16.0 lanes at the stores
// expect: by_warps       2 branches  0 divergent  32.0 lanes at the stores
// A branch on which the lanes of a warp agree, and one on which they do not.
#include <cstdio>

#include <gpusim/report.h>

__device__ float even[64], odd[64];

// ANCHOR: kernels
__global__ void all_agree(int n) {  // n is the same number for every lane
  if (n % 2 == 0) even[threadIdx.x] = 1;
  else odd[threadIdx.x] += 2;
}
__global__ void they_disagree() {  // lanes 0, 2, 4 … one way, lanes 1, 3, 5 … the other
  if (threadIdx.x % 2 == 0) even[threadIdx.x] = 1;
  else odd[threadIdx.x] += 2;
}
__global__ void by_warps() {  // 64 threads: threads disagree, but no two of one warp
  if (threadIdx.x / 32 % 2 == 0) even[threadIdx.x] = 1;
  else odd[threadIdx.x] += 2;
}
// ANCHOR_END: kernels

void show(const char* kernel) {
  const gpusim::Counters& total = gpusim::last_report().total;
  const double lanes = double(total.global.store.bytes) / sizeof(float) / double(total.global.store.requests);
  std::printf("%-14s %d branches  %d divergent  %4.1f lanes at the stores\n", kernel, int(total.branches),
              int(total.divergent_branches), lanes);
}

int main() {
  gpusim::enable_reports();
  all_agree<<<1, 32>>>(2);
  show("all_agree");
  they_disagree<<<1, 32>>>();
  show("they_disagree");
  by_warps<<<1, 64>>>();
  show("by_warps");
}
// SPDX-License-Identifier: MIT
