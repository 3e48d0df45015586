// Chapter 11, experiment: what a tile costs in shared memory for elements of 4, 8 and 16 bytes.
#include <kernels.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"

namespace {

constexpr int kSide = 512;  // rows and columns of the matrix

template <typename T> void measure_all(harness::Report& report, std::uint64_t seed) {
  const std::vector<T> input = harness::distinct_elements<T>(kSide * kSide, seed);
  const harness::DeviceBuffer<T> d_in(input);
  harness::DeviceBuffer<T> d_out(input.size());

  const auto measure = [&](const std::string& kernel, const auto& launch) {
    report.measure(
        kernel + ", " + std::to_string(sizeof(T)) + " bytes", 2 * d_in.bytes(),
        [&] { launch(d_in.data(), d_out.data()); }, [&] { d_out.fill_poison(); });
    report.verify(harness::verify_transpose(d_out.download(), input, kSide, kSide));
  };
  const dim3 block(kTile, kThreadRows);
  constexpr int kBlocks = tiles_of(kSide, kSide, kTile);
  measure("tile", [&](const T* in, T* out) { transpose_tile<<<kBlocks, block>>>(in, out, kSide, kSide); });
  measure("padded",
          [&](const T* in, T* out) { transpose_padded<<<kBlocks, block>>>(in, out, kSide, kSide); });
  measure("swizzled",
          [&](const T* in, T* out) { transpose_swizzled<<<kBlocks, block>>>(in, out, kSide, kSide); });
  measure("vector", [&](const T* in, T* out) { launch_transpose_vector(in, out, kSide, kSide); });
}

}  // namespace

int main(int argc, char** argv) {
  harness::Options options =
      harness::parse_options(argc, argv, "11_transpose.element_sizes",
                             "transposes 512 x 512 elements of 4, 8 and 16 bytes; --n is not used");
  options.n = kSide * kSide;
  harness::Report report(options);
  measure_all<float>(report, options.seed);
  measure_all<double>(report, options.seed);
  measure_all<harness::Quad>(report, options.seed);
  return report.finish();
}
// SPDX-License-Identifier: MIT
