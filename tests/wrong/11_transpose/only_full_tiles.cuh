// rejected: wrong result
// Blocks whose tile sticks out of the matrix do nothing.
#pragma once

#define transpose_swizzled solved_transpose_swizzled
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_swizzled

template <typename T> __global__ void transpose_swizzled(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  if (corner.row + kTile > rows || corner.column + kTile > columns) return;
  through_tile<Swizzled>(in, out, rows, columns);
}
