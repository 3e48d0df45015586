// Chapter 12, experiment: the loop of the first kernel, `floats`, with a step that is unsigned or an int. nvcc unrolls
// it only if the step is an int.
#include <kernels.cuh>

#include <vector>

#include "grid.cuh"
#include "harness/harness.h"
#include "loads.cuh"
#include "steps.cuh"

namespace {

// ANCHOR: signed
// The loop of ByFloats, but with a step that is an int. In ByFloats it is unsigned, because gridDim.x is.
struct ByFloatsSigned {
  static __device__ float thread_sum(const float* in, int n) {
    float sum = 0.0f;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += int(gridDim.x) * kBlock) sum += in[i];
    return sum;
  }
};
// ANCHOR_END: signed

// The loop of ByFloats, with a request to unroll it.
struct ByFloatsUnrolled {
  static __device__ float thread_sum(const float* in, int n) {
    float sum = 0.0f;
#pragma unroll 4
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += in[i];
    return sum;
  }
};

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "12_bandwidth_limit.loop", "sums n floats by one loop, with an unsigned step or an int");
  const int n = options.n, blocks = blocks_for<kBlock, kLoads>(n);
  const std::vector<float> input = harness::small_integers(n, options.seed);  // exact in any order
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sums(blocks);
  harness::Report report(options);
  const auto measure = [&](const char* name, void (*kernel)(const float*, float*, int)) {
    report.measure(
        name, d_in.bytes(), [&] { kernel<<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n); },
        [&] { d_sums.fill_poison(); });
    report.verify(verify_together(d_sums.download(), input));
  };
  measure("unsigned step", sum_blocks<ByFloats>);
  measure("int step", sum_blocks<ByFloatsSigned>);
  measure("unsigned step, unroll 4", sum_blocks<ByFloatsUnrolled>);
  return report.finish();
}
// SPDX-License-Identifier: MIT
