// Chapter 13 · The next steps: 16 bytes per access, two tiles in turn, lanes that share what they read.
//
// The three kernels of this file share their code. They differ in how many tiles a block keeps (one, or two in turn) and
// in which elements of C a lane has. You need not edit this file.
#pragma once

#include <kernels.cuh>

// How a block divides its work: it makes a tile of kRows x kColumns of C, from kDepth columns of A and rows of B at a time;
// a thread has kSumRows x kSumColumns sums, and kBlocksPerSm blocks should fit on a multiprocessor.
template <int kRows_, int kColumns_, int kDepth_, int kSumRows_, int kSumColumns_, int kBlocksPerSm_>
struct Plan {
  static constexpr int kRows = kRows_, kColumns = kColumns_, kDepth = kDepth_;
  static constexpr int kSumRows = kSumRows_, kSumColumns = kSumColumns_, kBlocksPerSm = kBlocksPerSm_;
  static constexpr int kThreads = kRows / kSumRows * (kColumns / kSumColumns);
  static_assert(kDepth % 8 == 0 && kSumRows % 4 == 0 && kSumColumns % 4 == 0, "accesses of 16 bytes");
};

// Where the sums of a thread lie in the tile: in groups of 4 x 4, the next 4 rows `row_step` further down, the
// next 4 columns `column_step` further right. So a thread reads 16 bytes at a time.
struct Place {
  int row, column, row_step, column_step;
};

// ANCHOR: places
// Threads go row by row over the whole tile. With Square, a warp reads 2 groups of rows of A and 16 of columns of B.
struct AcrossTheBlock {
  template <typename P> static __device__ Place of(int thread) {
    constexpr int kAcross = P::kColumns / P::kSumColumns;
    return {thread / kAcross * 4, thread % kAcross * 4, P::kRows / P::kSumRows * 4, kAcross * 4};
  }
};

// A warp of 4 x 8 lanes has a tile of its own in the block's tile. A shared load of 16 bytes serves 16 lanes at once if
// lane and lane ^ 1, or lane and lane ^ 2, ask for the same. So lane ^ 1 is the one below, and lane ^ 2 the one beside.
// Then each load of A takes a warp 2 wavefronts, and so does each load of B.
struct WarpTiles {
  template <typename P> static __device__ Place of(int thread) {
    constexpr int kLanesAcross = P::kSumColumns == 16 ? 4 : 8, kLanesDown = 32 / kLanesAcross;
    constexpr int kWarpRows = kLanesDown * P::kSumRows, kWarpColumns = kLanesAcross * P::kSumColumns;
    constexpr int kAcross = P::kColumns / kWarpColumns;
    const int warp = thread / 32, lane = thread % 32;
    const int down = lane / (2 * kLanesAcross) * 2 + lane % 2, across = lane / 2 % kLanesAcross;
    return {warp / kAcross * kWarpRows + down * 4, warp % kAcross * kWarpColumns + across * 4, kLanesDown * 4,
            kLanesAcross * 4};
  }
};
// ANCHOR_END: places

// kVector neighbouring floats, 4 or 1, in one access.
template <int kVector> __device__ __forceinline__ void copy_vector(float* to, const float* from) {
  if constexpr (kVector == 4) {
    const float4 four = *reinterpret_cast<const float4*>(from);
    to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
  } else {
    *to = *from;
  }
}
__device__ inline void store_four(float* to, float x, float y, float z, float w) {
  *reinterpret_cast<float4*>(to) = make_float4(x, y, z, w);
}

template <typename P> struct alignas(16) SharedTiles {
  float a[P::kDepth][P::kRows + 4];  // as in kernels.cuh: column by column, each padded with 4 floats
  float b[P::kDepth][P::kColumns];
};

