#include "harness/gemm_reference.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

using harness::GemmProblem;
using harness::GemmValues;

namespace {

// The product as anyone would write it, in float.
std::vector<float> multiply(const GemmProblem& p) {
  std::vector<float> c = p.c;
  for (int row = 0; row < p.m; ++row)
    for (int column = 0; column < p.n; ++column) {
      float sum = 0;
      for (int k = 0; k < p.k; ++k)
        sum += p.a[std::size_t(row * p.lda + k)] * p.b[std::size_t(k * p.ldb + column)];
      float& element = c[std::size_t(row * p.ldc + column)];
      element = p.beta == 0 ? p.alpha * sum : p.alpha * sum + p.beta * element;
    }
  return c;
}

const GemmProblem& uniform() {
  static const GemmProblem problem = harness::make_gemm(20, 30, 40, -2, 0.5f, 3, GemmValues::uniform, 1);
  return problem;
}
const GemmProblem& whole() {
  static const GemmProblem problem = harness::make_gemm(20, 30, 40, 3, -1, 2, GemmValues::whole, 1);
  return problem;
}

}  // namespace

TEST_CASE("a product in float is within the bound and one of whole numbers is exact") {
  CHECK(harness::verify_gemm(multiply(uniform()), uniform()));
  CHECK(harness::verify_gemm(multiply(whole()), whole()));
  CHECK(harness::verify_whole_gemm(multiply(whole()), whole()));
  const GemmProblem nothing = harness::make_gemm(0, 0, 0, 1, 0, 0, GemmValues::uniform, 1);
  CHECK(harness::verify_gemm({}, nothing));
  const GemmProblem empty_sum = harness::make_gemm(2, 3, 0, 1, 0.5f, 0, GemmValues::uniform, 1);
  CHECK(harness::verify_gemm(multiply(empty_sum), empty_sum));
}

TEST_CASE("one wrong element of a product is found and named") {
  for (int row : {0, 7, 19})
    for (int column : {0, 29}) {
      auto got = multiply(uniform());
      got[std::size_t(row * uniform().ldc + column)] += 1e-3f;
      const auto verdict = harness::verify_gemm(got, uniform());
      REQUIRE_FALSE(verdict);
      const std::string place = "C[" + std::to_string(row) + "][" + std::to_string(column) + "]";
      CHECK(verdict.message.starts_with(place));
      CHECK(verdict.message.find("1 of 600 elements compared are wrong") != std::string::npos);

      got = multiply(whole());
      got[std::size_t(row * whole().ldc + column)] += 1;
      CHECK(harness::verify_whole_gemm(got, whole())
                .message.starts_with("row " + std::to_string(row) + " of C"));
    }
}

TEST_CASE("a NaN or an infinity in a product fails") {
  for (float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto got = multiply(uniform());
    got[5] = special;
    CHECK_FALSE(harness::verify_gemm(got, uniform()));
    got = multiply(whole());
    got[5] = special;
    CHECK_FALSE(harness::verify_whole_gemm(got, whole()));
  }
}

TEST_CASE("what lies between the rows of C must stay") {
  auto got = multiply(uniform());
  got[std::size_t(3 * uniform().ldc + uniform().n + 1)] = 0;
  CHECK(harness::verify_gemm(got, uniform())
            .message.starts_with("something was written between the rows of C, at C[3][31]"));
  got = multiply(whole());
  got[std::size_t(19 * whole().ldc + whole().n)] = 0;
  CHECK_FALSE(harness::verify_whole_gemm(got, whole()));
}

TEST_CASE("a sample of rows has the first and the last") {
  for (int row : {0, 19}) {
    auto got = multiply(uniform());
    got[std::size_t(row * uniform().ldc)] += 1;
    CHECK_FALSE(harness::verify_gemm(got, uniform(), 2));
  }
}

TEST_CASE("the gaps of A and B hold NaN so that a kernel which reads them computes a NaN") {
  for (int k = uniform().k; k < uniform().lda; ++k) CHECK(std::isnan(uniform().a[std::size_t(k)]));
  for (int column = uniform().n; column < uniform().ldb; ++column)
    CHECK(std::isnan(uniform().b[std::size_t(column)]));
}
// SPDX-License-Identifier: MIT
