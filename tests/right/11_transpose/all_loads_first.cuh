// Four loads into registers before the first of them is stored to the tile.
#pragma once

#define transpose_tile solved_transpose_tile
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_tile

template <typename T> __global__ void transpose_tile(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile];
  T mine[kTile / kThreadRows] = {};
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) mine[k / kThreadRows] = in[row * columns + column];
  }
  for (int k = 0; k < kTile; k += kThreadRows) tile[y + k][x] = mine[k / kThreadRows];
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (row < rows && column < columns) out[column * rows + row] = tile[x][y + k];
  }
}
// SPDX-License-Identifier: MIT
