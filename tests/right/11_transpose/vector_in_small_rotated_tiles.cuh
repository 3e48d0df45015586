// Smaller tiles, of 8 packs a side, 64 threads, and a swizzle by rotation.
#pragma once

#define launch_transpose_vector solved_launch_transpose_vector
#include "../../../solutions/11_transpose/kernels.cuh"
#undef launch_transpose_vector

template <bool kWhole, typename T>
__global__ void transpose_rotated_packs(const T* in, T* out, int rows, int columns) {
  constexpr int kCount = Pack<T>::kCount, kPacks = 8, kHigh = 8 * kCount, kWide = kPacks * kCount;
  __shared__ Pack<T> tile[kHigh][kPacks];
  const int across = tiles_along(columns, kWide);
  const int first_row = blockIdx.x / across * kHigh, first_column = blockIdx.x % across * kWide;
  for (int i = threadIdx.x; i < kHigh * kPacks; i += blockDim.x) {
    const int row = i / kPacks, pack = i % kPacks;
    tile[row][(pack + row / kCount) % kPacks] =
        load_pack<kWhole>(in, rows, columns, first_row + row, first_column + pack * kCount);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kWide * 8; i += blockDim.x) {
    const int below = i % 8, column = i / 8;
    Pack<T> pack;
    for (int r = 0; r < kCount; ++r)
      pack.at[r] = tile[below * kCount + r][(column / kCount + below) % kPacks].at[column % kCount];
    store_pack<kWhole>(pack, out, columns, rows, first_column + column, first_row + below * kCount);
  }
}

template <typename T> void launch_transpose_vector(const T* in, T* out, int rows, int columns) {
  constexpr int kSide = 8 * Pack<T>::kCount;
  const bool whole = rows % Pack<T>::kCount == 0 && columns % Pack<T>::kCount == 0;
  const auto kernel = whole ? transpose_rotated_packs<true, T> : transpose_rotated_packs<false, T>;
  kernel<<<tiles_of(rows, columns, kSide), 64>>>(in, out, rows, columns);
}