// What a thread carries from global to shared memory: its share of the next tiles, kept in registers on the way. Past
// the last row of A or column of B it loads the last one again: those products are never stored. If k ends
// within a tile, the tile begins earlier, so that all of it exists, and elements that were multiplied before become 0. So
// loads need no test for an edge, and nothing waits for them until they are stored. k is at least kDepth. If
// kVector is 4, rows are in fours (see is_in_fours); those of B may end in zeros that belong to no column of C.
template <typename P, int kVector> struct Carrier {
  static constexpr int kOfA = P::kRows * P::kDepth / kVector / P::kThreads;
  static constexpr int kOfB = P::kDepth * P::kColumns / kVector / P::kThreads;
  float a[kOfA][kVector], b[kOfB][kVector];
  int from_a[kOfA], from_b[kOfB];  // the elements' places in A and B, for the first tiles
  int done = 0;  // how many columns of A's tile, and rows of B's, the tile before had already

  // Where vector j of A's tile lies: 16 lanes take 16 rows, so that storing columns causes no bank conflict.
  static __device__ int row_of(int j) {
    if constexpr (kVector == 4) return (threadIdx.x / 2 + j * (P::kThreads / 2)) % P::kRows;
    return (threadIdx.x + j * P::kThreads) / P::kDepth;
  }
  static __device__ int depth_of(int j) {
    if constexpr (kVector == 4)
      return (threadIdx.x / 2 + j * (P::kThreads / 2)) / P::kRows * 8 + threadIdx.x % 2 * 4;
    return (threadIdx.x + j * P::kThreads) % P::kDepth;
  }
  static __device__ int vector_of_b(int j) {
    return (threadIdx.x + j * P::kThreads) * kVector;
  }  // in the tile

  __device__ __forceinline__ Carrier(const Gemm& g, Corner corner) {
#pragma unroll
    for (int j = 0; j < kOfA; ++j) from_a[j] = min(corner.row + row_of(j), g.m - 1) * g.lda + depth_of(j);
#pragma unroll
    for (int j = 0; j < kOfB; ++j) {
      const int column = corner.column + vector_of_b(j) % P::kColumns;
      from_b[j] = vector_of_b(j) / P::kColumns * g.ldb + min(column, (g.n - 1) / kVector * kVector);
    }
  }

  // Loads columns first … first + kDepth - 1 of A and the same rows of B, or the last kDepth if fewer are left.
  __device__ __forceinline__ void load(const Gemm& g, int first) {
    const int from = min(first, g.k - P::kDepth);
    done = first - from;
    const float* const in_a = g.a + from;
    const float* const in_b = g.b + from * g.ldb;
#pragma unroll
    for (int j = 0; j < kOfA; ++j) copy_vector<kVector>(a[j], in_a + from_a[j]);
#pragma unroll
    for (int j = 0; j < kOfB; ++j) copy_vector<kVector>(b[j], in_b + from_b[j]);
  }

  __device__ __forceinline__ void store(SharedTiles<P>& tiles) {
    if (done > 0) forget_what_is_done();
#pragma unroll
    for (int j = 0; j < kOfA; ++j)
#pragma unroll
      for (int e = 0; e < kVector; ++e) tiles.a[depth_of(j) + e][row_of(j)] = a[j][e];
#pragma unroll
    for (int j = 0; j < kOfB; ++j) {
      float* const to = &tiles.b[0][0] + vector_of_b(j);
      if constexpr (kVector == 4) store_four(to, b[j][0], b[j][1], b[j][2], b[j][3]);
      else *to = b[j][0];
    }
  }

  // Sets both factors to 0, because 0 times an infinity would be NaN.
  __device__ __forceinline__ void forget_what_is_done() {
#pragma unroll
    for (int j = 0; j < kOfA; ++j)
#pragma unroll
      for (int e = 0; e < kVector; ++e)
        if (depth_of(j) + e < done) a[j][e] = 0.0f;
#pragma unroll
    for (int j = 0; j < kOfB; ++j)
#pragma unroll
      for (int e = 0; e < kVector; ++e)
        if (vector_of_b(j) / P::kColumns < done) b[j][e] = 0.0f;
  }
};

// The elements of one k that a thread multiplies: a column of A's tile, a row of B's.
template <typename P> struct Factors {
  float a[P::kSumRows], b[P::kSumColumns];
  __device__ __forceinline__ void load(const SharedTiles<P>& tiles, int k, Place place) {
#pragma unroll
    for (int i = 0; i < P::kSumRows; i += 4)
      copy_vector<4>(&a[i], &tiles.a[k][place.row + i / 4 * place.row_step]);
#pragma unroll
    for (int j = 0; j < P::kSumColumns; j += 4)
      copy_vector<4>(&b[j], &tiles.b[k][place.column + j / 4 * place.column_step]);
  }
};

