// rejected: wrong result
// The tile holds floats whatever the elements are. Half of a double does not survive.
#pragma once

#define transpose_padded solved_transpose_padded
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_padded

template <typename T> __device__ void through_floats(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ float tile[kTile][kTile + 1];
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + y + k, column = corner.column + x;
    if (row < rows && column < columns) tile[y + k][x] = static_cast<float>(in[row * columns + column]);
  }
  __syncthreads();
  for (int k = 0; k < kTile; k += kThreadRows) {
    const int row = corner.row + x, column = corner.column + y + k;
    if (row < rows && column < columns) out[column * rows + row] = static_cast<T>(tile[x][y + k]);
  }
}

template <typename T> __global__ void transpose_padded(const T* in, T* out, int rows, int columns) {
  if constexpr (sizeof(T) < 16)
    through_floats(in, out, rows, columns);
  else
    through_tile<Padded>(in, out, rows, columns);
}
// SPDX-License-Identifier: MIT
