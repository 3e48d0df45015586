// rejected: right, but it has 896 bank conflicts a block
// Packs lie row after row: 8 packs below each other begin in the same bank.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <bool kWhole, typename T>
__global__ void transpose_in_plain_packs(const T* in, T* out, int rows, int columns) {
  using Tile = PackTile<T>;
  constexpr int kCount = Pack<T>::kCount, kEights = Tile::kPacks / 8;
  __shared__ Pack<T> tile[Tile::kSide][Tile::kPacks];
  const Corner corner = corner_of(blockIdx.x, rows, columns, Tile::kSide);
  for (int i = threadIdx.x; i < Tile::kTotal; i += Tile::kThreads) {
    const int row = i / Tile::kPacks, pack = i % Tile::kPacks;
    tile[row][pack] = load_pack<kWhole>(in, rows, columns, corner.row + row, corner.column + pack * kCount);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < Tile::kTotal; i += Tile::kThreads) {
    const int group = i / (8 * kCount), element = i / 8 % kCount;
    const int pack = group / kEights, below = group % kEights * 8 + i % 8;
    Pack<T> column;
    for (int r = 0; r < kCount; ++r) column.at[r] = tile[below * kCount + r][pack].at[element];
    store_pack<kWhole>(column, out, columns, rows, corner.column + pack * kCount + element,
                      corner.row + below * kCount);
  }
}

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  const bool whole = rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0;
  const auto kernel = whole ? transpose_in_plain_packs<true, T> : transpose_in_plain_packs<false, T>;
  kernel<<<tiles_of(rows, columns, PackTile<T>::kSide), PackTile<T>::kThreads>>>(in, out, rows, columns);
}
