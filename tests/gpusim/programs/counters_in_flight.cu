// expect: one_by_one        1024 waits for global loads, 1.0 in flight
// expect: four_at_once       256 waits for global loads, 4.0 in flight
// expect: four_in_one        256 waits for global loads, 1.0 in flight
// Each thread adds 128 floats, in a block of 256 threads: 8 warps, each of which loads 128 times 32 floats.
#include <cstdio>

#include <gpusim/report.h>

__device__ __align__(16) float in[128 * 256], out[256];

// ANCHOR: kernels
__global__ void one_by_one() {
  float sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < 128 * 256; i += 256) sum += in[i];  // needs each at once
  out[threadIdx.x] = sum;
}

__global__ void four_at_once() {
  float sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < 128 * 256; i += 4 * 256) {
    const float a = in[i], b = in[i + 256], c = in[i + 512], d = in[i + 768];
    sum += a + b + c + d;  // here a warp waits for the four together
  }
  out[threadIdx.x] = sum;
}

__global__ void four_in_one() {
  const float4* fours = reinterpret_cast<const float4*>(in);
  float sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < 32 * 256; i += 256) {
    const float4 v = fours[i];  // a load of 16 bytes is one load
    sum += v.x + v.y + v.z + v.w;
  }
  out[threadIdx.x] = sum;
}
// ANCHOR_END: kernels

void show(const char* kernel) {
  const gpusim::GlobalCounters& global = gpusim::last_report().total.global;
  std::printf("%-14s %7d waits for global loads, %.1f in flight\n", kernel, int(global.load_waits),
              global.loads_in_flight());
}

int main() {
  gpusim::enable_reports();
  one_by_one<<<1, 256>>>();
  show("one_by_one");
  four_at_once<<<1, 256>>>();
  show("four_at_once");
  four_in_one<<<1, 256>>>();
  show("four_in_one");
}
// SPDX-License-Identifier: MIT
