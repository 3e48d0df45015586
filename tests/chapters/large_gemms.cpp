// Products of matrices of which only a part is ever written: of up to 2^30 elements what chosen blocks need, and rows that lie
// apart.
#include <cuda_runtime.h>

#include <algorithm>
#include <map>
#include <utility>

#include "block_stores.h"
#include "counted_once.h"
#include "gemm_checks.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "harness/reference.h"
#include "large_grids.h"
#include "launch_check.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::GemmProblem;
using harness::Guards;

struct Shape {
  int m, n, k;
};

// Whole numbers that tell rows and columns of large matrices apart.
float of_a(std::size_t row, std::size_t i) { return float((row * 7 + i * 3) % 61) - 30; }
float of_b(std::size_t i, std::size_t column) { return float((column * 5 + i) % 59) - 29; }

std::string place(std::size_t element, std::size_t n) {
  return "C[" + std::to_string(element / n) + "][" + std::to_string(element % n) + "]";
}

// A product that is too large to fill. Which elements of C a block makes is seen, so blocks may take the tiles in any
// order. A and B get what these elements are made of, and are 0 elsewhere.
class LargeProduct {
 public:
  LargeProduct(const GemmKernel& kernel, const Shape& s)
      : kernel_(kernel),
        m_(s.m),
        n_(s.n),
        k_(s.k),
        what_(kernel.name + ", A " + std::to_string(s.m) + " x " + std::to_string(s.k) + " times B " +
              std::to_string(s.k) + " x " + std::to_string(s.n)),
        a_(m_ * k_, Guards::none),
        b_(k_ * n_, Guards::none),
        c_(m_ * n_, Guards::none) {
    a_.fill_zero();
    b_.fill_zero();
  }

  void check() {
    const std::vector<std::uint64_t> chosen = chosen_blocks();
    const OnlyBlocks only(chosen);
    if (!only) return;
    stored_ = stores_of_blocks(c_.data(), m_ * n_, sizeof(float), [&] {
      const WithoutChecks unchecked;  // the next launch does the same again
      launch();
      check_launch(what_);
    });
    check_tiles(chosen);
    fill_factors();
    if (k_ > std::size_t(kernel_.depth)) {  // no shorter product had so many blocks that wait for each other
      launch();
      check_launch(what_);
    } else {
      const WithoutChecks unchecked;
      launch();
      check_launch(what_);
    }
    check_values();
  }

 private:
  std::size_t across() const { return (n_ - 1) / kernel_.tile + 1; }
  std::size_t down() const { return (m_ - 1) / kernel_.tile + 1; }
  std::size_t blocks() const { return across() * down(); }

  // Those of any large grid, and among the first ones enough to tell in which order blocks take the tiles.
  std::vector<std::uint64_t> chosen_blocks() const {
    std::vector<std::uint64_t> chosen =
        blocks_to_run(blocks(), std::size_t(kernel_.tile) * (m_ > n_ ? k_ : 1));
    for (std::size_t b = 2; b < 4 * across(); b *= 2) chosen.push_back(b);
    for (const std::size_t row : {std::size_t(1), std::size_t(2), down() / 2, down() / 2 + 1, down() - 1})
      for (const std::size_t b : {row * across() - 1, row * across(), row * across() + 1})
        chosen.push_back(b);
    return in_grid(std::move(chosen), blocks());
  }

  void launch() {
    kernel_.launch(
        {int(m_), int(n_), int(k_), 1, a_.data(), int(k_), b_.data(), int(n_), 0, c_.data(), int(n_)});
  }

  // The matrix has whole tiles only: each block makes one of them, or some are left out.
  void check_tiles(const std::vector<std::uint64_t>& chosen) const {
    const std::size_t rows = std::min<std::size_t>(kernel_.tile, m_),
                      columns = std::min<std::size_t>(kernel_.tile, n_), each = rows * columns;
    std::map<std::size_t, std::uint64_t> owner;  // of an element that is a tile's first
    for (const std::uint64_t block : chosen) {
      const auto found = stored_.find(block);
      const std::size_t count = found == stored_.end() ? 0 : elements_in(found->second);
      const std::string who = what_ + ": block " + std::to_string(block) + " of " + std::to_string(blocks());
      if (count < each)
        return report(Kind::wrong_result, who + " stores " + std::to_string(count) +
                                              " elements of C, and each has " + std::to_string(rows) + " x " +
                                              std::to_string(columns) + " to make");
      const std::size_t first = found->second.front().first;
      const auto [other, is_new] = owner.emplace(first, block);
      if (!is_new)
        return report(Kind::wrong_result, who + " stores " + place(first, n_) + ", as block " +
                                              std::to_string(other->second) +
                                              " does: another tile is left out");
    }
    check_order(chosen);
  }

  // Where the first blocks take the tiles one beside the other, or one below the other, all do.
  void check_order(const std::vector<std::uint64_t>& chosen) const {
    const auto expected = [&](std::uint64_t block, bool goes_down) {
      const std::size_t row = goes_down ? block % down() : block / across(),
                        column = goes_down ? block / down() : block % across();
      return row * kernel_.tile * n_ + column * kernel_.tile;
    };
    for (const bool goes_down : {false, true}) {
      const std::size_t first_blocks = 4 * (goes_down ? down() : across());
      const auto differs = [&](std::uint64_t block) {
        return stored_.at(block).front().first != expected(block, goes_down);
      };
      if (std::ranges::any_of(chosen, [&](auto b) { return b < first_blocks && differs(b); })) continue;
      const auto other = std::ranges::find_if(chosen, differs);
      if (other == chosen.end()) return;
      return report(Kind::wrong_result, what_ + ": block " + std::to_string(*other) + " of " +
                                            std::to_string(blocks()) + " makes the tile at " +
                                            place(stored_.at(*other).front().first, n_) +
                                            "; in the order of the first blocks it is that at " +
                                            place(expected(*other, goes_down), n_));
    }
  }