template <typename P> struct Sums {
  float of[P::kSumRows][P::kSumColumns] = {};

  // Every other row goes backwards, so that each multiply-add shares a factor with the one before it: the register
  // that holds this factor need not be read again.
  __device__ __forceinline__ void add(const Factors<P>& factors) {
#pragma unroll
    for (int i = 0; i < P::kSumRows; ++i)
#pragma unroll
      for (int step = 0; step < P::kSumColumns; ++step) {
        const int j = i % 2 ? P::kSumColumns - 1 - step : step;
        of[i][j] += factors.a[i] * factors.b[j];
      }
  }

  __device__ __forceinline__ void store_all(const Gemm& g, Corner corner, Place place, bool in_fours) const {
#pragma unroll
    for (int i = 0; i < P::kSumRows; ++i) {
      const int row = corner.row + place.row + i / 4 * place.row_step + i % 4;
#pragma unroll
      for (int j = 0; j < P::kSumColumns; j += 4) {
        const int column = corner.column + place.column + j / 4 * place.column_step;
        if (in_fours && g.beta == 0.0f) {
          if (row < g.m && column < g.n)
            store_four(&g.c[row * g.ldc + column], g.alpha * of[i][j], g.alpha * of[i][j + 1],
                       g.alpha * of[i][j + 2], g.alpha * of[i][j + 3]);
        } else {
#pragma unroll
          for (int e = 0; e < 4; ++e) store(g, row, column + e, of[i][j + e]);
        }
      }
    }
  }
};

// Blocks that run at about the same time should use the same rows of A and columns of B: the L2 cache then has them.
// So blocks take C in bands that are kBand tiles high, and each band column by column.
template <typename P> __device__ Corner corner_in_bands(const Gemm& g) {
  constexpr int kBand = 8;
  const int down = tiles_along(g.m, P::kRows), across = tiles_along(g.n, P::kColumns), block = blockIdx.x;
  const int first = block / (kBand * across) * kBand, height = min(kBand, down - first);
  const int in_band = block - first * across;
  return {(first + in_band % height) * P::kRows, in_band / height * P::kColumns};
}

// One tile: fetch, wait, multiply, wait. One block of P::kThreads threads for each tile of C.
template <typename P, int kVector> __global__ void __launch_bounds__(P::kThreads, P::kBlocksPerSm)
    gemm_one_tile(Gemm g) {
  __shared__ SharedTiles<P> tiles;
  const Corner corner = corner_in_bands<P>(g);
  const Place place = AcrossTheBlock::of<P>(threadIdx.x);
  Carrier<P, kVector> carrier(g, corner);
  Sums<P> sums;
  Factors<P> factors;
  for (int first = 0; first < g.k; first += P::kDepth) {
    carrier.load(g, first);
    carrier.store(tiles);
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int k = 0; k < P::kDepth; ++k) {
      factors.load(tiles, k, place);
      sums.add(factors);
    }
    __syncthreads();  // everyone has read them
  }
  sums.store_all(g, corner, place, kVector == 4);
}

struct Hints {
  bool c_in_fours;  // rows of C begin at multiples of 16 bytes and consist of whole groups of 4
  bool prefetch;    // A and B fit into the L2 cache, and are not there yet
};

// A small product has few blocks. Each would wait for memory at every tile, because it has only one tile's loads in flight.
// So first the grid asks for both matrices, every thread for some lines of 128 bytes. They reach L2 while the first
// tiles are multiplied.
// ANCHOR: prefetch
__device__ inline void prefetch_share(const float* matrix, int rows, int columns, int row_step) {
  constexpr int kLine = 128 / sizeof(float);
  const int lines = (columns - 1) / kLine + 1, threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows * lines; i += threads) {
    const float* const line = matrix + i / lines * row_step + i % lines * kLine;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
  }
}
__device__ inline void prefetch_share_of_both(const Gemm& g) {
  prefetch_share(g.a, g.m, g.k, g.lda);
  prefetch_share(g.b, g.k, g.n, g.ldb);
}
// ANCHOR_END: prefetch

// Multiplies the tiles `now`, which begin at column `first` of A. Meanwhile the next ones come from global memory into
// registers, and are stored to `next` before the last k is multiplied. The factors of a k are loaded while those before
// them are multiplied. The function is inlined, so that all arrays stay in registers.
// ANCHOR: two_tiles
template <typename P, int kVector>
__device__ __forceinline__ void multiply(const Gemm& g, int first, const SharedTiles<P>& now,
                                         SharedTiles<P>& next, Place place, Carrier<P, kVector>& carrier,
                                         Factors<P> (&factors)[2], Sums<P>& sums) {
  const bool more = first + P::kDepth < g.k;
  if (more) carrier.load(g, first + P::kDepth);
#pragma unroll
  for (int k = 0; k < P::kDepth; ++k) {
    if (k + 1 < P::kDepth) {
      factors[(k + 1) % 2].load(now, k + 1, place);
    } else if (more) {
      carrier.store(next);
      __syncthreads();  // the next tiles are complete, and nobody reads these any more
      factors[0].load(next, 0, place);
    }
    sums.add(factors[k % 2]);
  }
}

