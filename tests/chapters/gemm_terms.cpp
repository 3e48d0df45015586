#include "gemm_terms.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/device_buffer.h"
#include "simulated.h"
#include "sum_checks.h"  // take_findings, of runs that are not reported

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::GemmProblem;

constexpr int kLongestK = 320;               // two runs for each
constexpr std::size_t kMostCodes = 1 << 16;  // elements of A or B
constexpr std::size_t kListed = 2;           // terms that do not belong

struct Position {
  int row, column;
  friend bool operator==(const Position&, const Position&) = default;
};
struct Term {
  Position a, b;
  int times;
};

// Odd numbers in [2^19, 2^20), all different: twice one of them is none of them.
class Codes {
 public:
  Codes(int rows, int columns, std::uint32_t factor) : columns_(columns) {
    for (std::uint32_t i = 0; i < std::uint32_t(rows) * std::uint32_t(columns); ++i) {
      numbers_.push_back(float(((i * factor) & 0x3ffff) * 2 + (1 << 19) + 1));
      element_[numbers_.back()] = i;
    }
  }
  float at(int row, int column) const { return numbers_[std::size_t(row) * columns_ + std::size_t(column)]; }
  struct Found {
    Position position;
    int times;
  };
  std::optional<Found> find(float value) const {
    for (const int times : {1, 2})
      if (const auto known = element_.find(value / float(times)); known != element_.end())
        return Found{{int(known->second / columns_), int(known->second % columns_)}, times};
    return std::nullopt;
  }

 private:
  std::size_t columns_;
  std::vector<float> numbers_;
  std::unordered_map<float, std::size_t> element_;
};

// The kernel on matrices of the problem's shape.
class Experiment {
 public:
  Experiment(const GemmKernel& kernel, const GemmProblem& like)
      : kernel_(kernel), p_(like), a_(like.a.size()), b_(like.b.size()), c_(like.c.size()) {
    p_.alpha = 1;
    p_.beta = 0;
  }
  GemmProblem& problem() { return p_; }

  template <typename Value> void set_a(Value value) { set(p_.a, p_.m, p_.k, p_.lda, value); }
  template <typename Value> void set_b(Value value) { set(p_.b, p_.k, p_.n, p_.ldb, value); }

  // C; nothing if the kernel does not come to its end.
  std::optional<std::vector<float>> run() {
    a_.upload(p_.a);
    b_.upload(p_.b);
    c_.fill_poison();
    kernel_.launch({p_.m, p_.n, p_.k, 1, a_.data(), p_.lda, b_.data(), p_.ldb, 0, c_.data(), p_.ldc});
    if (cudaDeviceSynchronize() != cudaSuccess) return std::nullopt;
    return c_.download();
  }

 private:
  template <typename Value>
  static void set(std::vector<float>& matrix, int rows, int columns, int step, Value value) {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        matrix[std::size_t(row) * std::size_t(step) + std::size_t(column)] = value(row, column);
  }

  const GemmKernel& kernel_;
  GemmProblem p_;
  DeviceBuffer<float> a_, b_, c_;
};

// Whole numbers, so that sums of few products are exact.
float whole(int row, int column, int seed) {
  return float((row * 37 + column * 11 + seed * row * column) % 9 - 4);
}

double sum_of(const std::vector<Term>& terms, const GemmProblem& p) {
  double sum = 0;
  for (const Term& t : terms)
    sum += double(t.times) * p.a[std::size_t(t.a.row) * std::size_t(p.lda) + std::size_t(t.a.column)] *
           p.b[std::size_t(t.b.row) * std::size_t(p.ldb) + std::size_t(t.b.column)];
  return sum;
}

std::vector<Term> terms_that_belong(Position c, int k) {
  std::vector<Term> terms;
  for (int i = 0; i < k; ++i) terms.push_back({{c.row, i}, {i, c.column}, 1});
  return terms;
}

float at(const std::vector<float>& matrix, int step, Position p) {
  return matrix[std::size_t(p.row) * std::size_t(step) + std::size_t(p.column)];
}

// The first element that is wrong for whole numbers.
std::optional<Position> first_wrong(Experiment& experiment) {
  GemmProblem& p = experiment.problem();
  experiment.set_a([](int r, int c) { return whole(r, c, 5); });
  experiment.set_b([](int r, int c) { return whole(r, c, 7); });
  const auto got = experiment.run();
  for (int row = 0; got && row < p.m; ++row)
    for (int column = 0; column < p.n; ++column)
      if (at(*got, p.ldc, {row, column}) != sum_of(terms_that_belong({row, column}, p.k), p))
        return Position{row, column};
  return std::nullopt;
}

// What stands at `where` in C if the others of a pair of matrices are 1 in row (column) i only: an element of A for each row
// of B, an element of B for each column of A. Nothing if one is neither 0 nor an element, once or twice.
using Partners = std::vector<std::optional<Codes::Found>>;
std::optional<Partners> partners(Experiment& experiment, Position where, bool of_rows_of_b) {
  const GemmProblem& p = experiment.problem();
  const Codes codes = of_rows_of_b ? Codes(p.m, p.k, 2654435761u) : Codes(p.k, p.n, 2246822519u);
  Partners found(std::size_t(p.k));
  for (int i = 0; i < p.k; ++i) {
    if (of_rows_of_b) {
      experiment.set_a([&](int r, int c) { return codes.at(r, c); });
      experiment.set_b([&](int r, int) { return float(r == i); });
    } else {
      experiment.set_a([&](int, int c) { return float(c == i); });
      experiment.set_b([&](int r, int c) { return codes.at(r, c); });
    }
    const auto got = experiment.run();
    if (!got) return std::nullopt;
    const float value = at(*got, p.ldc, where);
    if (value == 0) continue;
    found[std::size_t(i)] = codes.find(value);
    if (!found[std::size_t(i)]) return std::nullopt;
  }
  return found;
}

