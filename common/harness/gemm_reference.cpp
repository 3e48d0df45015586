#include "harness/gemm_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "harness/inputs.h"

namespace harness {
namespace {

std::size_t length_of(int rows, int leading) { return std::size_t(rows) * std::size_t(leading); }

// A matrix of rows x columns values, with `gap` elements between the rows.
std::vector<float> make_matrix(int rows, int columns, int gap, float between, GemmValues values,
                               Random& random) {
  std::vector<float> matrix(length_of(rows, columns + gap), between);
  for (std::size_t row = 0; row < std::size_t(rows); ++row) {
    float* element = matrix.data() + row * std::size_t(columns + gap);  // data(), not [0]: it may be empty
    for (int column = 0; column < columns; ++column)
      element[column] = values == GemmValues::whole ? float(int(random.below(9)) - 4) : random.uniform();
  }
  return matrix;
}

// The relative error that k roundings, one after another, can cause.
double gamma(int k) {
  constexpr double kUnitRoundoff = 1.0 / (1 << 24);  // of float
  return k * kUnitRoundoff / (1 - k * kUnitRoundoff);
}

std::string place(int row, int column) {
  return "C[" + std::to_string(row) + "][" + std::to_string(column) + "]";
}

// Whether the elements between the rows of C, and behind the last row, are what they were.
Verdict verify_gaps(const std::vector<float>& got, const GemmProblem& p) {
  for (int row = 0; row < p.m; ++row)
    for (int column = p.n; column < p.ldc; ++column) {
      const std::size_t i = length_of(row, p.ldc) + std::size_t(column);
      if (std::memcmp(&got[i], &p.c[i], sizeof(float)) != 0)
        return {false, "something was written between the rows of C, at " + place(row, column) + " (C has " +
                           std::to_string(p.n) + " columns, and its rows begin " + std::to_string(p.ldc) +
                           " elements apart)"};
    }
  return {};
}

// The rows to compare, in ascending order.
std::vector<int> choose_rows(int m, int rows) {
  std::vector<int> all(static_cast<std::size_t>(m));
  std::iota(all.begin(), all.end(), 0);
  if (rows == kAllRows || rows >= m) return all;
  Random random(static_cast<std::uint64_t>(m));
  for (std::size_t i = 1; i + 1 < std::size_t(rows); ++i)  // the first stays; the last is exchanged below
    std::swap(all[i], all[i + random.below(all.size() - 1 - i)]);
  all[std::size_t(rows) - 1] = m - 1;
  all.resize(static_cast<std::size_t>(rows));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

GemmProblem make_gemm(int m, int n, int k, float alpha, float beta, int gap, GemmValues values,
                      std::uint64_t seed) {
  Random random(seed);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  GemmProblem p{m,
                n,
                k,
                alpha,
                make_matrix(m, k, gap, nan, values, random),
                k + gap,
                make_matrix(k, n, 2 * gap, nan, values, random),
                n + 2 * gap,
                beta,
                make_matrix(m, n, 3 * gap, -77.0f, values, random),
                n + 3 * gap};
  return p;
}

Verdict verify_gemm(const std::vector<float>& got, const GemmProblem& p, int rows) {
  if (verifies_nothing()) return {};
  std::size_t wrong = 0, compared = 0;
  std::string first;
  std::vector<double> sum, magnitude;
  for (int row : choose_rows(p.m, rows)) {
    sum.assign(std::size_t(p.n), 0.0);
    magnitude.assign(std::size_t(p.n), 0.0);
    for (int k = 0; k < p.k; ++k) {
      const double a = p.a[length_of(row, p.lda) + std::size_t(k)];
      const float* b = p.b.data() + length_of(k, p.ldb);
      for (std::size_t column = 0; column < std::size_t(p.n); ++column) {
        sum[column] += a * b[column];
        magnitude[column] += std::fabs(a * b[column]);
      }
    }
    for (int column = 0; column < p.n; ++column) {
      const std::size_t i = length_of(row, p.ldc) + std::size_t(column), j = std::size_t(column);
      const double before = p.beta == 0 ? 0.0 : double(p.beta) * p.c[i];
      const double expected = p.alpha * sum[j] + before;
      const double allowed = gamma(p.k + 3) * (std::fabs(p.alpha) * magnitude[j] + std::fabs(before));
      const double error = std::fabs(double(got[i]) - expected);
      ++compared;
      if (error <= allowed) continue;  // NaN fails
      if (wrong++ == 0)
        first = place(row, column) + " is " + digits(got[i]) + ", expected " + digits(expected) +
                " (|error| " + exceeding(error, allowed) + ")";
    }
  }
  if (wrong > 0)
    return {false, first + "; " + std::to_string(wrong) + " of " + std::to_string(compared) +
                       " elements compared are wrong"};
  return verify_gaps(got, p);
}

Verdict verify_whole_gemm(const std::vector<float>& got, const GemmProblem& p) {
  if (verifies_nothing()) return {};
  Random random(0x5eed);
  for (int vector = 0; vector < 2; ++vector) {
    std::vector<double> x(std::size_t(p.n)), bx(std::size_t(p.k), 0.0);
    for (double& value : x) value = double(random.below(2048)) - 1024;
    for (int k = 0; k < p.k; ++k) {
      const float* b = &p.b[length_of(k, p.ldb)];
      for (std::size_t column = 0; column < x.size(); ++column) bx[std::size_t(k)] += x[column] * b[column];
    }
    for (int row = 0; row < p.m; ++row) {
      double expected = 0, is = 0, before = 0;
      for (int k = 0; k < p.k; ++k)
        expected += bx[std::size_t(k)] * p.a[length_of(row, p.lda) + std::size_t(k)];
      for (std::size_t column = 0; column < x.size(); ++column) {
        const std::size_t i = length_of(row, p.ldc) + column;
        is += x[column] * got[i];
        if (p.beta != 0) before += x[column] * p.c[i];
      }
      expected = p.alpha * expected + p.beta * before;
      if (is == expected) continue;  // NaN fails
      return {false, "row " + std::to_string(row) +
                         " of C is wrong: times a vector of whole numbers it gives " + digits(is) +
                         ", and alpha A B + beta C gives " + digits(expected)};
    }
  }
  return verify_gaps(got, p);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
