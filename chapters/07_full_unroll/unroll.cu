// Chapter 07, experiment: one loop in seven versions, to see what #pragma unroll does. Every thread sums
// kItems elements that lie kBlock apart. common/unroll_ptx.py compiles this file and counts what is in the
// PTX of each kernel.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

constexpr int kItems = 32;                 // elements per thread, where the compiler knows the number
constexpr int kStretch = kItems * kBlock;  // elements a block

// Each kernel: sums[blockIdx.x * kBlock + t] is the sum of in[blockIdx.x * kStretch + t + k * kBlock], k in
// [0, kItems). Blocks of kBlock threads; `in` holds kStretch elements a block.

// The loop as written. Without the pragma, nvcc and clang would both unroll it, since 32 rounds are few.
__global__ void sum_rolled(const float* in, float* sums) {
  const float* mine = in + blockIdx.x * kStretch + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < kItems; ++k) sum += mine[k * kBlock];
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

// Unrolled by a factor that divides the number of rounds: no round is left over.
// ANCHOR: by_four
__global__ void sum_by_four(const float* in, float* sums) {
  const float* mine = in + blockIdx.x * kStretch + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < kItems; ++k) sum += mine[k * kBlock];
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}
// ANCHOR_END: by_four

// Unrolled in full: no loop is left.
__global__ void sum_whole(const float* in, float* sums) {
  const float* mine = in + blockIdx.x * kStretch + threadIdx.x;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kItems; ++k) sum += mine[k * kBlock];
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

// The loop as written, with a number of rounds that is unknown before the launch.
__global__ void sum_any_rolled(const float* in, float* sums, int items) {
  const float* mine = in + blockIdx.x * items * kBlock + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int k = 0; k < items; ++k) sum += mine[k * kBlock];
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

// The pragma without a factor asks for all rounds, but the compiler does not know how many there are.
__global__ void sum_any_whole(const float* in, float* sums, int items) {
  const float* mine = in + blockIdx.x * items * kBlock + threadIdx.x;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < items; ++k) sum += mine[k * kBlock];
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

// Unrolled by four: the compiler adds a loop, or branches, for the last elements, at most three.
__global__ void sum_any_by_four(const float* in, float* sums, int items) {
  const float* mine = in + blockIdx.x * items * kBlock + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int k = 0; k < items; ++k) sum += mine[k * kBlock];
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

// What the compiler makes of sum_any_by_four, by hand: a loop in fours, and a loop for the remainder.
__global__ void sum_with_remainder(const float* in, float* sums, int items) {
  const float* mine = in + blockIdx.x * items * kBlock + threadIdx.x;
  float sum = 0.0f;
  int k = 0;
#pragma unroll 1
  for (; k + 4 <= items; k += 4) {
    sum += mine[k * kBlock];
    sum += mine[(k + 1) * kBlock];
    sum += mine[(k + 2) * kBlock];
    sum += mine[(k + 3) * kBlock];
  }
#pragma unroll 1
  for (; k < items; ++k) sum += mine[k * kBlock];  // at most three
  sums[blockIdx.x * kBlock + threadIdx.x] = sum;
}

// The input with each thread's elements side by side: element k of thread t of block b is at index
// (b * kBlock + t) * kItems + k.
static std::vector<float> by_thread(const std::vector<float>& input) {
  std::vector<float> grouped(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    const std::size_t block = i / kStretch, k = i % kStretch / kBlock, t = i % kBlock;
    grouped[(block * kBlock + t) * kItems + k] = input[i];
  }
  return grouped;
}

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "07_full_unroll.unroll", "one loop, unrolled in different ways; zeros fill the last block");
  const int blocks = options.n == 0 ? 1 : (options.n - 1) / kStretch + 1;
  std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  input.resize(static_cast<std::size_t>(blocks) * kStretch);  // with zeros
  const std::vector<float> grouped = by_thread(input);

  harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sums(static_cast<std::size_t>(blocks) * kBlock);
  harness::Report report(options);
  const auto measure = [&](const char* name, auto launch) {
    report.measure(name, d_in.bytes() + d_sums.bytes(), launch, [&] { d_sums.fill_poison(); });
    report.verify(harness::verify_blocks(d_sums.download(), grouped, kItems, kItems));
  };
  const float* in = d_in.data();
  float* sums = d_sums.data();
  measure("sum_rolled", [&] { sum_rolled<<<blocks, kBlock>>>(in, sums); });
  measure("sum_by_four", [&] { sum_by_four<<<blocks, kBlock>>>(in, sums); });
  measure("sum_whole", [&] { sum_whole<<<blocks, kBlock>>>(in, sums); });
  measure("sum_any_rolled", [&] { sum_any_rolled<<<blocks, kBlock>>>(in, sums, kItems); });
  measure("sum_any_whole", [&] { sum_any_whole<<<blocks, kBlock>>>(in, sums, kItems); });
  measure("sum_any_by_four", [&] { sum_any_by_four<<<blocks, kBlock>>>(in, sums, kItems); });
  measure("sum_with_remainder", [&] { sum_with_remainder<<<blocks, kBlock>>>(in, sums, kItems); });
  return report.finish();
}
// SPDX-License-Identifier: MIT
