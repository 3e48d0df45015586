// The vector kernel, whose blocks take the tiles in the other order.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  const bool whole = rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0;
  const auto kernel =
      whole ? transpose_vector<true, Order::along_rows, T> : transpose_vector<false, Order::along_rows, T>;
  kernel<<<tiles_of(rows, columns, PackTile<T>::kSide), PackTile<T>::kThreads>>>(in, out, rows, columns);
}
