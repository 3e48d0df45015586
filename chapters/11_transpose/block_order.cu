// Chapter 11, experiment: the same kernel twice. Its blocks take the tiles along the rows of in, or down its
// columns. The memory counters are all the same; on a GPU the time is not.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

int main(int argc, char** argv) {
  long long rows_asked = harness::is_simulated() ? 1024 : 16384;
  harness::Options options = harness::parse_options(
      argc, argv, "11_transpose.block_order", "transposes a square matrix of --rows rows; --n is not used",
      {{"--rows", "rows, and columns, of the matrix", &rows_asked, 0, 1 << 15}});
  const int rows = static_cast<int>(rows_asked);
  options.n = rows * rows;

  const std::vector<float> input = harness::distinct_elements<float>(options.n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(input.size());
  harness::Report report(options);

  const auto measure = [&](const char* order, const auto& launch) {
    report.measure(order, 2 * d_in.bytes(), launch, [&] { d_out.fill_poison(); });
    report.verify(harness::verify_transpose(d_out.download(), input, rows, rows));
  };
  measure("along rows of in",
          [&] { launch_transpose_vector<float, Order::along_rows>(d_in.data(), d_out.data(), rows, rows); });
  measure("down columns of in", [&] {
    launch_transpose_vector<float, Order::down_columns>(d_in.data(), d_out.data(), rows, rows);
  });
  return report.finish();
}
// SPDX-License-Identifier: MIT
