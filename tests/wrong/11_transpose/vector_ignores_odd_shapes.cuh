// rejected: fault
// Packs of 16 bytes whatever the shape. Where a row is not a multiple of a pack long, the next one begins
// off the 16-byte boundary.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  transpose_vector<T, Order::down_columns>
      <<<tiles_of(rows, columns, PackTile<T>::kSide), PackTile<T>::kThreads>>>(in, out, rows, columns);
}
// SPDX-License-Identifier: MIT
