// Is a product of matrices right? C = alpha A B + beta C, all row after row. The oracle multiplies in double and knows
// nothing of the kernel.
//
// A sum of k products in float, in any order, has an error of at most gamma(k) * (|A| |B|) in that element (Higham,
// "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 3.5); alpha, beta and C add three roundings.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/reference.h"

namespace harness {

// The elements of a row are contiguous. A row begins lda (ldb, ldc) elements after the row before it.
struct GemmProblem {
  int m = 0, n = 0, k = 0;  // A is m x k, B is k x n, C is m x n
  float alpha = 1;
  std::vector<float> a;
  int lda = 0;
  std::vector<float> b;
  int ldb = 0;
  float beta = 0;
  std::vector<float> c;  // before the product
  int ldc = 0;
};

// The kind of numbers in a problem.
enum class GemmValues {
  uniform,  // in [-1, 1)
  whole,  // -4 … 4: a float holds every partial sum exactly as long as k <= 2^20, and alpha and beta are small
};

// Makes a problem with `gap` elements between rows of A, twice as many between those of B, and three times as many between
// those of C, so that nobody can take one distance for another. The gaps of A and B hold NaN, so a kernel that reads them
// gives a wrong result.
GemmProblem make_gemm(int m, int n, int k, float alpha, float beta, int gap, GemmValues values,
                      std::uint64_t seed);

// Compares `rows` rows of C with products in double: all rows, or that many at random, with the first and the
// last. `got` is C after the product, problem.c is C before it. The message names the first wrong element:
//   "C[5][3] is 4, expected 7 (|error| 3 > 1.2e-06); 992 of 1024 elements compared are wrong"
// The elements between the rows of C must be bit for bit what they were.
inline constexpr int kAllRows = 0;
Verdict verify_gemm(const std::vector<float>& got, const GemmProblem& problem, int rows = kAllRows);

// For problems of whole numbers, of any size, in O(m k + k n + m n): C x = alpha A (B x) + beta C x for a random vector
// x of whole numbers (R. Freivalds: "Probabilistic machines can use less running time", IFIP 1977). All of it is exact
// in double, so a right product never fails, and a wrong one passes with a probability below 2^-20 (two vectors).
Verdict verify_whole_gemm(const std::vector<float>& got, const GemmProblem& problem);

}  // namespace harness
// SPDX-License-Identifier: MIT
