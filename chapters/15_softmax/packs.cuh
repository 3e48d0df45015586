// Rows of floats or bfloat16 numbers, which threads move 16 bytes at a time.
#pragma once

#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

// Elements in a pack, the 16 bytes that a lane moves with one instruction. T is float or __nv_bfloat16.
template <typename T> inline constexpr int kPerPack = 16 / int(sizeof(T));

__device__ inline float to_float(float x) { return x; }
__device__ inline float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }

// Rounds to the nearest T, to even where two are equally near.
template <typename T> __device__ T from_float(float x) {
  if constexpr (sizeof(T) == 4) return x;
  else return __float2bfloat16_rn(x);
}

// What a load asks of the caches: nothing, or to keep the line when others must go (PTX ISA: createpolicy, ld).
enum class Keep { as_usual, in_l2, in_l1_and_l2 };

// ANCHOR: keep
__device__ inline uint4 load_pack(const void* from, Keep keep) {
  if (keep == Keep::as_usual) return *static_cast<const uint4*>(from);
  unsigned long long policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
  uint4 pack;
  if (keep == Keep::in_l2) {
    asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(pack.x), "=r"(pack.y), "=r"(pack.z), "=r"(pack.w)
                 : "l"(from), "l"(policy)
                 : "memory");
  } else {
    asm volatile("ld.global.L1::evict_last.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(pack.x), "=r"(pack.y), "=r"(pack.z), "=r"(pack.w)
                 : "l"(from), "l"(policy)
                 : "memory");
  }
  return pack;
}
// ANCHOR_END: keep

// The elements of a pack. A bfloat16 number is the upper half of the float of the same value.
template <typename T> __device__ void unpack(uint4 pack, float (&x)[kPerPack<T>]) {
  const unsigned words[4] = {pack.x, pack.y, pack.z, pack.w};
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    if constexpr (sizeof(T) == 4) {
      x[w] = __uint_as_float(words[w]);
    } else {
      x[2 * w] = __uint_as_float(words[w] << 16);
      x[2 * w + 1] = __uint_as_float(words[w] & 0xffff0000u);
    }
  }
}

template <typename T> __device__ uint4 packed(const float (&x)[kPerPack<T>]) {
  unsigned words[4];
#pragma unroll
  for (int w = 0; w < 4; ++w) {
    if constexpr (sizeof(T) == 4) {
      words[w] = __float_as_uint(x[w]);
    } else {
      const __nv_bfloat162 pair = __floats2bfloat162_rn(x[2 * w], x[2 * w + 1]);
      memcpy(&words[w], &pair, sizeof pair);
    }
  }
  return make_uint4(words[0], words[1], words[2], words[3]);
}

// The largest element of some packs, or -infinity if all are NaN.
template <typename T, int kPacks> __device__ float largest(const uint4 (&packs)[kPacks]) {
  constexpr float kLeast = -__builtin_huge_valf();
  if constexpr (sizeof(T) == 4) {
    float most = kLeast;
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      float x[4];
      unpack<T>(packs[k], x);
#pragma unroll
      for (int e = 0; e < 4; ++e) most = fmaxf(most, x[e]);
    }
    return most;
  } else {
    // Two numbers per instruction. If they were made floats, nvcc 13.0 would keep them all for the next loop,
    // in twice as many registers.
    __nv_bfloat162 most = __floats2bfloat162_rn(kLeast, kLeast);
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const unsigned words[4] = {packs[k].x, packs[k].y, packs[k].z, packs[k].w};
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        __nv_bfloat162 pair;
        memcpy(&pair, &words[w], sizeof pair);
        most = __hmax2(most, pair);
      }
    }
    return fmaxf(__low2float(most), __high2float(most));
  }
}

// One row of a matrix, cut into packs at multiples of 16 bytes. A row may begin between two multiples: then
// the first `before` elements of its first pack lie outside. A row may also end within a pack. kAligned: no
// row does either, and `to` is aligned as `from` is. Then all packs are whole, and a kernel contains no code
// for partial packs.
template <typename T, bool kAligned = false> struct PackedRow {
  const T* from;
  T* to;
  int columns, before = 0;
  bool to_in_packs = true;  // `to` begins as far after a multiple of 16 bytes as `from`

  __device__ PackedRow(const T* in, T* out, int row, int columns)
      : from(in + std::size_t(row) * columns), to(out + std::size_t(row) * columns), columns(columns) {
    if constexpr (!kAligned) {
      before = int(reinterpret_cast<std::uintptr_t>(from) % 16 / sizeof(T));
      to_in_packs = reinterpret_cast<std::uintptr_t>(to) % 16 / sizeof(T) == before;
    }
  }

  // The row's element with which a pack begins. It is negative if the first pack begins before the row.
  __device__ int first_of(int pack) const { return pack * kPerPack<T> - before; }
  __device__ bool is_whole(int pack) const {
    if constexpr (kAligned) return first_of(pack) < columns;
    return first_of(pack) >= 0 && first_of(pack) <= columns - kPerPack<T>;
  }
  // Whether a pack holds some elements of the row, but has room for more.
  __device__ bool is_partial(int pack) const {
    if constexpr (kAligned) return false;
    return !is_whole(pack) && first_of(pack) < columns;
  }

  // One access of 16 bytes. The pack is whole.
  __device__ uint4 load(int pack, Keep keep = Keep::as_usual) const {
    return load_pack(from + first_of(pack), keep);
  }
  // Where a whole pack begins.
  __device__ const T* address(int pack) const { return from + first_of(pack); }

  // Any pack, element by element. Elements outside the row are `filler`.
  __device__ uint4 load_partial(int pack, float filler) const {
    float x[kPerPack<T>];
#pragma unroll
    for (int e = 0; e < kPerPack<T>; ++e) {
      const int i = first_of(pack) + e;
      x[e] = i >= 0 && i < columns ? to_float(from[i]) : filler;
    }
    return packed<T>(x);
  }

  __device__ void store(int pack, const float (&x)[kPerPack<T>]) const {
    // __stcg serves as an ordinary store here. From an assignment, nvcc 13.0 would make one branch of both,
    // which stores element by element.
    if (is_whole(pack) && to_in_packs) __stcg(reinterpret_cast<uint4*>(to + first_of(pack)), packed<T>(x));
    else if constexpr (!kAligned) store_elements(pack, x);
  }

 private:
  __device__ void store_elements(int pack, const float (&x)[kPerPack<T>]) const {
#pragma unroll
    for (int e = 0; e < kPerPack<T>; ++e) {
      const int i = first_of(pack) + e;
      if (i >= 0 && i < columns) to[i] = from_float<T>(x[e]);
    }
  }
};

// The most packs that a row of `columns` elements can touch, wherever it begins.
template <typename T> __host__ __device__ constexpr int packs_of(int columns) {
  return columns == 0 ? 0 : (columns - 1) / kPerPack<T> + 2;
}
// SPDX-License-Identifier: MIT
