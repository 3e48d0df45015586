// rejected: wrong result
// A thread keeps the answer for the element that it read, and asks it again for the element that it writes.
// At the edges of the matrix these are different elements.
#pragma once

#define transpose_padded solved_transpose_padded
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_padded

template <typename T> __global__ void transpose_padded(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile + 1];
  bool exists[kTile / kThreadRows];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    exists[k / kThreadRows] = row < rows && column < columns;
    if (exists[k / kThreadRows]) tile[y + k][x] = in[row * columns + column];
  }
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (exists[k / kThreadRows] && row < rows && column < columns) out[column * rows + row] = tile[x][y + k];
  }
}
// SPDX-License-Identifier: MIT
