// Tensor cores: nvcuda::wmma on top of the warp's matrix products, mma.sync. CUDA does not define which lane holds which
// element; here it is as in mma.sync.
#pragma once
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include "gpusim/detail/matrix_fragments.h"
#include "gpusim/detail/matrix_products.h"

namespace nvcuda::wmma {

template <class Use, int M, int N, int K, class T, class Layout>
__device__ void fill_fragment(fragment<Use, M, N, K, T, Layout>& f, const detail::Storage<T>& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

// From `ldm` elements a row (or column) in memory.
template <class Use, int M, int N, int K, class T, class Layout>
__device__ void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& f, const detail::Storage<T>* from,
                                 unsigned ldm) {
  using Map = detail::FactorMap<Use, M, N, K, T>;
  constexpr bool depth_is_beside = detail::is_same<Use, matrix_a> == detail::is_same<Layout, row_major>;
#pragma unroll
  for (int i = 0; i < Map::count; i += Map::packed) {
    const detail::Place at = Map::place(i);
    if constexpr (depth_is_beside) {  // the elements of a register
      detail::copy_word(&f.x[i], from + at.index * ldm + at.depth, Map::packed);
    } else {
      for (int e = 0; e < Map::packed; ++e) f.x[i + e] = from[(at.depth + e) * ldm + at.index];
    }
  }
  for (int i = Map::count; i < f.num_elements; ++i) f.x[i] = f.x[i % Map::count];
}
template <int M, int N, int K, class T>
__device__ void load_matrix_sync(fragment<accumulator, M, N, K, T>& f, const T* from, unsigned ldm,
                                 layout_t layout) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) {
    const detail::Place at = detail::sum_place<M, N, T>(i);
    f.x[i] = from[layout == mem_row_major ? at.index * ldm + at.depth : at.depth * ldm + at.index];
  }
}
template <int M, int N, int K, class T>
__device__ void store_matrix_sync(T* to, const fragment<accumulator, M, N, K, T>& f, unsigned ldm,
                                  layout_t layout) {
#pragma unroll
  for (int i = 0; i < f.num_elements; ++i) {
    const detail::Place at = detail::sum_place<M, N, T>(i);
    to[layout == mem_row_major ? at.index * ldm + at.depth : at.depth * ldm + at.index] = f.x[i];
  }
}

// d = a · b + c. In 8 x 32 the transposed matrices are multiplied: b is the one with many rows.
template <int M, int N, int K, class T, class La, class Lb, class D, class C>
__device__ void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, T, La>& a,
                         const fragment<matrix_b, M, N, K, T, Lb>& b,
                         const fragment<accumulator, M, N, K, C>& c, bool saturate = false) {
  constexpr bool swapped = detail::is_swapped<M, T>;
  constexpr int rows = detail::rows_of_product<T>, tall = (swapped ? N : M) / rows,
                wide = (swapped ? M : N) / 8;
  const auto& many = [&]() -> auto& {
    if constexpr (swapped) return b;
    else return a;
  }();
  const auto& few = [&]() -> auto& {
    if constexpr (swapped) return a;
    else return b;
  }();
  constexpr int of_many = rows * K / 32, of_few = 8 * K / 32, of_sum = rows * 8 / 32;
#pragma unroll
  for (int i = 0; i < tall; ++i)
#pragma unroll
    for (int j = 0; j < wide; ++j) {
      const int tile = (i * wide + j) * of_sum;
      detail::multiply<K, T>(&d.x[tile], &many.x[i * of_many], &few.x[j * of_few], &c.x[tile], saturate);
    }
}

}  // namespace nvcuda::wmma

#pragma clang attribute pop
#endif
// SPDX-License-Identifier: MIT
