// Transposes of matrices of nearly 2^30 elements, of which only the tiles of chosen blocks are ever touched.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "block_stores.h"
#include "harness/device_buffer.h"
#include "large_grids.h"
#include "launch_check.h"
#include "transpose_checks.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

struct Shape {
  std::size_t rows, columns;
};
constexpr Shape kLarge[] = {{32004, 32500}, {std::size_t(1) << 25, 28}, {28, std::size_t(1) << 25}};

std::string title(const TransposeKernel& kernel, Shape shape) {
  return kernel.name + ", " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

// Numbers that tell elements apart, but for those 2^32 elements away; never 0.
float value_at(std::size_t row, std::size_t column) { return float((row * 7919 + column) % 16777213 + 1); }

// A matrix of which chosen blocks transpose their tiles. What a block stores is seen, so blocks may take the tiles in any
// order. The input is 0 but for what these elements come from.
class LargeTranspose {
 public:
  LargeTranspose(const TransposeKernel& kernel, std::size_t side, Shape shape)
      : kernel_(kernel),
        side_(side),
        shape_(shape),
        what_(title(kernel, shape)),
        d_in_(shape.rows * shape.columns, Guards::none),
        d_out_(shape.rows * shape.columns, Guards::none) {
    d_in_.fill_zero();
    d_out_.fill_zero();
  }

  void check() {
    const std::vector<std::uint64_t> chosen = chosen_blocks();
    const OnlyBlocks only(chosen);
    if (!only) return;
    stored_ = stores_of_blocks(d_out_.data(), shape_.rows * shape_.columns, sizeof(float), [&] { run(); });
    fill_input();
    run();
    check_elements();
    check_tiles();
    check_order(chosen);
  }

 private:
  std::size_t down() const { return (shape_.rows - 1) / side_ + 1; }
  std::size_t across() const { return (shape_.columns - 1) / side_ + 1; }
  std::size_t blocks() const { return down() * across(); }

  // Those of any large grid, and among the first ones enough to tell in which order blocks take the tiles.
  std::vector<std::uint64_t> chosen_blocks() const {
    std::vector<std::uint64_t> chosen = blocks_to_run(blocks(), side_ * side_);
    for (const std::size_t line : {down(), across()}) {
      for (std::size_t b = 2; b < line; b *= 2) chosen.push_back(b);
      for (const std::size_t b : {line - 1, line, line + 1, 2 * line, 3 * line + 1}) chosen.push_back(b);
    }
    return in_grid(std::move(chosen), blocks());
  }

  void run() {
    const WithoutChecks unchecked;  // they have looked at blocks of small matrices, which do the same
    kernel_.launch(d_in_.data(), d_out_.data(), int(shape_.rows), int(shape_.columns));
    check_launch(what_);
  }

  // An element of out lies in a row of out, which is a column of in.
  std::size_t source_of(std::size_t element) const {
    return element % shape_.rows * shape_.columns + element / shape_.rows;
  }
  float expected_at(std::size_t element) const {
    return value_at(element % shape_.rows, element / shape_.rows);
  }
  std::string place(std::size_t element) const {
    return "out[" + std::to_string(element / shape_.rows) + "][" + std::to_string(element % shape_.rows) +
           "]";
  }
  std::string name_of(std::uint64_t block) const {
    return "block " + std::to_string(block) + " of " + std::to_string(blocks());
  }

  void fill_input() {
    std::map<std::size_t, float> values;  // by their place in the input
    for (const auto& [block, runs] : stored_)
      for (const Elements& run : runs)
        for (std::size_t e = run.first; e < run.end; ++e) values[source_of(e)] = expected_at(e);
    for (auto from = values.begin(); from != values.end();) {
      std::vector<float> part;
      const std::size_t first = from->first;
      for (; from != values.end() && from->first == first + part.size(); ++from) part.push_back(from->second);
      copy_in(d_in_.data() + first, part);
    }
  }

  void check_elements() const {
    for (const auto& [block, runs] : stored_)
      for (const Elements& run : runs) {
        const std::vector<float> part = copy_out(d_out_.data() + run.first, run.end - run.first);
        for (std::size_t k = 0; k < part.size(); ++k)
          if (const std::size_t e = run.first + k; part[k] != expected_at(e))
            return report(
                Kind::wrong_result,
                what_ + ": " + place(e) + ", which " + name_of(block) + " stores, is not in[" +
                    std::to_string(e % shape_.rows) + "][" + std::to_string(e / shape_.rows) +
                    "]; smaller matrices are right. Does an index, or its bytes, outgrow its type?");
      }
  }

  void check_tiles() const {
    std::map<std::size_t, std::uint64_t> owner;  // of the first element of a tile
    for (const auto& [block, runs] : stored_) {
      const auto [other, is_new] = owner.emplace(runs.front().first, block);
      if (!is_new)
        report(Kind::wrong_result, what_ + ": " + name_of(block) + " stores " + place(runs.front().first) +
                                       ", as block " + std::to_string(other->second) +
                                       " does: another tile is left out");
    }
  }

  // Where the first blocks take the tiles one below the other, or one beside the other, all do.
  void check_order(const std::vector<std::uint64_t>& chosen) const {
    for (const bool goes_down : {true, false}) {
      const std::size_t first_blocks = 4 * (goes_down ? down() : across());
      const auto expected = [&](std::uint64_t block) {
        const std::size_t row = goes_down ? block % down() : block / across(),
                          column = goes_down ? block / down() : block % across();
        return column * side_ * shape_.rows + row * side_;
      };
      const auto differs = [&](std::uint64_t block) {
        const auto found = stored_.find(block);
        return found == stored_.end() || found->second.front().first != expected(block);
      };
      if (std::ranges::any_of(chosen, [&](auto b) { return b < first_blocks && differs(b); })) continue;
      for (const std::uint64_t block : chosen) {
        const std::size_t e = expected(block), row = e % shape_.rows, column = e / shape_.rows,
                          count =
                              std::min(side_, shape_.rows - row) * std::min(side_, shape_.columns - column);
        if (differs(block) || elements_in(stored_.at(block)) != count)
          return report(Kind::wrong_result, what_ + ": " + name_of(block) + " does not store the " +
                                                std::to_string(count) + " elements of the tile at " +
                                                place(e) + "; in the order of the first blocks it is its");
      }
      return;
    }
  }

  const TransposeKernel& kernel_;
  std::size_t side_;
  Shape shape_;
  std::string what_;
  DeviceBuffer<float> d_in_, d_out_;
  std::map<std::uint64_t, std::vector<Elements>> stored_;  // by each block
};

}  // namespace

void check_large_transposes(const TransposeKernel& kernel, int side) {
  if (is_open(kernel.name)) return leave_out(kernel.name);
  for (const Shape& shape : kLarge) LargeTranspose(kernel, std::size_t(side), shape).check();
}

}  // namespace judge
// SPDX-License-Identifier: MIT
