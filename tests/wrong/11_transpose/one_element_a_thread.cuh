// rejected: wrong result
// 256 threads move 256 of the 1024 elements of a tile. The loop over k is missing.
#pragma once

#define transpose_tile solved_transpose_tile
#include "../../../solutions/11_transpose/kernels.cuh"
#undef transpose_tile

template <typename T> __global__ void transpose_tile(const T* in, T* out, int rows, int columns) {
  const Corner corner = corner_of(blockIdx.x, rows, columns, kTile);
  const int x = threadIdx.x, y = threadIdx.y;
  __shared__ T tile[kTile][kTile];
  if (corner.row + y < rows && corner.column + x < columns)
    tile[y][x] = in[(corner.row + y) * columns + corner.column + x];
  __syncthreads();
  if (corner.row + x < rows && corner.column + y < columns && x < kThreadRows)
    out[(corner.column + y) * rows + corner.row + x] = tile[x][y];
}
