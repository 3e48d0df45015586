// Chapter 11, experiment: transpose_vector moves 16 bytes a lane, and its tile is larger than that of transpose_padded. Which
// of the two helps? Measures both widths with both tiles; for each tile, both widths have the same number of threads.
#include <kernels.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"

namespace {

constexpr int kCount = Pack<float>::kCount;  // floats in a pack

// A tile of kSide x kSide floats and the threads that move it: 256 for 32 x 32, 512 for 64 x 64.
template <int kSide>
constexpr int kThreads = 8 * kSide;

// 4 bytes a lane, as in transpose_padded.
// ANCHOR: floats
template <int kSide>
__global__ void transpose_floats(const float* in, float* out, int rows, int columns) {
  constexpr int kPitch = kSide + 1;
  __shared__ float tile[kSide * kPitch];
  const Corner corner = corner_of(blockIdx.x, rows, columns, kSide);
  for (int i = threadIdx.x; i < kSide * kSide; i += kThreads<kSide>) {
    const int y = i / kSide, x = i % kSide, row = corner.row + y, column = corner.column + x;
    if (row < rows && column < columns) tile[y * kPitch + x] = in[row * columns + column];
  }
  __syncthreads();  // the tile is complete before any thread reads what others wrote

  for (int i = threadIdx.x; i < kSide * kSide; i += kThreads<kSide>) {
    const int x = i / kSide, y = i % kSide, row = corner.row + y, column = corner.column + x;
    if (row < rows && column < columns) out[column * rows + row] = tile[y * kPitch + x];
  }
}
// ANCHOR_END: floats

// 16 bytes a lane, as in transpose_vector; rows and columns are multiples of 4.
template <int kSide>
__global__ void transpose_packs(const float* in, float* out, int rows, int columns) {
  constexpr int kPacks = kSide / kCount,
                kTotal = kSide * kPacks;  // packs in a row of the tile, and in the tile
  const auto slot = [](int row, int pack) { return row * kPacks + (pack ^ row / kCount % kPacks); };
  __shared__ Pack<float> tile[kTotal];
  const Corner corner = corner_of(blockIdx.x, rows, columns, kSide);
  for (int i = threadIdx.x; i < kTotal; i += kThreads<kSide>) {
    const int y = i / kPacks, pack = i % kPacks, row = corner.row + y, column = corner.column + pack * kCount;
    if (row < rows && column < columns) tile[slot(y, pack)] = load_pack(&in[row * columns + column]);
  }
  __syncthreads();  // the tile is complete before any thread reads what others wrote

  for (int i = threadIdx.x; i < kTotal; i += kThreads<kSide>) {
    constexpr int kEights = kPacks / 8;  // a column of the tile is kEights times 8 packs of out
    const int group = i / (8 * kCount), pack = group / kEights, element = i / 8 % kCount;
    const int below = group % kEights * 8 + i % 8;
    const int row = corner.row + below * kCount, column = corner.column + pack * kCount + element;
    if (row >= rows || column >= columns) continue;
    Pack<float> mine;
    for (int r = 0; r < kCount; ++r) mine.at[r] = tile[slot(below * kCount + r, pack)].at[element];
    *reinterpret_cast<Pack<float>*>(&out[column * rows + row]) = mine;
  }
}

}  // namespace

int main(int argc, char** argv) {
  long long rows_asked = harness::is_simulated() ? 512 : 16384;
  harness::Options options = harness::parse_options(
      argc, argv, "11_transpose.packs", "transposes a square matrix of --rows rows; --n is not used",
      {{"--rows", "rows, and columns, of the matrix; rounded down to a multiple of 4", &rows_asked, 0,
        1 << 15}});
  const int rows = static_cast<int>(rows_asked) / kCount * kCount;
  options.n = rows * rows;

  const std::vector<float> input = harness::distinct_elements<float>(options.n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(input.size());
  harness::Report report(options);
  const auto measure = [&](const std::string& name, void (*kernel)(const float*, float*, int, int), int side,
                           int threads) {
    report.measure(
        name, 2 * d_in.bytes(),
        [&] { kernel<<<tiles_of(rows, rows, side), threads>>>(d_in.data(), d_out.data(), rows, rows); },
        [&] { d_out.fill_poison(); });
    report.verify(harness::verify_transpose(d_out.download(), input, rows, rows));
  };
  measure("4 bytes a lane, 32 x 32", transpose_floats<32>, 32, kThreads<32>);
  measure("4 bytes a lane, 64 x 64", transpose_floats<64>, 64, kThreads<64>);
  measure("16 bytes a lane, 32 x 32", transpose_packs<32>, 32, kThreads<32>);
  measure("16 bytes a lane, 64 x 64", transpose_packs<64>, 64, kThreads<64>);
  return report.finish();
}
// SPDX-License-Identifier: MIT
