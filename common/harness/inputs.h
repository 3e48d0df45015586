// Inputs from a seed: the same values with every compiler, on every device. They are never all ones, because
// a kernel that counts its elements, or adds the wrong ones, must not give the right sum by luck.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace harness {

// Pseudo-random numbers: SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators",
// 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  // 0 … bound - 1; bound is at least 1.
  std::uint64_t below(std::uint64_t bound);
  // A multiple of 2^-23 in [-1, 1).
  float uniform();

 private:
  std::uint64_t state_;
};

// n values in [-1, 1). Their sum grows like sqrt(n), the error bound like n: see reference.h.
std::vector<float> uniform_floats(std::size_t n, std::uint64_t seed);

// n whole numbers whose magnitudes add up to at most 2^24, so that a float holds every partial sum exactly,
// in any order: a right kernel gives the right sum bit for bit. Up to n = 2^24 no value is 0 (a missing
// element always shows); above, one random element of every ceil(n / 2^24) is 1 or -1 and the others are 0.
std::vector<float> small_integers(std::size_t n, std::uint64_t seed);

// The same values times 2^exponent, for an exponent from -126 to 103. The sums are exact as well.
std::vector<float> scaled_integers(std::size_t n, std::uint64_t seed, int exponent);

// n values. For each large one (1024 … 2048) there is its negative plus a small number. So the sum is tiny
// compared with the sum of magnitudes, and most of what a careless order of additions returns is rounding
// error.
std::vector<float> cancelling(std::size_t n, std::uint64_t seed);

}  // namespace harness
// SPDX-License-Identifier: MIT
