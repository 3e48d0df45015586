#include "gemm_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "counted_once.h"
#include "gemm_terms.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "launch_check.h"
#include "simulated.h"
#include "thresholds.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::GemmProblem;
using harness::GemmValues;
using harness::Guards;

struct Shape {
  int m, n, k;
};
constexpr Shape kShapes[] = {{0, 0, 0},      {0, 5, 3},      {5, 0, 3},    {5, 7, 0},     {1, 1, 1},
                             {1, 33, 5},     {33, 1, 40},    {32, 32, 32}, {31, 33, 35},  {64, 33, 8},
                             {2, 3, 100},    {129, 127, 17}, {130, 66, 9}, {20, 260, 33}, {260, 20, 7},
                             {128, 128, 24}, {1, 1, 300}};
constexpr int kLongUniform =
    100;  // longer ones of whole numbers only: their sums are exact, however many steps they take
constexpr Shape kBoundsShapes[] = {{0, 0, 0},      {3, 4, 0},      {0, 5, 3},    {5, 0, 3},
                                   {0, 0, 40},     {1, 1, 1},      {33, 31, 9},  {32, 32, 32},
                                   {130, 129, 10}, {132, 136, 36}, {131, 65, 37}};
struct Factors {
  float alpha, beta;
};
constexpr Factors kFactors[] = {{1, 0}, {1, 1}, {-2, 0.5f}, {0, -1}, {0, 0}};
// Of any size and sign. C is as large as beta is small, and the other way round: else nobody would see it.
constexpr Factors kOtherFactors[] = {{1, 0x1.4p-24f}, {1, -0x1p-100f}, {1, 0x1.8p90f}, {-1, -1},
                                     {0.37f, 1.7f},   {-3.1f, -0.0f},  {0x1p-30f, 0},  {0x1.4p-30f, 1.0f},
                                     {0x1.8p30f, 2},  {1, 0.3333f}};
constexpr std::uint64_t kSeed = 13;
constexpr int kCountedTilesDown = 2, kCountedTilesAcross = 2;
constexpr int kCountedSteps = 4, kCountedLongSteps = 40;

std::string title(const GemmKernel& kernel, const GemmProblem& p) {
  std::string text = kernel.name + ", A " + std::to_string(p.m) + " x " + std::to_string(p.k) + " times B " +
                     std::to_string(p.k) + " x " + std::to_string(p.n);
  if (p.lda != p.k)
    text += ", " + std::to_string(p.lda - p.k) + ", " + std::to_string(p.ldb - p.n) + " and " +
            std::to_string(p.ldc - p.n) + " elements between rows of A, B and C";
  if (p.alpha != 1) text += ", alpha " + harness::digits(p.alpha);
  if (p.beta != 0 || std::signbit(p.beta)) text += ", beta " + harness::digits(p.beta);
  return text;
}

// So many floats before each matrix. What lies there is no part of it.
struct Offsets {
  int a = 0, b = 0, c = 0;
};
std::vector<float> shifted(const std::vector<float>& matrix, int floats) {
  std::vector<float> all(std::size_t(floats), std::numeric_limits<float>::quiet_NaN());
  all.insert(all.end(), matrix.begin(), matrix.end());
  return all;
}

// A product in memory of its own.
struct Product {
  Product(const GemmProblem& problem, Guards guards, Offsets offsets = {})
      : p(problem),
        at(offsets),
        a(shifted(p.a, at.a), guards),
        b(shifted(p.b, at.b), guards),
        c(p.c.size() + std::size_t(at.c), guards) {}
  void launch(const GemmKernel& kernel) {
    kernel.launch({p.m, p.n, p.k, p.alpha, a.data() + at.a, p.lda, b.data() + at.b, p.ldb, p.beta,
                   c.data() + at.c, p.ldc});
  }
  // Where C need hold nothing it is poison or, without guards, was never written.
  std::vector<float> run(const GemmKernel& kernel, const std::string& what, Guards guards) {
    if (p.beta != 0) c.upload(shifted(p.c, at.c));
    else if (guards == Guards::zones) c.fill_poison();
    launch(kernel);
    check_launch(what);
    std::vector<float> got = c.download();
    got.erase(got.begin(), got.begin() + at.c);
    return got;
  }
  const GemmProblem& p;
  Offsets at;
  DeviceBuffer<float> a, b, c;
};

