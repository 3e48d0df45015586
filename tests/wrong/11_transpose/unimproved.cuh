// rejected: right, but it writes 1024 sectors of global memory a block
// The tile kernel is transpose_read_rows under another name: right, and every store request still touches 32
// sectors.
#pragma once

#define transpose_tile solved_transpose_tile
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_tile

template <typename T> __global__ void transpose_tile(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + threadIdx.y + k, column = corner.column + threadIdx.x;
    if (row < rows && column < columns) out[column * rows + row] = in[row * columns + column];
  }
}