// The terms of C at `where`, if two random products agree with them.
std::optional<std::vector<Term>> terms_of(Experiment& experiment, Position where) {
  GemmProblem& p = experiment.problem();
  const auto for_row_of_b = partners(experiment, where, true),
             for_column_of_a = partners(experiment, where, false);
  if (!for_row_of_b || !for_column_of_a) return std::nullopt;
  std::vector<Term> terms;
  for (int i = 0; i < p.k; ++i) {
    const auto& of_a = (*for_row_of_b)[std::size_t(i)];
    if (!of_a) continue;
    const auto& of_b = (*for_column_of_a)[std::size_t(of_a->position.column)];
    if (!of_b || of_b->position.row != i || of_b->times != of_a->times) return std::nullopt;
    terms.push_back({of_a->position, of_b->position, of_a->times});
  }
  for (const int seed : {3, 8}) {
    experiment.set_a([&](int r, int c) { return whole(r, c, seed); });
    experiment.set_b([&](int r, int c) { return whole(c, r, seed + 2); });
    const auto got = experiment.run();
    if (!got || at(*got, p.ldc, where) != sum_of(terms, p)) return std::nullopt;
  }
  return terms;
}

std::string element(const std::string& matrix, Position p) {
  return matrix + "[" + std::to_string(p.row) + "][" + std::to_string(p.column) + "]";
}

// "k = 32 to 34, 40"
std::string in_words(const std::vector<int>& numbers) {
  std::string text = "k = ";
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (i == 0 ? "" : ", ") + std::to_string(numbers[i]) +
            (last > i ? " to " + std::to_string(numbers[last]) : "");
    i = last + 1;
  }
  return text;
}

std::string explain(const std::vector<Term>& terms, Position c, int k) {
  const std::string name = element("C", c);
  const auto is_whole_product = [&](int row, int column) {
    return int(terms.size()) == k && std::ranges::all_of(terms, [&](const Term& t) {
             return t.times == 1 && t.a.row == row && t.b.column == column && t.a.column == t.b.row;
           });
  };
  if (!terms.empty() && is_whole_product(terms[0].a.row, terms[0].b.column)) {
    const int row = terms[0].a.row, column = terms[0].b.column;
    const bool swapped = row == c.column && column == c.row;
    return name + " is the product of row " + std::to_string(row) + " of A and column " +
           std::to_string(column) + " of B" + (swapped ? ": rows and columns are swapped" : "");
  }
  std::vector<int> missing, twice;
  std::vector<Term> foreign;
  for (int i = 0; i < k; ++i) {
    const auto same = std::ranges::find_if(
        terms, [&](const Term& t) { return t.a == Position{c.row, i} && t.b == Position{i, c.column}; });
    if (same == terms.end()) missing.push_back(i);
    else if (same->times > 1) twice.push_back(i);
  }
  std::ranges::copy_if(terms, std::back_inserter(foreign), [&](const Term& t) {
    return t.a.row != c.row || t.b.column != c.column || t.a.column != t.b.row;
  });
  const std::string term = "A[" + std::to_string(c.row) + "][k] * B[k][" + std::to_string(c.column) + "]";
  std::string text;
  if (!missing.empty()) text += " lacks " + term + " for " + in_words(missing);
  if (!twice.empty())
    text += (text.empty() ? " counts " : ", counts ") + term + " twice for " + in_words(twice);
  for (std::size_t i = 0; i < std::min(foreign.size(), kListed); ++i)
    text += (i > 0          ? ", "
             : text.empty() ? " adds "
                            : ", and adds ") +
            element("A", foreign[i].a) + " * " + element("B", foreign[i].b);
  if (foreign.size() > kListed) text += " and " + std::to_string(foreign.size() - kListed) + " more";
  if (!foreign.empty())
    text += foreign.size() == 1 ? ", which does not belong to it" : ", which do not belong to it";
  return text.empty() ? "" : name + text;
}

}  // namespace

std::string wrong_terms(const GemmKernel& kernel, const GemmProblem& problem) {
  const auto elements = [](int rows, int columns) { return std::size_t(rows) * std::size_t(columns); };
  if (problem.k > kLongestK || elements(problem.m, problem.k) > kMostCodes ||
      elements(problem.k, problem.n) > kMostCodes)
    return "";
  const WithoutChecks unchecked;  // what they look for has been looked for
  Experiment experiment(kernel, problem);
  const auto where = first_wrong(experiment);
  if (!where) {
    const bool is_plain = problem.alpha == 1 && problem.beta == 0;
    return is_plain ? "" : "with alpha 1 and beta 0 a product of this shape is right";
  }
  const auto terms = terms_of(experiment, *where);
  return terms ? explain(*terms, *where, problem.k) : "";
}

}  // namespace judge
// SPDX-License-Identifier: MIT
