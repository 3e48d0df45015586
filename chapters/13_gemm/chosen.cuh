// Chapter 13 · The last step: it chooses the tiles that suit the shape, and may first copy A and B to aligned rows.
#pragma once

#include <warp_tiles.cuh>

#include <algorithm>

// Copies rows of `columns` floats, `row_step` apart, to `to_rows` rows of `to_step` floats each, a multiple of 4.
// Elements that the matrix does not have become 0. The grid may have any size.
struct Copy {
  const float* from;
  int rows, columns, row_step;
  float* to;
  int to_rows, to_step;
};
__device__ inline void copy_share(const Copy& copy) {
  const int threads = gridDim.x * blockDim.x;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < copy.to_rows * copy.to_step; i += threads) {
    const int row = i / copy.to_step, column = i % copy.to_step;
    const bool exists = row < copy.rows && column < copy.columns;
    copy.to[i] = exists ? copy.from[row * copy.row_step + column] : 0.0f;
  }
}
__global__ void copy_both(Copy a, Copy b) {
  copy_share(a);
  copy_share(b);
}

// Room on the device for copies, which grows and is kept until the program ends: cuBLAS keeps such a workspace, too.
class Workspace {
 public:
  // Returns room for `floats` floats, or nullptr if there is not enough memory.
  float* room_for(std::size_t floats) {
    if (floats <= floats_) return data_;
    cudaFree(data_);
    floats_ = cudaMalloc(&data_, floats * sizeof(float)) == cudaSuccess ? floats : 0;
    if (floats_ == 0) data_ = nullptr, cudaGetLastError();  // the caller can do without
    return data_;
  }
  ~Workspace() { cudaFree(data_); }

 private:
  float* data_ = nullptr;
  std::size_t floats_ = 0;
};

// The same product, with A and B copied to rows of whole groups of 4 and padded with zeros: k grows to a multiple of 4.
// Returns g unchanged if there is no room for the copies.
inline Gemm with_copies(const Gemm& g) {
  static Workspace workspace;
  const auto in_fours = [](int length) { return (length - 1) / 4 * 4 + 4; };
  Gemm copied = g;
  copied.k = copied.lda = in_fours(g.k);
  copied.ldb = in_fours(g.n);
  const std::size_t floats_of_a = std::size_t(g.m) * copied.lda;
  float* const a = workspace.room_for(floats_of_a + std::size_t(copied.k) * copied.ldb);
  if (a == nullptr) return g;
  float* const b = a + floats_of_a;
  constexpr int kCopyBlocks = 2048, kCopyThreads = 256;
  copy_both<<<kCopyBlocks, kCopyThreads>>>({g.a, g.m, g.k, g.lda, a, g.m, copied.lda},
                                           {g.b, g.k, g.n, g.ldb, b, copied.k, copied.ldb});
  copied.a = a;
  copied.b = b;
  return copied;
}

// ANCHOR: choice
using Slender = Plan<64, 128, 16, 8, 8, 3>;
using Small = Plan<64, 128, 16, 8, 4, 2>;  // the same tile, twice the threads
using Tiny = Plan<64, 64, 16, 8, 4, 4>;

// Multiply-adds per second of one multiprocessor, in 10^9: with one block alone, and full, with as many as fit.
struct Speed {
  double alone, full;
};
// Measured on an H200. On other GPUs all of these numbers differ, but their ratios differ less.
template <typename P> inline constexpr Speed kSpeed = {};
template <> inline constexpr Speed kSpeed<Square> = {164, 187};
template <> inline constexpr Speed kSpeed<Slender> = {122, 176};
template <> inline constexpr Speed kSpeed<Small> = {127, 155};
template <> inline constexpr Speed kSpeed<Tiny> = {79, 144};

// How long the multiprocessor with the most blocks takes for each k, in ns.
template <typename P> double time_of(const Gemm& g, int multiprocessors) {
  const int blocks = tiles_along(blocks_of(g, P::kRows, P::kColumns), multiprocessors);
  const int at_last = blocks % P::kBlocksPerSm;  // run together at the end; until then, as many as fit
  constexpr Speed speed = kSpeed<P>;
  const double added = (speed.full - speed.alone) / (P::kBlocksPerSm - 1);
  const double last = at_last == 0 ? 0 : at_last / (speed.alone + (at_last - 1) * added);
  return P::kRows * P::kColumns * ((blocks - at_last) / speed.full + last);
}

inline int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&value, which, device);
  return value;
}

// A copy reads and writes each element once more, but an element of A takes part in n products, one of B in m. From
// a few hundred products on, aligned rows save more time than the copy takes.
inline constexpr double kWorthCopying = 1.0 / 128;

// Computes C by the fastest of four plans. If rows are not in fours, it may copy the matrices to a workspace first.
inline void launch_gemm(const Gemm& given) {
  if (is_small(given)) return;
  const bool in_fours = is_in_fours(given.a, given.k, given.lda) && is_in_fours(given.b, given.n, given.ldb);
  const bool copies = !in_fours && 1.0 / given.m + 1.0 / given.n < kWorthCopying;
  const Gemm g = copies ? with_copies(given) : given;
  if (!in_fours && g.a == given.a) return launch_two_tiles<Square, AcrossTheBlock, 1>(g);

  const int multiprocessors = attribute(cudaDevAttrMultiProcessorCount);
  const double square = time_of<Square>(g, multiprocessors), slender = time_of<Slender>(g, multiprocessors),
               small = time_of<Small>(g, multiprocessors), tiny = time_of<Tiny>(g, multiprocessors);
  const double least = std::min({square, slender, small, tiny});
  if (square == least) return launch_two_tiles<Square, AcrossTheBlock, 4>(g);
  if (slender == least) return launch_two_tiles<Slender, WarpTiles, 4>(g);

  const double bytes = sizeof(float) * (double(g.m) * g.k + double(g.k) * g.n);
  const bool prefetch = !copies && bytes < attribute(cudaDevAttrL2CacheSize) / 2;
  if (small == least) launch_two_tiles<Small, AcrossTheBlock, 4>(g, prefetch);
  else launch_two_tiles<Tiny, AcrossTheBlock, 4>(g, prefetch);
}
// ANCHOR_END: choice
// SPDX-License-Identifier: MIT
