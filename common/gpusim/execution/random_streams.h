// cuRAND's generators that can jump ahead: XORWOW (Marsaglia 2003), MRG32k3a (L'Ecuyer 1999) and Philox4x32-10 (Salmon et al.
// 2011). They use NVIDIA's seeds and jumps, so their numbers are the same bit for bit.
#pragma once

#include <array>

#include "base/base.h"

namespace gpusim::libraries {

// Advances the five words of XORWOW by n · 2^log2 numbers. (The sixth word is a counter: d += 362437 for each number.)
void skip_xorwow(u32 words[5], u64 n, u32 log2);

// Moves the six words of MRG32k3a, three of either recurrence, n · 2^log2 numbers on.
void skip_mrg32k3a(u32 words[6], u64 n, u32 log2);

// Seeds like the device's curand_init(seed, subsequence, offset, …).
struct Xorwow {
  u32 d, v[5];
  Xorwow(u64 seed, u64 subsequence, u64 offset);
  u32 next();
};
struct Mrg32k3a {
  u32 s[6];
  Mrg32k3a(u64 seed, u64 subsequence, u64 offset);
  double next();  // 1 … 4294967087
};
// Four numbers: block `counter` of a subsequence.
std::array<u32, 4> philox(u64 seed, u64 subsequence, u64 counter);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
