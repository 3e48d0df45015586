// rejected: right, but it has 896 bank conflicts a block
// Packs lie row after row: 8 packs below each other begin in the same bank.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <typename T> __global__ void transpose_in_plain_packs(const T* in, T* out, int rows, int columns) {
  using Tile = PackTile<T>;
  constexpr int kCount = Pack<T>::kCount, kEights = Tile::kPacks / 8;
  __shared__ Pack<T> tile[Tile::kSide][Tile::kPacks];
  const Corner corner = corner_of(blockIdx.x, rows, columns, Tile::kSide);
  for (int i = threadIdx.x; i < Tile::kTotal; i += Tile::kThreads) {
    const int y = i / Tile::kPacks, pack = i % Tile::kPacks;
    const int row = corner.row + y, column = corner.column + pack * kCount;
    if (row >= rows || column >= columns) continue;
    tile[y][pack] = load_pack(&in[row * columns + column]);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < Tile::kTotal; i += Tile::kThreads) {
    const int group = i / (8 * kCount), element = i / 8 % kCount;
    const int pack = group / kEights, below = group % kEights * 8 + i % 8;
    const int row = corner.row + below * kCount, column = corner.column + pack * kCount + element;
    if (row >= rows || column >= columns) continue;
    Pack<T> mine;
    for (int r = 0; r < kCount; ++r) mine.at[r] = tile[below * kCount + r][pack].at[element];
    *reinterpret_cast<Pack<T>*>(&out[column * rows + row]) = mine;
  }
}

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  const bool whole = rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0;
  if (!whole) return solved_launch_transpose_vector(in, out, rows, columns);
  const int blocks = tiles_of(rows, columns, PackTile<T>::kSide);
  transpose_in_plain_packs<<<blocks, PackTile<T>::kThreads>>>(in, out, rows, columns);
}
// SPDX-License-Identifier: MIT
