// rejected: race
// gemm_registers finds a row of the old C as if it were one of B: right only where both have the same distance between rows.
// Chapter 13 · Matrix multiply
// Question  A product of matrices uses every element hundreds of times. How often must it be read?
// Change    With one thread per element, each multiply-add reads two numbers. Tiles in shared memory let each
//           element that comes from global memory serve a whole block; tiles in registers let each element
//           that comes from shared memory serve a whole row or column of a thread's sums.
// Asked     right products of any shape, with any alpha and beta; each block fetches every element that it needs once;
//           no more shared loads than the page's table says, no bank conflict, no local memory.
#pragma once

#include <cuda_runtime.h>

// C = alpha * A * B + beta * C. A has m x k elements, B k x n, C m x n, all stored row by row. A row of A begins
// lda elements after the one before it (lda >= k; ldb, ldc >= n), and what lies between rows is not touched.
// m, n and k may be 0. m * lda, k * ldb and m * ldc are at most 2^30, so that every index fits an int.
// Where beta is 0, C may be uninitialised: it is not read.
struct Gemm {
  int m, n, k;
  float alpha;
  const float* a;
  int lda;
  const float* b;
  int ldb;
  float beta;
  float* c;
  int ldc;
};

// An element of A or B. Beyond the edge of a matrix lie zeros: they add nothing.
__device__ inline float element_of_a(const Gemm& g, int row, int column) {
  return row < g.m && column < g.k ? g.a[row * g.lda + column] : 0.0f;
}
__device__ inline float element_of_b(const Gemm& g, int row, int column) {
  return row < g.k && column < g.n ? g.b[row * g.ldb + column] : 0.0f;
}

// Stores alpha * sum + beta * C in an element of C, if there is one at that place.
__device__ inline void store(const Gemm& g, int row, int column, float sum) {
  if (row >= g.m || column >= g.n) return;
  float& c = g.c[row * g.ldc + column];
  c = g.beta == 0.0f ? g.alpha * sum : g.alpha * sum + g.beta * c;
}

// Blocks to launch: one for each tile of rows x columns elements of C, but at least one, since no launch may be empty.
// Block numbers run along the rows of tiles. (gridDim.y would end at 65535.)
__host__ __device__ constexpr int tiles_along(int length, int side) {
  return length == 0 ? 1 : (length - 1) / side + 1;
}
inline int blocks_of(const Gemm& g, int rows, int columns) {
  return tiles_along(g.m, rows) * tiles_along(g.n, columns);
}
struct Corner {
  int row, column;
};
__device__ inline Corner corner_of(const Gemm& g, int rows, int columns) {
  const int across = tiles_along(g.n, columns), block = blockIdx.x;
  return {block / across * rows, block % across * columns};
}

inline constexpr int kTile = 32;  // rows and columns of a block's tile in the first two kernels

// One thread for each element of C, and one block of kTile x kTile threads for each tile of as many elements.
__global__ void __launch_bounds__(kTile * kTile) gemm_naive(Gemm g) {
  const Corner corner = corner_of(g, kTile, kTile);
  const int row = corner.row + threadIdx.y, column = corner.column + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < g.k; ++k) sum += element_of_a(g, row, k) * element_of_b(g, k, column);
  store(g, row, column, sum);
}

// The same threads and elements, but through shared memory: each element of A and B that the block needs is
// fetched from global memory once, by one thread.
__global__ void __launch_bounds__(kTile * kTile) gemm_tile(Gemm g) {
  const Corner corner = corner_of(g, kTile, kTile);
  const int x = threadIdx.x, y = threadIdx.y, row = corner.row + y, column = corner.column + x;
  float sum = 0.0f;
  __shared__ float a[kTile][kTile], b[kTile][kTile];
  for (int first = 0; first < g.k; first += kTile) {
    a[y][x] = element_of_a(g, row, first + x);
    b[y][x] = element_of_b(g, first + y, column);
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kTile; ++k) sum += a[y][k] * b[k][x];
    __syncthreads();  // everyone has read them
  }
  store(g, row, column, sum);
}

