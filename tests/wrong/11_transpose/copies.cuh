// rejected: wrong result
// Reads rows and writes rows, with no transpose between: as fast as a copy, because it is one.
#pragma once

#define transpose_write_rows solved_transpose_write_rows
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_write_rows

template <typename T> __global__ void transpose_write_rows(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + threadIdx.y + k, column = corner.column + threadIdx.x;
    if (row < rows && column < columns) out[row * columns + column] = in[row * columns + column];
  }
}
