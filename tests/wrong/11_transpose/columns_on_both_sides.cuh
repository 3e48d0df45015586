// rejected: right, but it reads 1024 sectors of global memory a block
// There is a tile, and lanes read down columns of in and write down columns of out: the work of both simple
// kernels, and the barrier.
#pragma once

#define transpose_tile solved_transpose_tile
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_tile

template <typename T> __global__ void transpose_tile(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (row < rows && column < columns) tile[x][y + k] = in[row * columns + column];
  }
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) out[column * rows + row] = tile[y + k][x];
  }
}