// A thread has kColumnSums elements of one column of C, one below the other: one element of B serves them all. There is
// one block of kColumnThreads threads for each tile of kColumnTile x kColumnTile.
inline constexpr int kColumnTile = 64, kColumnDepth = 8, kColumnSums = 8;
inline constexpr int kColumnThreads = kColumnTile * kColumnTile / kColumnSums;  // 512
static_assert(kColumnThreads == kColumnTile * kColumnDepth, "a thread fetches one element of either matrix");
__global__ void __launch_bounds__(kColumnThreads) gemm_column(Gemm g) {
  const Corner corner = corner_of(g, kColumnTile, kColumnTile);
  const int t = threadIdx.x, x = t % kColumnTile, y = t / kColumnTile * kColumnSums;
  float sum[kColumnSums] = {};
  __shared__ float a[kColumnTile][kColumnDepth], b[kColumnDepth][kColumnTile];
  for (int first = 0; first < g.k; first += kColumnDepth) {
    const int row = t / kColumnDepth, k = t % kColumnDepth;
    a[row][k] = element_of_a(g, corner.row + row, first + k);
    b[t / kColumnTile][x] = element_of_b(g, first + t / kColumnTile, corner.column + x);
    __syncthreads();  // both tiles are complete
    for (int k = 0; k < kColumnDepth; ++k)
      for (int i = 0; i < kColumnSums; ++i) sum[i] += a[y + i][k] * b[k][x];
    __syncthreads();  // everyone has read them
  }
  for (int i = 0; i < kColumnSums; ++i) store(g, corner.row + y + i, corner.column + x, sum[i]);
}

// From here on a thread has several rows and columns of sums, and a block has a tile of kRows x kColumns.
inline constexpr int kRows = 128, kColumns = 128, kDepth = 8;  // of C's tile; columns of A's, rows of B's
inline constexpr int kSums = 8;                                // a thread has kSums x kSums elements of C
inline constexpr int kSpan = kRows / kSums;                    // threads along a side: 16
inline constexpr int kThreads = kSpan * kSpan;                 // 256
static_assert(kRows == kColumns && kRows % kSums == 0, "the tile is a square of threads");

// A's tile is stored column by column, so that a warp reads the elements of one k side by side. Each column is
// padded with four floats. So when rows of A are stored, their elements go to different banks.
struct Tiles {
  float a[kDepth][kRows + 4];
  float b[kDepth][kColumns];
};

// Fetches columns first … first + kDepth - 1 of A, for the tile's rows, and the same rows of B, for its columns. All
// threads of the block call it; threads t, t + 1, … fetch neighbours in memory.
__device__ inline void fetch(const Gemm& g, Corner corner, int first, Tiles& tiles) {
  for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads)
    tiles.a[i % kDepth][i / kDepth] = element_of_a(g, corner.row + i / kDepth, first + i % kDepth);
  for (int i = threadIdx.x; i < kDepth * kColumns; i += kThreads)
    tiles.b[i / kColumns][i % kColumns] = element_of_b(g, first + i / kColumns, corner.column + i % kColumns);
}

// Thread t has the elements of C at rows y + i * kSpan and columns x + j * kSpan of the tile, for i and j in
// 0 … kSums - 1: neighbouring threads have neighbouring columns. A block has kThreads threads.
__global__ void __launch_bounds__(kThreads) gemm_registers(Gemm g) {
  __shared__ Tiles tiles;
  const Corner corner = corner_of(g, kRows, kColumns);
  const int x = threadIdx.x % kSpan, y = threadIdx.x / kSpan;
  float sum[kSums][kSums] = {};
  for (int first = 0; first < g.k; first += kDepth) {
    fetch(g, corner, first, tiles);
    __syncthreads();  // the tiles are complete
    for (int k = 0; k < kDepth; ++k) {
      float a[kSums], b[kSums];
#pragma unroll
      for (int i = 0; i < kSums; ++i) a[i] = tiles.a[k][y + i * kSpan];
#pragma unroll
      for (int j = 0; j < kSums; ++j) b[j] = tiles.b[k][x + j * kSpan];
#pragma unroll
      for (int i = 0; i < kSums; ++i)
#pragma unroll
        for (int j = 0; j < kSums; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // everyone has read them
  }
#pragma unroll
  for (int i = 0; i < kSums; ++i) {
    const int row = corner.row + y + i * kSpan;
    if (row >= g.m) continue;
    float* const of_row = g.c + row * g.ldc;
#pragma unroll
    for (int j = 0; j < kSums; ++j) {
      const int column = corner.column + x + j * kSpan;
      if (column >= g.n) continue;
      float result = g.alpha * sum[i][j];
      if (g.beta != 0.0f) result += g.beta * g.c[row * g.ldb + column];
      of_row[column] = result;
    }
  }
}
// SPDX-License-Identifier: MIT
