// What the kernels of several fields share: random numbers of the host, and arrays as words of another width.
#pragma once

#include "program.cuh"

#include <cuda_fp16.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace outside {

// The kernels' times were taken with the numbers of this generator, so it stays as it is.
struct Rng {
  uint64_t s;
  explicit Rng(uint64_t seed) : s(seed * 0x9E3779B97F4A7C15ull + 1) {}
  uint32_t next() {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    return uint32_t(s >> 32);
  }
  // From 0 up to 1 without 1 itself.
  float uni() { return float(next() >> 8) * (1.0f / 16777216.0f); }
  uint32_t below(uint32_t n) { return uint32_t((uint64_t(next()) * n) >> 32); }
};

inline std::vector<float> host_f32(size_t n, uint64_t seed, float lo, float hi) {
  std::vector<float> h(n);
  Rng r(seed);
  for (size_t i = 0; i < n; ++i) h[i] = lo + (hi - lo) * r.uni();
  return h;
}

inline std::vector<uint8_t> host_u8(size_t n, uint64_t seed) {
  std::vector<uint8_t> h(n);
  Rng r(seed);
  for (size_t i = 0; i < n; ++i) h[i] = uint8_t(r.next() >> 24);
  return h;
}

inline std::vector<uint32_t> host_u32(size_t n, uint64_t seed) {
  std::vector<uint32_t> h(n);
  Rng r(seed);
  for (size_t i = 0; i < n; ++i) h[i] = r.next();
  return h;
}

// The same bytes as an array of wider or narrower words.
template <class Word, class T>
Word* as(const Array<T>& array) {
  return reinterpret_cast<Word*>(array.data());
}

__device__ __forceinline__ int clampi(int v, int lo, int hi) { return v < lo ? lo : (v > hi ? hi : v); }

}  // namespace outside
// SPDX-License-Identifier: MIT
