// What the book's figures are drawn from: runs kernels of the chapters, some of them in toy sizes, and prints
// their traces (gpusim/trace.h) as one JSON object, label: launch.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "chapters.cuh"
#include "gpusim/trace.h"
#include "harness/harness.h"

namespace {

// One warp loads floats that lie `step` apart, from `first` on.
__global__ void load_every(const float* in, float* out, int step, int first) {
  out[threadIdx.x] = in[threadIdx.x * step + first];
}

// The same in shared memory, from 0 on.
__global__ void load_every_shared(const float* in, float* out, int step) {
  __shared__ float tile[32 * 33];
  for (int k = 0; k < 33; ++k) tile[32 * k + threadIdx.x] = in[32 * k + threadIdx.x];
  __syncthreads();  // the tile is complete before any lane reads another's element
  out[threadIdx.x] = tile[threadIdx.x * step];
}

// The last warp of chapter 06's old tails with 4 lanes and 8 elements. Wrong: no lane waits for another.
__global__ void old_tail(const float* in, float* sum) {
  __shared__ volatile float tile[8];
  const int t = threadIdx.x;
  tile[t] = in[t];
  tile[t + 4] = in[t + 4];
  __syncthreads();  // the tile is complete before any lane reads another's element
  tile[t] = tile[t] + tile[t + 4];
  tile[t] = tile[t] + tile[t + 2];
  tile[t] = tile[t] + tile[t + 1];
  sum[t] = tile[t];
}

// The grid-stride loop alone, for blocks smaller than a warp.
__global__ void grid_stride(const float* in, float* sums, int n) {
  sums[blockIdx.x * blockDim.x + threadIdx.x] = c09::thread_sum(in, n);
}

const dim3 kTileBlock(c11::kTile, c11::kThreadRows);
constexpr int kPlanned = 2048;    // elements that plans A, B and C of chapter 05 sum
constexpr int kFloats = 1 << 16;  // room for the input of the largest launch below

struct Launch {
  std::string label;
  std::function<void(float* in, float* out)> run;
  unsigned block = 0;  // the one traced
};

std::vector<Launch> launches() {
  std::vector<Launch> list = {
      {"sum_in_place 16", [](float* in, float* out) { c01::sum_in_place<<<1, 16>>>(in, out, 16); }},
      {"sum_in_place", [](float* in, float* out) { c01::sum_in_place<<<1, 256>>>(in, out, 256); }},
      {"sum_runs", [](float* in, float* out) { c01::sum_runs<<<1, 32>>>(in, out, 32 * c01::kRun); }},
      {"sum_atomic", [](float* in, float* out) { c01::sum_atomic<<<1, 32>>>(in, out, 32); }},
      {"sum_tile", [](float* in, float* out) { c02::sum_tile<<<1, 256>>>(in, out, 256); }},
      {"sum_strided", [](float* in, float* out) { c03::sum_strided<<<1, 256>>>(in, out, 256); }},
      {"sum_strided 16", [](float* in, float* out) { c03::sum_strided<<<1, 16>>>(in, out, 16); }},
      {"sum_sequential", [](float* in, float* out) { c04::sum_sequential<<<1, 256>>>(in, out, 256); }},
      {"sum_adjacent_tiles",
       [](float* in, float* out) { c05::sum_adjacent_tiles<<<1, 256>>>(in, out, 512); }},
      {"sum_warp_tail", [](float* in, float* out) { c06::sum_warp_tail<<<1, 256>>>(in, out, 512); }},
      {"old_tail", [](float* in, float* out) { old_tail<<<1, 4>>>(in, out); }},
      {"sum_looped 256",
       [](float* in, float* out) { c07_starter::sum_unrolled<256><<<1, 256>>>(in, out, 512); }},
      {"sum_unrolled 64", [](float* in, float* out) { c07::sum_unrolled<64><<<1, 64>>>(in, out, 128); }},
      {"sum_unrolled 128", [](float* in, float* out) { c07::sum_unrolled<128><<<1, 128>>>(in, out, 256); }},
      {"sum_unrolled 256", [](float* in, float* out) { c07::sum_unrolled<256><<<1, 256>>>(in, out, 512); }},
      {"sum_unrolled 512", [](float* in, float* out) { c07::sum_unrolled<512><<<1, 512>>>(in, out, 1024); }},
      {"sum_unrolled 1024",
       [](float* in, float* out) { c07::sum_unrolled<1024><<<1, 1024>>>(in, out, 2048); }},
      {"sum_shuffle", [](float* in, float* out) { c09::sum_shuffle<<<1, 256>>>(in, out, 256); }},
      {"scan_kogge_stone",
       [](float* in, float* out) {
         c10::scan_kogge_stone<float, 16, c10::Scan::inclusive><<<1, 16>>>(in, out, 16);
       }},
      {"scan_brent_kung",
       [](float* in, float* out) {
         c10::scan_brent_kung<float, 16, c10::Scan::inclusive><<<1, 8>>>(in, out, out + 16, 16);
       }},
      {"read_rows",
       [](float* in, float* out) { c11::transpose_read_rows<<<1, kTileBlock>>>(in, out, 32, 32); }},
      {"tile", [](float* in, float* out) { c11::transpose_tile<<<1, kTileBlock>>>(in, out, 32, 32); }},
      {"padded", [](float* in, float* out) { c11::transpose_padded<<<1, kTileBlock>>>(in, out, 32, 32); }},
      {"swizzled",
       [](float* in, float* out) { c11::transpose_swizzled<<<1, kTileBlock>>>(in, out, 32, 32); }},
  };
  for (int step : {0, 1, 8})
    list.push_back({"load_every " + std::to_string(step),
                    [step](float* in, float* out) { load_every<<<1, 32>>>(in, out, step, 0); }});
  list.push_back({"load_shifted", [](float* in, float* out) { load_every<<<1, 32>>>(in, out, 1, 1); }});
  for (int step : {0, 1, 2, 32, 33})
    list.push_back({"load_every_shared " + std::to_string(step),
                    [step](float* in, float* out) { load_every_shared<<<1, 32>>>(in, out, step); }});
  const auto add_blocks = [&](const std::string& name, unsigned blocks, auto run) {
    for (unsigned block = 0; block < blocks; ++block)
      list.push_back({name + " " + std::to_string(block), run, block});
  };
  add_blocks("grid_stride", 3, [](float* in, float* out) { grid_stride<<<3, 4>>>(in, out, 28); });
  add_blocks("plan A", kPlanned / 512, [](float* in, float* out) {
    c05::sum_half_the_blocks<<<kPlanned / 512, 256>>>(in, out, kPlanned);
  });
  add_blocks("plan B", kPlanned / 256, [](float* in, float* out) {
    c05::sum_half_the_threads<<<kPlanned / 256, 128>>>(in, out, kPlanned);
  });
  add_blocks("plan C", kPlanned / 512, [](float* in, float* out) {
    c05::sum_adjacent_tiles<<<kPlanned / 512, 256>>>(in, out, kPlanned);
  });
  return list;
}

// Element k of lane l is 10 * l + k before; what value[] of lanes 0 to 3 is after a swap.
std::string swapped() {
  std::vector<int> values(32 * c09::kPerLane);
  for (int i = 0; i < static_cast<int>(values.size()); ++i)
    values[i] = 10 * (i / c09::kPerLane) + i % c09::kPerLane;
  const harness::DeviceBuffer<int> d_in(values);
  harness::DeviceBuffer<int> d_out(values.size());
  c09::shuffle_swap<0, 3><<<1, 32>>>(d_in.data(), d_out.data(), 1);
  CUDA_CHECK_LAUNCH();
  const std::vector<int> after = d_out.download();
  std::string json;
  for (int i = 0; i < 4 * c09::kPerLane; ++i) json += (i ? "," : "[") + std::to_string(after[i]);
  return json + "]";
}

}  // namespace

int main() {
  harness::DeviceBuffer<float> d_in(std::vector<float>(kFloats, 1.0f));
  harness::DeviceBuffer<float> d_out(std::vector<float>(kFloats, 0.0f));
  std::printf("{\"swap\": %s", swapped().c_str());
  for (const Launch& launch : launches()) {
    gpusim::TraceOptions options;
    options.block = launch.block;
    const gpusim::Trace trace(options);
    launch.run(d_in.data(), d_out.data());
    CUDA_CHECK_LAUNCH();
    std::printf(",\n\"%s\": %s", launch.label.c_str(), gpusim::to_json(trace.launches().at(0)).c_str());
  }
  std::printf("}\n");
}
// SPDX-License-Identifier: MIT
