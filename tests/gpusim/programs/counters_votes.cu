// expect: warps_vote     16 votes
// expect: lanes_match    8 votes
// expect: lanes_add_up   8 votes
// expect: nobody_asks    0 votes
// What lanes of a warp ask each other is one counter. Each instruction is counted once a warp: a block of 256 threads has eight.
#include <cstdio>

#include <gpusim/report.h>

__device__ unsigned out[256];

__global__ void warps_vote() {
  const unsigned odd = __ballot_sync(0xffffffff, threadIdx.x % 2);
  out[threadIdx.x] = odd + __any_sync(0xffffffff, out[threadIdx.x]);
}
__global__ void lanes_match() { out[threadIdx.x] = __match_any_sync(0xffffffff, threadIdx.x / 4); }
__global__ void lanes_add_up() { out[threadIdx.x] = __reduce_add_sync(0xffffffff, threadIdx.x); }
__global__ void nobody_asks() { out[threadIdx.x] = threadIdx.x; }

void show(const char* kernel) {
  std::printf("%-14s %d votes\n", kernel, int(gpusim::last_report().total.votes));
}

int main() {
  gpusim::enable_reports();
  warps_vote<<<1, 256>>>();
  show("warps_vote");
  lanes_match<<<1, 256>>>();
  show("lanes_match");
  lanes_add_up<<<1, 256>>>();
  show("lanes_add_up");
  nobody_asks<<<1, 256>>>();
  show("nobody_asks");
}
// SPDX-License-Identifier: MIT