// Two tiles in turn, with one barrier for each. `hints` says what else the host knows about the matrices.
template <typename P, typename Places, int kVector>
__global__ void __launch_bounds__(P::kThreads, P::kBlocksPerSm) gemm_two_tiles(Gemm g, Hints hints) {
  __shared__ SharedTiles<P> tiles[2];
  if (hints.prefetch) prefetch_share_of_both(g);
  const Corner corner = corner_in_bands<P>(g);
  const Place place = Places::template of<P>(threadIdx.x);
  Carrier<P, kVector> carrier(g, corner);
  Sums<P> sums;
  Factors<P> factors[2];
  carrier.load(g, 0);
  carrier.store(tiles[0]);
  __syncthreads();  // the first tiles are complete
  factors[0].load(tiles[0], 0, place);
  if constexpr (P::kDepth * P::kSumRows * P::kSumColumns <= 512) {
    // The body stands here twice, so that the compiler knows which tiles are which and computes no addresses.
    for (int first = 0; first < g.k; first += 2 * P::kDepth) {
      multiply(g, first, tiles[0], tiles[1], place, carrier, factors, sums);
      if (first + P::kDepth >= g.k) break;
      multiply(g, first + P::kDepth, tiles[1], tiles[0], place, carrier, factors, sums);
    }
  } else {  // a long body is slower if it is written twice
#pragma unroll 1
    for (int first = 0, now = 0; first < g.k; first += P::kDepth, now = 1 - now)
      multiply(g, first, tiles[now], tiles[1 - now], place, carrier, factors, sums);
  }
  sums.store_all(g, corner, place, hints.c_in_fours);
}
// ANCHOR_END: two_tiles

// Whether every row begins on a 16-byte boundary and holds whole groups of 4, so that 16 bytes can be moved at once.
inline bool is_in_fours(const float* matrix, int columns, int row_step) {
  return reinterpret_cast<unsigned long long>(matrix) % 16 == 0 && (columns | row_step) % 4 == 0;
}
inline bool is_c_in_fours(const Gemm& g) { return is_in_fours(g.c, g.n, g.ldc); }
inline bool is_in_fours(const Gemm& g) {
  return is_in_fours(g.a, g.k, g.lda) && is_in_fours(g.b, g.n, g.ldb) && is_c_in_fours(g);
}

// A Carrier needs a last row, a last column and a whole tile of k. gemm_registers makes the few products without them.
inline constexpr int kLeastDepth = 16;
inline bool is_small(const Gemm& g) {
  if (g.m > 0 && g.n > 0 && g.k >= kLeastDepth) return false;
  gemm_registers<<<blocks_of(g, kRows, kColumns), kThreads>>>(g);
  return true;
}

using Square = Plan<kRows, kColumns, kDepth, kSums, kSums, 2>;  // as in kernels.cuh

inline void launch_gemm_vector(const Gemm& g) {
  if (is_small(g)) return;
  const int blocks = blocks_of(g, Square::kRows, Square::kColumns);
  if (is_in_fours(g)) gemm_one_tile<Square, 4><<<blocks, Square::kThreads>>>(g);
  else gemm_one_tile<Square, 1><<<blocks, Square::kThreads>>>(g);
}

template <typename P, typename Places, int kVector> void launch_two_tiles(const Gemm& g,
                                                                          bool prefetch = false) {
  const int blocks = blocks_of(g, P::kRows, P::kColumns);
  gemm_two_tiles<P, Places, kVector><<<blocks, P::kThreads>>>(g, {is_c_in_fours(g), prefetch});
}
inline void launch_gemm_buffered(const Gemm& g) {
  if (is_small(g)) return;
  if (is_in_fours(g)) launch_two_tiles<Square, AcrossTheBlock, 4>(g);
  else launch_two_tiles<Square, AcrossTheBlock, 1>(g);
}
inline void launch_gemm_warp_tiles(const Gemm& g) {
  if (is_small(g)) return;
  if (is_in_fours(g)) launch_two_tiles<Square, WarpTiles, 4>(g);
  else launch_two_tiles<Square, WarpTiles, 1>(g);
}
// SPDX-License-Identifier: MIT
