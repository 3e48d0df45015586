// A thread moves 4 rows below each other, in size_t, and leaves early only behind the barrier.
#pragma once

#define transpose_padded solved_transpose_padded
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_padded

template <typename T> __global__ void transpose_padded(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  __shared__ T tile[kTile][kTile + 1];
  constexpr int kEach = kTile / kThreadRows;
  for (int k = 0; k < kEach; ++k) {
    const std::size_t y = threadIdx.y * kEach + k, row = corner.row + y, column = corner.column + threadIdx.x;
    if (row < std::size_t(rows) && column < std::size_t(columns))
      tile[y][threadIdx.x] = in[row * columns + column];
  }
  __syncthreads();
  const std::size_t row = corner.row + threadIdx.x;
  if (row >= std::size_t(rows)) return;
  for (int k = 0; k < kEach; ++k) {
    const std::size_t y = threadIdx.y * kEach + k, column = corner.column + y;
    if (column >= std::size_t(columns)) return;
    out[column * rows + row] = tile[threadIdx.x][y];
  }
}
// SPDX-License-Identifier: MIT
