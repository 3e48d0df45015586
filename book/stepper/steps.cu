// What the book's stepper plays: runs kernels of the chapters on few elements, and prints their traces
// (gpusim/trace.h) in the schedule that GPUSIM_SCHEDULE says, as one JSON object:
// {"launches": {label: {"in": address of the input, "out": of the output, "trace": launch}}}.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "book/figures/chapters.cuh"
#include "gpusim/trace.h"
#include "harness/harness.h"

namespace {

constexpr int kFloats = 1 << 14;  // room for the input and for the output of each launch
constexpr int kPairFloats = 128;  // of each GPU of two

struct Launch {
  std::string label;
  std::function<void(float* in, float* out)> run;
  gpusim::TraceOptions options = {};
};

// A trace of the beginning only.
gpusim::TraceOptions first_steps(std::size_t count) {
  gpusim::TraceOptions options;
  options.max_steps = count;
  return options;
}
gpusim::TraceOptions only_block(unsigned block, int warp = -1) {
  gpusim::TraceOptions options;
  options.block = block;
  options.warp = warp;
  return options;
}

c13::Gemm product(float* in, float* out, int side) {
  return {side, side, side, 1.0f, in, side, in + side * side, side, 0.0f, out, side};
}

// GPU 0 of two, all of whose memory is this GPU's here. The other has come already: flags of 0 are beyond the counts.
constexpr unsigned kCountsBehind = 0u - 10;
Team pair(float* in, float* out) {
  Team team;
  team.ranks = 2;
  for (int g = 0; g < team.ranks; ++g) {
    team.data[g] = in + g * kPairFloats;
    team.out[g] = out + g * kPairFloats;
    team.flags[g] = reinterpret_cast<unsigned*>(out + 2 * kPairFloats) + g * kMostGpus * kMostBlocks;
  }
  return team;
}

std::vector<Launch> launches() {
  const dim3 tile_block(c11::kTile, c11::kThreadRows);
  return {
      {"sum_atomic", [](float* in, float* out) { c01::sum_atomic<<<1, 64>>>(in, out, 50); }},
      {"sum_runs", [](float* in, float* out) { c01::sum_runs<<<1, 32>>>(in, out, 8 * c01::kRun); },
       first_steps(120)},
      {"sum_in_place", [](float* in, float* out) { c01::sum_in_place<<<1, 64>>>(in, out, 64); }},
      {"sum_tile", [](float* in, float* out) { c02::sum_tile<<<1, 64>>>(in, out, 64); }},
      {"sum_strided", [](float* in, float* out) { c03::sum_strided<<<1, 256>>>(in, out, 256); }},
      {"sum_sequential", [](float* in, float* out) { c04::sum_sequential<<<1, 256>>>(in, out, 256); }},
      {"sum_adjacent_tiles",
       [](float* in, float* out) { c05::sum_adjacent_tiles<<<1, 256>>>(in, out, 512); }},
      {"sum_warp_tail", [](float* in, float* out) { c06::sum_warp_tail<<<1, 256>>>(in, out, 512); }},
      {"no wait after reading",
       [](float* in, float* out) { c06_no_wait::sum_warp_tail<<<1, 256>>>(in, out, 512); }},
      {"sum_looped", [](float* in, float* out) { c07_starter::sum_unrolled<256><<<1, 256>>>(in, out, 512); }},
      {"sum_unrolled", [](float* in, float* out) { c07::sum_unrolled<256><<<1, 256>>>(in, out, 512); }},
      {"sum_grid_stride", [](float* in, float* out) { c08::sum_grid_stride<64><<<2, 64>>>(in, out, 300); }},
      {"sum_shuffle", [](float* in, float* out) { c09::sum_shuffle<<<1, 256>>>(in, out, 512); }},
      {"scan_kogge_stone",
       [](float* in, float* out) {
         c10::scan_kogge_stone<float, 64, c10::Scan::inclusive><<<1, 64>>>(in, out, 64);
       }},
      {"scan_brent_kung",
       [](float* in, float* out) {
         c10::scan_brent_kung<float, 64, c10::Scan::inclusive><<<1, 32>>>(in, out, out + 64, 64);
       }},
      {"transpose_read_rows",
       [=](float* in, float* out) { c11::transpose_read_rows<<<1, tile_block>>>(in, out, 32, 32); },
       only_block(0, 0)},
      {"transpose_tile",
       [=](float* in, float* out) { c11::transpose_tile<<<1, tile_block>>>(in, out, 32, 32); },
       only_block(0, 0)},
      {"transpose_padded",
       [=](float* in, float* out) { c11::transpose_padded<<<1, tile_block>>>(in, out, 32, 32); },
       only_block(0, 0)},
      {"transpose_swizzled",
       [=](float* in, float* out) { c11::transpose_swizzled<<<1, tile_block>>>(in, out, 32, 32); },
       only_block(0, 0)},
      {"sum_one_launch",
       [](float* in, float* out) {
         BlockWord* words = reinterpret_cast<BlockWord*>(out + 64);
         c12::sum_one_launch<<<2, kBlock>>>(in, out, words, 8000);
       },
       only_block(1, 0)},
      {"gemm_tile",
       [](float* in, float* out) {
         c13::gemm_tile<<<1, dim3(c13::kTile, c13::kTile)>>>(product(in, out, c13::kTile));
       },
       only_block(0, 0)},
      {"one_shot",
       [](float* in, float* out) {
         c14::one_shot<<<1, kThreads>>>(pair(in, out), kPairFloats, kCountsBehind);
       },
       only_block(0, 0)},
      {"softmax_warp", [](float* in, float* out) { c15::softmax_warp<<<1, 32>>>(in, out, 1, 64); }},
      {"softmax_block",
       [](float* in, float* out) { c15::softmax_block<<<1, c15::kBlock>>>(in, out, 1, 512); },
       only_block(0, 0)},
  };
}

}  // namespace

int main() {
  harness::DeviceBuffer<float> d_in(std::vector<float>(kFloats, 1.0f));
  std::printf("{\"launches\": {");
  const char* comma = "";
  for (const Launch& launch : launches()) {
    harness::DeviceBuffer<float> d_out(std::vector<float>(kFloats, 0.0f));
    const gpusim::Trace trace(launch.options);
    launch.run(d_in.data(), d_out.data());
    CUDA_CHECK_LAUNCH();
    std::printf("%s\n\"%s\": {\"in\": %zu, \"out\": %zu, \"trace\": %s}", comma, launch.label.c_str(),
                reinterpret_cast<std::size_t>(d_in.data()), reinterpret_cast<std::size_t>(d_out.data()),
                gpusim::to_json(trace.launches().at(0)).c_str());
    comma = ",";
  }
  std::printf("}}\n");
}
// SPDX-License-Identifier: MIT