// Runs a product and reports what is wrong with it; returns C.
std::vector<float> check_one(const GemmKernel& kernel, GemmProblem p, Guards guards,
                             const std::string& how = "", Offsets offsets = {}) {
  const std::string what = title(kernel, p) + how;
  if (p.beta == 0)  // what was there before, between the rows of C, too
    for (float& element : p.c) std::memset(&element, harness::GuardedMemory::kPattern, sizeof element);
  Product product(p, guards, offsets);
  const std::vector<float> got = product.run(kernel, what, guards);
  const harness::Verdict verdict = harness::verify_gemm(got, p);
  if (!verdict) {
    const std::string why = wrong_terms(kernel, p);
    report(Kind::wrong_result, what + ": " + verdict.message + (why.empty() ? "" : "; " + why));
  }
  std::string message;
  if (!product.c.guards_intact(&message)) report(Kind::wrong_result, what + ": outside C: " + message);
  if (!product.a.guards_intact(&message)) report(Kind::wrong_result, what + ": outside A: " + message);
  if (!product.b.guards_intact(&message)) report(Kind::wrong_result, what + ": outside B: " + message);
  if (const auto kept = harness::verify_unchanged(product.a.download(), shifted(p.a, offsets.a)); !kept)
    report(Kind::wrong_result, what + ": A: " + kept.message);
  if (const auto kept = harness::verify_unchanged(product.b.download(), shifted(p.b, offsets.b)); !kept)
    report(Kind::wrong_result, what + ": B: " + kept.message);
  return got;
}

bool same_bits(const std::vector<float>& x, const std::vector<float>& y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
}

}  // namespace

void check_bounds(const GemmKernel& kernel) {
  for (const Shape& s : kBoundsShapes)
    check_one(kernel, harness::make_gemm(s.m, s.n, s.k, 1, 0, 0, GemmValues::uniform, kSeed), Guards::none,
              ", arrays of that size");
}

namespace {

// Sizes, factors and elements on both sides of the numbers with which the kernel compares.
void check_products_around_thresholds(const GemmKernel& kernel) {
  constexpr int kMostFilled = 1 << 14, kFew = 33;
  const auto whole = [](int m, int n, int k, float alpha, float beta, int gap) {
    return harness::make_gemm(m, n, k, alpha, beta, gap, GemmValues::whole, kSeed);
  };
  for (const std::size_t size : sizes_around_thresholds(kFew, kMostFilled, 1, kernel.name)) {
    const int many = int(size);
    for (const Shape& s : {Shape{many, 5, 9}, Shape{5, many, 9}})
      check_one(kernel, whole(s.m, s.n, s.k, 1, 0, 0), Guards::zones);
    check_one(kernel, whole(kFew, kFew, 9, 1, 1, many), Guards::zones);
  }
  for (const std::size_t k : sizes_around_thresholds(kFew, kMostFilled, 1, kernel.name, Sides::above))
    check_one(kernel, whole(kFew, 5, int(k), 1, 0, 0), Guards::zones);
  for (const float t : float_thresholds(kernel.name)) {
    for (const float factor : {0.75f * t, 1.5f * t, -1.5f * t}) {
      check_one(kernel, whole(kFew, kFew, 9, factor, 0, 0), Guards::zones);
      if (std::isfinite(factor)) check_one(kernel, whole(kFew, kFew, 9, 1, factor, 0), Guards::zones);
    }
    const int exponent = std::ilogb(t);
    if (std::abs(exponent) > 50) continue;
    GemmProblem p = whole(67, 70, 41, 1, 0, 0);
    for (std::vector<float>* matrix : {&p.a, &p.b})
      for (float& element : *matrix) element = std::ldexp(element, exponent);
    check_one(kernel, p, Guards::zones, ", elements times 2^" + std::to_string(exponent));
  }
}

}  // namespace

void check_products(const GemmKernel& kernel) {
  int number = 0;
  for (const Shape& s : kShapes) {
    const auto [alpha, beta] = kFactors[number % std::size(kFactors)];
    const int gap = number % 3 == 0 ? 0 : number % 3 == 1 ? 3 : 4;
    if (s.k <= kLongUniform)
      check_one(kernel, harness::make_gemm(s.m, s.n, s.k, 1, 0, 0, GemmValues::uniform, kSeed),
                Guards::zones);
    check_one(kernel, harness::make_gemm(s.m, s.n, s.k, alpha, beta, gap, GemmValues::whole, kSeed),
              Guards::zones);
    ++number;
  }
  for (const auto [alpha, beta] : kOtherFactors) {
    GemmProblem p = harness::make_gemm(33, 31, 9, alpha, beta, 1, GemmValues::whole, kSeed);
    const int exponent = (alpha == 0 ? 0 : std::ilogb(alpha)) - (beta == 0 ? 0 : std::ilogb(beta));
    if (beta != 0)
      for (float& element : p.c) element = std::ldexp(element, exponent);
    check_one(kernel, p, Guards::zones);
  }
  // No element is too small to be multiplied, or too large.
  for (const int exponent : {-50, 50}) {
    GemmProblem p = harness::make_gemm(67, 70, 41, 1, 0, 0, GemmValues::whole, kSeed);
    for (std::vector<float>* matrix : {&p.a, &p.b})
      for (float& element : *matrix) element = std::ldexp(element, exponent);
    check_one(kernel, p, Guards::zones, ", elements times 2^" + std::to_string(exponent));
  }
  check_products_around_thresholds(kernel);
}