  // Rows of A and columns of B from which the blocks make their elements.
  void fill_factors() {
    std::map<std::size_t, bool> rows, columns;
    for (const auto& [block, runs] : stored_)
      for (const Elements& run : runs) {
        for (std::size_t row = run.first / n_; row <= (run.end - 1) / n_; ++row) rows[row] = true;
        for (std::size_t e = run.first; e < std::min(run.end, run.first + n_); ++e) columns[e % n_] = true;
      }
    std::vector<float> row(k_);
    for (const auto& [r, _] : rows) {
      for (std::size_t i = 0; i < k_; ++i) row[i] = of_a(r, i);
      copy_in(a_.data() + r * k_, row);
    }
    for (auto from = columns.begin(); from != columns.end();) {
      auto to = from;
      std::size_t length = 0;
      while (to != columns.end() && to->first == from->first + length) ++to, ++length;
      std::vector<float> part(length);
      for (std::size_t i = 0; i < k_; ++i) {
        for (std::size_t x = 0; x < length; ++x) part[x] = of_b(i, from->first + x);
        copy_in(b_.data() + i * n_ + from->first, part);
      }
      from = to;
    }
  }

  void check_values() {
    for (const auto& [block, runs] : stored_)
      for (const Elements& run : runs) {
        const std::vector<float> got = copy_out(c_.data() + run.first, run.end - run.first);
        for (std::size_t x = 0; x < got.size(); ++x) {
          const std::size_t element = run.first + x;
          float expected = 0;
          for (std::size_t i = 0; i < k_; ++i) expected += of_a(element / n_, i) * of_b(i, element % n_);
          if (got[x] == expected) continue;
          launch();  // with the checks: a race of blocks that no smaller product has says more
          check_launch(what_);
          return report(Kind::wrong_result,
                        what_ + ": " + place(element, n_) + ", which block " + std::to_string(block) +
                            " of " + std::to_string(blocks()) + " stores, is " + harness::digits(got[x]) +
                            ", expected " + harness::digits(expected) +
                            "; smaller products are right. Does an index, or its bytes, outgrow its type?");
        }
      }
  }

  const GemmKernel& kernel_;
  std::size_t m_, n_, k_;
  std::string what_;
  DeviceBuffer<float> a_, b_;
  mutable DeviceBuffer<float> c_;
  std::map<std::uint64_t, std::vector<Elements>> stored_;  // by each block
};

}  // namespace

void check_gaps(const GemmKernel& kernel) {
  const GemmProblem p = harness::make_gemm(37, 41, 35, 2, 0.5f, 3, harness::GemmValues::whole, 1);
  const auto rows_of = [](const std::vector<float>& matrix, int rows, int columns, int distance) {
    DeviceBuffer<float> there(matrix.size(), Guards::none);
    for (std::size_t first = 0; first < std::size_t(rows) * distance; first += distance)
      copy_in(there.data() + first,
              std::vector<float>(matrix.begin() + first, matrix.begin() + first + columns));
    return there;
  };
  auto a = rows_of(p.a, p.m, p.k, p.lda), b = rows_of(p.b, p.k, p.n, p.ldb),
       c = rows_of(p.c, p.m, p.n, p.ldc);
  kernel.launch({p.m, p.n, p.k, p.alpha, a.data(), p.lda, b.data(), p.ldb, p.beta, c.data(), p.ldc});
  check_launch(kernel.name + std::string(", rows that lie apart: nothing may be read between them"));
}

bool check_counts_in_a_large_grid(const GemmKernel& kernel, const std::vector<Limit>& limits) {
  constexpr std::size_t kSide = 1 << 14;
  const std::size_t blocks = kSide / kernel.tile * (kSide / kernel.tile), k = kernel.depth;
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, std::size_t(kernel.tile) * kernel.tile);
  const OnlyBlocks only(chosen);
  if (!only) return true;
  DeviceBuffer<float> a(kSide * k, Guards::none), b(k * kSide, Guards::none), c(kSide * kSide, Guards::none);
  a.fill_zero();
  b.fill_zero();
  constexpr int side = kSide;
  return check_counts_once(
      kernel.name + ", " + std::to_string(blocks) + " blocks", int(chosen.size()),
      [&] { kernel.launch({side, side, int(k), 1, a.data(), int(k), b.data(), side, 0, c.data(), side}); },
      limits, "a block, for every " + std::to_string(kernel.depth) + " of k,");
}

void check_large_indices(const GemmKernel& kernel) {
  // Whole tiles of every kernel, and once so deep that a block fetches twice.
  constexpr int kLong = (1 << 27) - 128, kSide = 245 * 128;  // the reciprocal of 245 is rounded down
  for (const Shape& s : {Shape{kLong, 1, 8}, {1, kLong, 8}, {kSide, kSide, kernel.depth + 3}})
    LargeProduct(kernel, s).check();
}

}  // namespace judge
// SPDX-License-Identifier: MIT
