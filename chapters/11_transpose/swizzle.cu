// Chapter 11, experiment: why is the swizzled tile slower than the padded one, which has no conflict
// either? Its slots take more instructions; here is the same swizzle with as few instructions as possible.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

// transpose_swizzled, with two numbers computed before the loops. As y + k = y | k (y is below kThreadRows, k
// a multiple of it), x ^ (y + k) is x ^ y ^ k: a slot takes one exclusive or of such a number and a constant.

// ANCHOR: kept
template <typename T>
__global__ void transpose_swizzled_kept(const T* in, T* out, int rows, int columns) {
  static_assert((kThreadRows & (kThreadRows - 1)) == 0, "y + k has to be y | k");
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  const int of_row = y * kTile + (x ^ y), of_column = x * kTile + (x ^ y);

  __shared__ T tile[Swizzled::kSlots];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) tile[(of_row ^ k) + k * kTile] = in[row * columns + column];
  }
  __syncthreads();  // the tile is complete before any thread reads what others wrote

  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (row < rows && column < columns) out[column * rows + row] = tile[of_column ^ k];
  }
}
// ANCHOR_END: kept

int main(int argc, char** argv) {
  long long rows_asked = harness::is_simulated() ? 1024 : 16384;
  harness::Options options = harness::parse_options(
      argc, argv, "11_transpose.swizzle", "transposes a square matrix of --rows rows; --n is not used",
      {{"--rows", "rows, and columns, of the matrix", &rows_asked, 0, 1 << 15}});
  const int rows = static_cast<int>(rows_asked);
  options.n = rows * rows;

  const std::vector<float> input = harness::distinct_elements<float>(options.n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(input.size());
  harness::Report report(options);
  const auto measure = [&](const char* name, void (*kernel)(const float*, float*, int, int)) {
    report.measure(
        name, 2 * d_in.bytes(),
        [&] {
          kernel<<<tiles_of(rows, rows, kTile), dim3(kTile, kThreadRows)>>>(d_in.data(), d_out.data(), rows,
                                                                            rows);
        },
        [&] { d_out.fill_poison(); });
    report.verify(harness::verify_transpose(d_out.download(), input, rows, rows));
  };
  measure("padded", transpose_padded<float>);
  measure("swizzled", transpose_swizzled<float>);
  measure("swizzled, slots kept", transpose_swizzled_kept<float>);
  return report.finish();
}
// SPDX-License-Identifier: MIT