void check_alignment(const GemmKernel& kernel) {
  // Whole tiles, and rows in fours: nothing else keeps a kernel from moving 16 bytes at a time.
  constexpr int kSide = 128, kDepth = 32;
  const auto check = [&](int k, int gap, Offsets offsets, const std::string& how) {
    check_one(kernel, harness::make_gemm(kSide, kSide, k, 1, 0, gap, GemmValues::whole, kSeed), Guards::zones,
              how, offsets);
  };
  check(kDepth, 0, {.a = 1}, ", A 4 bytes behind a multiple of 16");
  check(kDepth, 0, {.b = 1}, ", B 4 bytes behind a multiple of 16");
  check(kDepth, 4, {.c = 1}, ", C 4 bytes behind a multiple of 16");
  check(kDepth, 2, {}, "");
  check(kDepth + 1, 3, {}, "");  // rows of A begin at multiples of 16 bytes
}

namespace {

// A factor that is a NaN reaches all of C, one element of C that is a NaN nothing else.
void check_nan_factors(const GemmKernel& kernel) {
  constexpr int m = 33, n = 31, k = 9, row = 32, column = 7;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  struct Case {
    float alpha, beta;
    bool in_c;
    const char* name;
  };
  for (const auto& [alpha, beta, in_c, name] : {Case{nan, 0, false, ", alpha a NaN"},
                                                {1, nan, false, ", beta a NaN"},
                                                {1, 0.5f, true, ", a NaN in C[32][7]"}}) {
    GemmProblem p = harness::make_gemm(m, n, k, 1, 0, 0, GemmValues::whole, kSeed);
    const std::string what = title(kernel, p) + name;
    p.alpha = alpha;
    p.beta = beta;
    if (in_c) p.c[row * n + column] = nan;
    Product product(p, Guards::zones);
    const std::vector<float> got = product.run(kernel, what, Guards::zones);
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < n; ++c) {
        const float value = got[std::size_t(r) * n + std::size_t(c)];
        if (std::isnan(value) == (!in_c || (r == row && c == column))) continue;
        return report(Kind::wrong_result, what + ": C[" + std::to_string(r) + "][" + std::to_string(c) +
                                              "] is " + harness::digits(value) + ", expected " +
                                              (std::isnan(value) ? "a number" : "a NaN"));
      }
  }
}

}  // namespace

void check_specials(const GemmKernel& kernel) {
  check_nan_factors(kernel);
  constexpr int m = 67, n = 70, k = 41, row = 34, column = 33;
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  struct Special {
    const char* name;
    float value;
    bool times_zero;  // all that it is multiplied by
  };
  // The last of k, and places that a last tile which is not full may still hold, or read instead: its own of the tile before,
  // and the beginning of the next row.
  constexpr std::pair<bool, int> kPlaces[] = {{true, k - 1},  {true, 0},   {true, 20}, {true, 36},
                                              {false, k - 1}, {false, 20}, {false, 36}};
  for (const Special& special : {Special{"a NaN", nan, false},
                                 {"an infinity", infinity, false},
                                 {"0 times an infinity", infinity, true}})
    for (const auto& [in_a, depth] : kPlaces) {
      GemmProblem p = harness::make_gemm(m, n, k, 1, 0, 0, GemmValues::uniform, kSeed);
      if (special.times_zero)
        for (int i = 0; i < std::max(m, n); ++i) {
          if (in_a && i < n) p.b[depth * n + i] = 0;
          if (!in_a && i < m) p.a[i * k + depth] = 0;
        }
      if (in_a) p.a[row * k + depth] = special.value;
      else p.b[depth * n + column] = special.value;
      const std::string what =
          title(kernel, p) + ", " + special.name + " in " +
          (in_a ? "row " + std::to_string(row) + " of A" : "column " + std::to_string(column) + " of B");
      const bool nan_expected = std::isnan(special.value) || special.times_zero;
      Product product(p, Guards::zones);
      const std::vector<float> got = product.run(kernel, what, Guards::zones);
      for (int r = 0; r < m; ++r)
        for (int c = 0; c < n; ++c) {
          const bool covers = in_a ? r == row : c == column;
          const float value = got[std::size_t(r) * n + std::size_t(c)];
          if (covers == !std::isfinite(value) && (!covers || nan_expected == std::isnan(value))) continue;
          report(Kind::wrong_result, what + ": C[" + std::to_string(r) + "][" + std::to_string(c) + "] is " +
                                         std::to_string(value) +
                                         (covers ? ", and depends on it" : ", and does not depend on it"));
        }
    }
}

