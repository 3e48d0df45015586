// Is a softmax right? And a root mean square normalisation? The oracles compute in double and know nothing of
// the kernel.
//
// How far a right softmax may be off follows from its roundings. Let u = 2^-24, m the maximum of a row, and
// D = sum p_j (m - x_j) over the exact results p. An exponential of x - m has a relative error of at most
//   E(d) = 4 u + 3 u d,   d = m - x:
// 2 ulp from ex2.approx (PTX ISA, "ex2"), and three roundings of its argument, in x - m, in log2(e) and in
// their product, each of which changes the result by a factor of exp(+-u d). If the maximum grows while the
// sum is taken, an element is multiplied by exp(m_1 - m_2), exp(m_2 - m_3) …: the differences add up to d, so
// 3 u d stays, and each of at most L merges adds 4 u, a multiplication and an addition. So the sum is off by
// at most 6 u L + 4 u + 3 u D, and an element by
//   R = u (6 L + 12 + 3 (D + d)),
// with 4 u for a division of 2 ulp. Products of such factors are at most R / (1 - R) away from 1. What is
// below 2^-126 may be 0 (ex2.approx.ftz). A result that is rounded to bfloat16 is off by 2^-8 more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/reference.h"

namespace harness {

// The type of the elements, which the kernel reads and writes. Computations are in float.
enum class RowType { float32, bfloat16 };

// Rounds to the nearest bfloat16, ties to even; NaN stays NaN. And back to float.
std::uint16_t to_bfloat16(float value);
float from_bfloat16(std::uint16_t bits);
std::vector<std::uint16_t> to_bfloat16(const std::vector<float>& values);
std::vector<float> from_bfloat16(const std::vector<std::uint16_t>& bits);

// L above, if so many threads share a row: what one of them merges, then at most 5 shuffles and 8 warps.
constexpr int merges_of(int columns, int lanes) { return columns / lanes + 16; }

// Compares rows x columns results with softmax of each row of `input`, row after row: exp(x - max) / sum.
// `merges`, L above, is the most that lie between an element and its row's sum: for one thread a row, its
// columns. A row with a NaN or +inf, or of nothing but -inf, is NaN as a whole. Of more than 2^24 elements it
// compares some rows. Messages count rows from `first_row` on.
//   "out[5][3] is 0.4, expected 0.7 (|error| 0.3 > 1.2e-06); 992 of 1024 elements compared are wrong"
Verdict verify_softmax(const std::vector<float>& got, const std::vector<float>& input, int rows, int columns,
                       int merges, RowType type = RowType::float32, std::size_t first_row = 0);

// The same for out = x / sqrt(mean of x^2 + epsilon) * weight. With n columns and at most `depth` additions
// on the way to the sum it is off by (depth + 8) u: half of what the sum is off, 2 ulp of rsqrt (PTX ISA),
// and some products.
Verdict verify_rms_norm(const std::vector<float>& got, const std::vector<float>& input,
                        const std::vector<float>& weights, float epsilon, int rows, int columns, int depth,
                        RowType type = RowType::float32);

}  // namespace harness
// SPDX-License-Identifier: MIT
