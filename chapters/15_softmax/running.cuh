// What a thread has seen of a row: the largest element, and the sum of exp(element - largest).
#pragma once

#include <cuda_runtime.h>

inline constexpr unsigned kWholeWarp = 0xffffffff;
inline constexpr float kMinusInfinity = -__builtin_huge_valf();

// e^x with an error of at most (2 + 1.2 |x|) 2^-23 times the result. The GPU computes 2^y in one instruction,
// and x log2(e) = y is rounded: the further x is from 0, the more that matters. A result below 2^-126 becomes
// 0.
__device__ inline float exponential(float x) {
  constexpr float kLog2OfE = 1.44269504f;
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x * kLog2OfE));
  return result;
}

// ANCHOR: running
struct Running {
  float most;  // the largest element so far
  float sum;   // of exp(x - most) for all elements x so far

  // What is subtracted from each element. If all are -inf, -inf - (-inf) would be NaN, and stay in the sum
  // even if a finite element followed. With 0, they add exp(-inf) = 0.
  __device__ float shift() const { return most == kMinusInfinity ? 0.0f : most; }
};

// Before the first element.
inline constexpr Running kNothingSeen = {kMinusInfinity, 0.0f};
// ANCHOR_END: running

// ANCHOR: merge
// What two threads have seen together. Each sum was taken with its own maximum subtracted. But exp(a - m) is
// exp(a - m_a) * exp(m_a - m), so one factor corrects a whole sum.
__device__ inline Running merge(Running a, Running b) {
  Running both;
  both.most = fmaxf(a.most, b.most);
  both.sum = a.sum * exponential(a.most - both.shift()) + b.sum * exponential(b.most - both.shift());
  return both;
}
// ANCHOR_END: merge
// SPDX-License-Identifier: MIT
