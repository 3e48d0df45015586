// Lane addresses of one warp access, for the tests of the counters.
#pragma once

#include <algorithm>
#include <array>
#include <random>

#include "base/base.h"

namespace gpusim::test {

using Addresses = std::array<u64, kWarpSize>;

// What lanes outside the mask hold: using it would give an absurd count.
inline constexpr u64 kInvalid = 0xdead000000000000u;

// Lane i at base + i * stride, in bytes.
inline Addresses strided(u64 base, u64 stride) {
  Addresses a;
  for (u32 lane = 0; lane < kWarpSize; ++lane) a[lane] = base + lane * stride;
  return a;
}

inline Addresses reversed(Addresses a) {
  std::reverse(a.begin(), a.end());
  return a;
}

// The lanes outside the mask hold kInvalid.
inline Addresses only(Mask mask, Addresses a) {
  for (u32 lane = 0; lane < kWarpSize; ++lane)
    if ((mask >> lane & 1) == 0) a[lane] = kInvalid;
  return a;
}

// All 32 lanes at every even spacing of up to 73 bytes, and at 16 times those; from several starts, aligned
// or not.
template <class F>
void for_each_even_spacing(F check) {
  for (const u32 bytes : {1, 2, 4, 8, 16})
    for (s64 step = -73; step <= 73; ++step)
      for (u64 base = 1 << 20; base < (1 << 20) + 64; base += bytes < 4 ? bytes : 4) {
        check(strided(base, u64(step)), bytes);
        check(strided(base, u64(step * 16)), bytes);
      }
}

struct RandomAccess {
  Addresses address;
  Mask mask;
  u32 bytes;
};

// Aligned accesses of every size and shape: permutations, gathers from windows small and large, any mask.
inline RandomAccess random_access(std::mt19937& random) {
  RandomAccess a;
  a.bytes = 1u << random() % 5;
  a.mask = random() % 3 == 0 ? kAllLanes : random() % 2 == 0 ? Mask(random()) : Mask(random() & random());
  if (a.mask == 0) a.mask = 1u << random() % kWarpSize;
  const u64 base = 4096 + 16 * (random() % 64);
  if (random() % 2 == 0) {
    a.address = strided(base, a.bytes * (u64(1) << random() % 6));
    std::shuffle(a.address.begin(), a.address.end(), random);
  } else {
    const u32 window = 1u << random() % 12;  // elements
    for (u64& address : a.address) address = base + a.bytes * (random() % window);
  }
  a.address = only(a.mask, a.address);
  return a;
}

// Aligned accesses of a full warp in rows, which may overlap: f(address, bytes, row).
template <class F> void for_random_rows(F f) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const u32 row = 8u << random() % 3, bytes = 1u << random() % 5, window = 1u << random() % 8;
    const u64 step = u64(bytes) * std::array<u64, 6>{0, 1, 1, 2, 33, u64(0) - 1}[random() % 6];
    Addresses address;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      address[lane] =
          lane % row ? address[lane - 1] + step : 65536 + 16 * (random() % 4) + bytes * (random() % window);
    f(address, bytes, row);
  }
}

}  // namespace gpusim::test
// SPDX-License-Identifier: MIT
