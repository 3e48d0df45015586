// What a lane holds of a matrix of wmma's: elements of 16 x 8 products (of double: 8 x 8), tile by tile.
#pragma once

namespace nvcuda::wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}

namespace detail {

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

template <class T>
struct Stored {
  using type = T;
};
template <>
struct Stored<precision::tf32> {
  using type = float;
};
template <class T>
using Storage = typename Stored<T>::type;

template <class T>
inline constexpr bool is_byte = is_same<T, signed char> || is_same<T, unsigned char>;
template <class T>
inline constexpr bool is_16_bits = is_same<T, __half> || is_same<T, __nv_bfloat16>;

// Shapes that exist, of the matrices that are multiplied.
template <int M, int N, int K, class T>
inline constexpr bool exists =
    is_same<T, double> ? M == 8 && N == 8 && K == 4
    : is_same<T, precision::tf32>
        ? M == 16 && N == 16 && K == 8
        : (is_byte<T> || is_16_bits<T>) && K == 16 && M * N == 256 && (M == 8 || M == 16 || M == 32);
template <int M, int N, int K, class T>
inline constexpr bool has_sums =
    is_same<T, double>   ? exists<M, N, K, double>
    : is_same<T, int>    ? exists<M, N, K, signed char>
    : is_same<T, __half> ? exists<M, N, K, __half>
                         : is_same<T, float> && (exists<M, N, K, __half> || exists<M, N, K, precision::tf32>);

template <class T>
inline constexpr int rows_of_product = is_same<T, double> ? 8 : 16;
template <int M, class T>
inline constexpr bool is_swapped = M == 8 && !is_same<T, double>;

struct Place {
  int index, depth;  // of a factor: row of a or column of b, and along k; of a sum: row and column
};
__device__ inline int lane() { return int(__nvvm_read_ptx_sreg_laneid()); }

// A factor's elements.
template <class Use, int M, int N, int K, class T>
struct FactorMap {
  static constexpr bool is_a = is_same<Use, matrix_a>;
  static constexpr int rows = is_a != is_swapped<M, T> ? rows_of_product<T> : 8;  // of a tile
  static constexpr int packed = sizeof(Storage<T>) < 4 ? 4 / sizeof(Storage<T>) : 1;
  static constexpr int count = (is_a ? M : N) * K / 32, of_tile = rows * K / 32;
  __device__ static Place place(int i) {
    const int tile = i / of_tile, word = i % of_tile / packed, e = i % packed;
    const int low = rows == 16 ? word & 1 : 0, step = rows == 16 ? word >> 1 : word;
    return {tile * rows + lane() / 4 + 8 * low, lane() % 4 * packed + e + step * 4 * packed};
  }
};
template <int M, int N, class T>
__device__ Place sum_place(int i) {
  constexpr bool swapped = is_swapped<M, T>;
  constexpr int rows = rows_of_product<T>, of_tile = rows / 4, wide = (swapped ? M : N) / 8;
  const int tile = i / of_tile, e = i % of_tile;
  const int row = tile / wide * rows + lane() / 4 + 8 * (e >> 1),
            column = tile % wide * 8 + lane() % 4 * 2 + (e & 1);
  return swapped ? Place{column, row} : Place{row, column};
}

// Adjacent elements; as one word if they are smaller than a word.
template <class T>
__device__ void copy_word(T* to, const T* from, int count) {
  if (sizeof(T) * count == 4) __builtin_memcpy(to, __builtin_assume_aligned(from, 4), 4);
  else *to = *from;
}

template <class T, int Count>
struct Elements {
  static constexpr int num_elements = Count, num_storage_elements = Count;
  using element_type = T;
  using storage_element_type = T;
  T x[Count];
};
// Of halves CUDA holds each element of a factor twice.
template <class Use, int M, int N, int K, class T>
inline constexpr int elements_of_factor = is_same<T, __half> ? 16 : FactorMap<Use, M, N, K, T>::count;

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
class fragment : public detail::Elements<detail::Storage<T>, detail::elements_of_factor<Use, M, N, K, T>> {
  static_assert(detail::exists<M, N, K, T>,
                "the simulated GPU does not have fragments of this shape and type; run this on a GPU");
};
template <int M, int N, int K, class T>
class fragment<accumulator, M, N, K, T, void> : public detail::Elements<T, M * N / 32> {
  static_assert(detail::has_sums<M, N, K, T>,
                "the simulated GPU does not have accumulators of this shape and type; run this on a GPU");
};

// As many bits as tf32 has, rounded to the nearest, ties away from zero.
__device__ inline float __float_to_tf32(float value) {
  const unsigned bits = __float_as_uint(value);
  return (bits & 0x7f800000u) == 0x7f800000u ? value : __uint_as_float((bits + 0x1000u) & ~0x1fffu);
}

}  // namespace nvcuda::wmma
// SPDX-License-Identifier: MIT
