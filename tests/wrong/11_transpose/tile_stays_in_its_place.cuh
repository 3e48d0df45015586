// rejected: wrong result
// Each tile is transposed, and then written where it was read: right on the diagonal of tiles only.
#pragma once

#define transpose_tile solved_transpose_tile
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_tile

template <typename T> __global__ void transpose_tile(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) tile[y + k][x] = in[row * columns + column];
  }
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;  // of out, which has columns x rows
    if (row < columns && column < rows) out[row * rows + column] = tile[x][y + k];
  }
}
