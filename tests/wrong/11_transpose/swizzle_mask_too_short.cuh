// rejected: right, but it has 32 bank conflicts a block
// The column is combined with the last four bits of the row only, so rows r and r + 16 share a bank: 1
// conflict for each of 32 loads.
#pragma once

#define transpose_swizzled solved_transpose_swizzled
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_swizzled

// ANCHOR: kernel
template <typename T> __global__ void transpose_swizzled(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) tile[y + k][x ^ ((y + k) % 16)] = in[row * columns + column];
  }
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (row < rows && column < columns) out[column * rows + row] = tile[x][(y + k) ^ (x % 16)];
  }
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
