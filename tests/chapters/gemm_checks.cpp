#include "gemm_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "simulated.h"
#include "sum_checks.h"  // check_launch

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
constexpr Shape kBoundsShapes[] = {{0, 0, 0},    {3, 4, 0},      {1, 1, 1},      {33, 31, 9},
                                   {32, 32, 32}, {130, 129, 10}, {132, 136, 36}, {131, 65, 37}};
constexpr Shape kScheduleShapes[] = {{33, 31, 35}, {130, 20, 9}};
struct Factors {
  float alpha, beta;
};
constexpr Factors kFactors[] = {{1, 0}, {1, 1}, {-2, 0.5f}, {0, -1}, {0, 0}};
constexpr std::uint64_t kSeed = 13;
constexpr int kCountedTilesDown = 2, kCountedTilesAcross = 2;
constexpr int kCountedSteps = 4;

std::string title(const GemmKernel& kernel, const GemmProblem& p) {
  std::string text = kernel.name + ", A " + std::to_string(p.m) + " x " + std::to_string(p.k) + " times B " +
                     std::to_string(p.k) + " x " + std::to_string(p.n);
  if (p.lda != p.k) text += ", rows " + std::to_string(p.lda - p.k) + " elements apart";
  if (p.alpha != 1) text += ", alpha " + std::to_string(p.alpha).substr(0, 4);
  if (p.beta != 0) text += ", beta " + std::to_string(p.beta).substr(0, 4);
  return text;
}

// A product in memory of its own.
struct Product {
  Product(const GemmProblem& problem, Guards guards)
      : p(problem), a(p.a, guards), b(p.b, guards), c(p.c.size(), guards) {}
  // Where C need hold nothing it is poison or, without guards, was never written.
  std::vector<float> run(const GemmKernel& kernel, const std::string& what, Guards guards) {
    if (p.beta != 0) c.upload(p.c);
    else if (guards == Guards::zones) c.fill_poison();
    kernel.launch({p.m, p.n, p.k, p.alpha, a.data(), p.lda, b.data(), p.ldb, p.beta, c.data(), p.ldc});
    check_launch(what);
    return c.download();
  }
  const GemmProblem& p;
  DeviceBuffer<float> a, b, c;
};

// Runs a product and reports what is wrong with it; returns C.
std::vector<float> check_one(const GemmKernel& kernel, GemmProblem p, Guards guards,
                             const std::string& how = "") {
  const std::string what = title(kernel, p) + how;
  if (p.beta == 0)  // what was there before, between the rows of C, too
    for (float& element : p.c) std::memset(&element, harness::GuardedMemory::kPattern, sizeof element);
  Product product(p, guards);
  const std::vector<float> got = product.run(kernel, what, guards);
  const harness::Verdict verdict = harness::verify_gemm(got, p);
  if (!verdict) report(Kind::wrong_result, what + ": " + verdict.message);
  std::string message;
  if (!product.c.guards_intact(&message)) report(Kind::wrong_result, what + ": outside C: " + message);
  if (!product.a.guards_intact(&message)) report(Kind::wrong_result, what + ": outside A: " + message);
  if (!product.b.guards_intact(&message)) report(Kind::wrong_result, what + ": outside B: " + message);
  if (const auto kept = harness::verify_unchanged(product.a.download(), p.a); !kept)
    report(Kind::wrong_result, what + ": A: " + kept.message);
  if (const auto kept = harness::verify_unchanged(product.b.download(), p.b); !kept)
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

void check_products(const GemmKernel& kernel) {
  int number = 0;
  for (const Shape& s : kShapes) {
    const auto [alpha, beta] = kFactors[number % std::size(kFactors)];
    const int gap = number % 3 == 0 ? 0 : number % 3 == 1 ? 3 : 4;
    check_one(kernel, harness::make_gemm(s.m, s.n, s.k, 1, 0, 0, GemmValues::uniform, kSeed), Guards::zones);
    check_one(kernel, harness::make_gemm(s.m, s.n, s.k, alpha, beta, gap, GemmValues::whole, kSeed),
              Guards::zones);
    ++number;
  }
  // No element is too small to be multiplied, or too large.
  for (const int exponent : {-50, 50}) {
    GemmProblem p = harness::make_gemm(67, 70, 41, 1, 0, 0, GemmValues::whole, kSeed);
    for (std::vector<float>* matrix : {&p.a, &p.b})
      for (float& element : *matrix) element = std::ldexp(element, exponent);
    check_one(kernel, p, Guards::zones, ", elements times 2^" + std::to_string(exponent));
  }
}

void check_specials(const GemmKernel& kernel) {
  constexpr int m = 67, n = 70, k = 41, row = 34, column = 33, depth = 40;
  const float nan = std::numeric_limits<float>::quiet_NaN(),
              infinity = std::numeric_limits<float>::infinity();
  struct Special {
    const char* name;
    float value;
    bool times_zero;  // all that it is multiplied by
  };
  for (const Special& special : {Special{"a NaN", nan, false},
                                 {"an infinity", infinity, false},
                                 {"0 times an infinity", infinity, true}})
    for (const bool in_a : {true, false}) {
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

void check_schedules(const GemmKernel& kernel) {
  for (const Shape& s : kScheduleShapes) {
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

bool check_counts(const GemmKernel& kernel, int depth, const std::vector<Limit>& limits) {
  const int whole = kCountedSteps * depth;
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
                        {{down, across, depth - 3}, 1, 0, 0, 1}};  // less than a step
  for (const auto& [s, alpha, beta, gap, steps] : cases) {
    const GemmProblem p = harness::make_gemm(s.m, s.n, s.k, alpha, beta, gap, GemmValues::uniform, kSeed);
    std::vector<Limit> asked = limits;
    for (Limit& limit : asked)  // what C holds is read once, in whatever way
      if (beta != 0 && limit.count == Count::global_load_requests)
        limit.value += kernel.tile * kernel.tile / 32.0 / kCountedSteps;
    if (beta != 0) std::erase_if(asked, [](const Limit& l) { return l.count == Count::global_load_sectors; });
    Product product(p, Guards::zones);
    product.c.upload(p.c);
    const bool kept = check_counts(
        title(kernel, p), kernel.blocks(s.m, s.n) * steps,
        [&] {
          kernel.launch({p.m, p.n, p.k, p.alpha, product.a.data(), p.lda, product.b.data(), p.ldb, p.beta,
                         product.c.data(), p.ldc});
        },
        asked, "a block, for every " + std::to_string(depth) + " of k,");
    if (!kept) return false;
  }
  return true;
}

}  // namespace judge
