// rejected: fault
// The rows of in are taken to be `rows` elements long. They are `columns` long: right only for a square.
#pragma once

#define transpose_padded solved_transpose_padded
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_padded

// ANCHOR: kernel
template <typename T> __global__ void transpose_padded(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile + 1];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) tile[y + k][x] = in[row * rows + column];
  }
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (row < rows && column < columns) out[column * rows + row] = tile[x][y + k];
  }
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
