// expect: block_waits    8 barriers  0 __syncwarp  0 shuffles
// expect: warps_wait     0 barriers  8 __syncwarp  0 shuffles
// expect: lanes_swap     0 barriers  0 __syncwarp  8 shuffles
// Three instructions that wait for others, in a block of 256 threads: each is counted once a warp.
#include <cstdio>

#include <gpusim/report.h>

__device__ int out[256];

// ANCHOR: kernels
__global__ void block_waits() { __syncthreads(); }  // for all warps of the block
__global__ void warps_wait() { __syncwarp(); }      // for the lanes of one warp
__global__ void lanes_swap() { out[threadIdx.x] = __shfl_xor_sync(0xffffffff, int(threadIdx.x), 1); }
// ANCHOR_END: kernels

void show(const char* kernel) {
  const gpusim::Counters& total = gpusim::last_report().total;
  std::printf("%-14s %d barriers  %d __syncwarp  %d shuffles\n", kernel, int(total.barriers),
              int(total.warp_syncs), int(total.shuffles));
}

int main() {
  gpusim::enable_reports();
  block_waits<<<1, 256>>>();
  show("block_waits");
  warps_wait<<<1, 256>>>();
  show("warps_wait");
  lanes_swap<<<1, 256>>>();
  show("lanes_swap");
}
// SPDX-License-Identifier: MIT