// Lanes alone take many times as long as a warp: one tile, or two, in several steps of k; and several tiles in one.
void check_schedules(const GemmKernel& kernel) {
  const int several = std::min(2 * kernel.depth + 3, 35), one = std::min(kernel.depth - 3, 9);
  for (const Shape& s : {Shape{33, 31, several}, {130, 20, one}}) {
    const GemmProblem p = harness::make_gemm(s.m, s.n, s.k, 1, 0, 0, GemmValues::uniform, kSeed);
    const std::vector<float> together = check_one(kernel, p, Guards::zones);
    for (const std::string& schedule : other_schedules()) {
      const InSchedule other(schedule);
      const std::string how = " in schedule " + schedule;
      if (!same_bits(check_one(kernel, p, Guards::zones, how), together))
        report(Kind::wrong_result, title(kernel, p) + how +
                                       ": other bits than in lockstep: it depends on which lane comes first");
    }
  }
}

void check_repeatable(const GemmKernel& kernel) {
  const GemmProblem first = harness::make_gemm(40, 50, 37, 1, 0, 0, GemmValues::uniform, kSeed);
  GemmProblem second = harness::make_gemm(40, 50, 37, 1, 0, 0, GemmValues::uniform, kSeed + 1);
  Product product(first, Guards::zones);
  const std::string what = title(kernel, first);
  const std::vector<float> once = product.run(kernel, what, Guards::zones);
  product.a.upload(second.a);
  product.b.upload(second.b);
  const auto other = harness::verify_gemm(
      product.run(kernel, what + ", other contents in the same memory", Guards::zones), second);
  if (!other) report(Kind::wrong_result, what + ", other contents in the same memory: " + other.message);
  product.a.upload(first.a);
  product.b.upload(first.b);
  if (!same_bits(product.run(kernel, what + ", once more", Guards::zones), once))
    report(Kind::wrong_result, what + ": the same product a second time has other bits");
}

bool check_counts(const GemmKernel& kernel, const std::vector<Limit>& limits) {
  const int depth = kernel.depth, whole = kCountedSteps * depth;
  const int down = kCountedTilesDown * kernel.tile, across = kCountedTilesAcross * kernel.tile;
  struct Case {
    Shape shape;
    float alpha, beta;
    int gap;  // between rows
    int steps = kCountedSteps;
  };
  const Case cases[] = {{{down, across, whole}, 1, 0, 0},
                        {{down - 3, across - 1, whole - 1}, 1, 0, 0},
                        {{down, across, whole}, -0.5f, 0.75f, kernel.tile},
                        {{9 * kernel.tile + 1, kernel.tile, whole}, 2, 0, 8},
                        {{down, across, depth - 3}, 1, 0, 0, 1},  // less than a step
                        {{kernel.tile, kernel.tile, kCountedLongSteps * depth}, 1, 0, 0, kCountedLongSteps}};
  for (const auto& [s, alpha, beta, gap, steps] : cases) {
    const GemmProblem p = harness::make_gemm(s.m, s.n, s.k, alpha, beta, gap, GemmValues::uniform, kSeed);
    std::vector<Limit> asked = limits;
    for (Limit& limit : asked)  // what C holds is read once, in whatever way
      if (beta != 0 && limit.count == Count::global_load_requests)
        limit.value += kernel.tile * kernel.tile / 32.0 / kCountedSteps;
    if (beta != 0) std::erase_if(asked, [](const Limit& l) { return l.count == Count::global_load_sectors; });
    Product product(p, Guards::zones);
    product.c.upload(p.c);
    const bool kept = check_counts_once(
        title(kernel, p), kernel.blocks(s.m, s.n) * steps, [&] { product.launch(kernel); }, asked,
        "a block, for every " + std::to_string(depth) + " of k,");
    if (!kept) return false;
  }
  return check_counts_in_a_large_grid(kernel, limits) && check_counts_around_thresholds(kernel, limits);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
