// expect: neighbours         1 request   4 sectors
// expect: shifted            1 request   5 sectors
// expect: one_address        1 request   1 sectors
// expect: a_sector_each      1 request  32 sectors
// expect: two_warps          2 request   8 sectors
// expect: atomic_one_address 1 request  32 lanes on one address
// expect: atomic_neighbours  1 request   1 lanes on one address
// What a load of global memory by one warp costs (two_warps: by two), after where its lanes reach.
#include <cstdio>

#include <gpusim/report.h>

// ANCHOR: kernels
__device__ __align__(128) float in[1024], out[1024];

__global__ void neighbours() { out[threadIdx.x] = in[threadIdx.x]; }        // 32 floats, side by side
__global__ void shifted() { out[threadIdx.x] = in[threadIdx.x + 1]; }       // reaches into a fifth sector
__global__ void one_address() { out[threadIdx.x] = in[0]; }                 // fetched once for all
__global__ void a_sector_each() { out[threadIdx.x] = in[8 * threadIdx.x]; }  // 32 bytes apart
__global__ void two_warps() { out[threadIdx.x] = in[threadIdx.x]; }         // launched with 64 threads
__global__ void atomic_one_address() { atomicAdd(&out[0], 1.0f); }
__global__ void atomic_neighbours() { atomicAdd(&out[threadIdx.x], 1.0f); }
// ANCHOR_END: kernels

void show_load(const char* kernel) {
  const gpusim::SectorTraffic& load = gpusim::last_report().total.global.load;
  std::printf("%-18s %d request  %2d sectors\n", kernel, int(load.requests), int(load.sectors));
}

void show_atomic(const char* kernel) {
  const gpusim::GlobalCounters& global = gpusim::last_report().total.global;
  std::printf("%-18s %d request  %2d lanes on one address\n", kernel, int(global.atomics),
              int(global.atomic_serialised));
}

int main() {
  gpusim::enable_reports();
  neighbours<<<1, 32>>>();
  show_load("neighbours");
  shifted<<<1, 32>>>();
  show_load("shifted");
  one_address<<<1, 32>>>();
  show_load("one_address");
  a_sector_each<<<1, 32>>>();
  show_load("a_sector_each");
  two_warps<<<1, 64>>>();
  show_load("two_warps");
  atomic_one_address<<<1, 32>>>();
  show_atomic("atomic_one_address");
  atomic_neighbours<<<1, 32>>>();
  show_atomic("atomic_neighbours");
}
// SPDX-License-Identifier: MIT
