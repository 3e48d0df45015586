// rejected: fault
// The test for the element says <= where it must say <: one element beyond the end is read.
#pragma once

#define transpose_read_rows solved_transpose_read_rows
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_read_rows

template <typename T> __global__ void transpose_read_rows(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + threadIdx.y + k, column = corner.column + threadIdx.x;
    const int i = row * columns + column;
    if (i > rows * columns || column >= columns) continue;
    out[column * rows + row] = in[i];
  }
}
