// expect: neighbours     1 wavefronts   0 conflicts
// expect: one_address    1 wavefronts   0 conflicts
// expect: every_second   2 wavefronts   1 conflicts
// expect: every_33rd     1 wavefronts   0 conflicts
// expect: one_bank      32 wavefronts  31 conflicts
// What a load of shared memory by one warp costs, after where its lanes reach.
#include <cstdio>

#include <gpusim/report.h>

__device__ float out[32];

// ANCHOR: load_shared
// Stands for any kernel that has a tile: lane t reads tile[kStride * t].
template <int kStride> __global__ void load_shared() {
  __shared__ float tile[1024];
  for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = i;  // no two lanes on one bank
  __syncthreads();  // the tile is complete before any lane reads another's element
  out[threadIdx.x] = tile[kStride * threadIdx.x];
}
// ANCHOR_END: load_shared

template <int kStride> void show(const char* name) {
  load_shared<kStride><<<1, 32>>>();
  const gpusim::BankTraffic& load = gpusim::last_report().total.shared.load;
  std::printf("%-13s %2d wavefronts  %2d conflicts\n", name, int(load.wavefronts),
              int(load.bank_conflicts()));
}

int main() {
  gpusim::enable_reports();
  // ANCHOR: strides
  show<1>("neighbours");     // lane t asks bank t
  show<0>("one_address");    // all ask one element of bank 0: a broadcast
  show<2>("every_second");   // lanes 0 and 16 ask bank 0 for different elements
  show<33>("every_33rd");    // lane t asks bank 33 * t % 32, which is t
  show<32>("one_bank");      // all ask bank 0, each for an element of its own
  // ANCHOR_END: strides
}
// SPDX-License-Identifier: MIT
