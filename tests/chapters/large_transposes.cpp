// Transposes of matrices of nearly 2^30 elements, of which only the tiles of chosen blocks are ever touched.
#include <algorithm>
#include <cstdio>
#include <string>

#include "harness/device_buffer.h"
#include "large_grids.h"
#include "sum_checks.h"  // check_launch
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

// The elements of a block's tile that the matrix has.
struct Tile {
  std::size_t row, column, rows, columns;
};
// Blocks take the tiles one below the other, or one beside the other.
enum class Order { down_columns, along_rows, another };

Tile tile_of(Order order, std::size_t side, std::size_t block, Shape shape) {
  const std::size_t down = (shape.rows - 1) / side + 1, across = (shape.columns - 1) / side + 1;
  const std::size_t row = side * (order == Order::down_columns ? block % down : block / across),
                    column = side * (order == Order::down_columns ? block / down : block % across);
  return {row, column, std::min(side, shape.rows - row), std::min(side, shape.columns - column)};
}

// Which tile block 1 of a small grid takes.
Order order_of(const TransposeKernel& kernel, std::size_t side) {
  const Shape shape{3 * side, 2 * side};
  const std::vector<float> input(shape.rows * shape.columns, 1.0f);
  DeviceBuffer<float> d_in(input), d_out(input.size());
  d_out.fill_zero();
  const OnlyBlocks only({1});
  kernel.launch(d_in.data(), d_out.data(), int(shape.rows), int(shape.columns));
  check_launch(title(kernel, shape));
  const std::vector<float> got = d_out.download();
  if (got[side] != 0) return Order::down_columns;
  return got[side * shape.rows] != 0 ? Order::along_rows : Order::another;
}

void tell_order(const std::string& what) {
  std::printf(
      "  %s is not judged on matrices near 2^30: its blocks take the tiles in an order of their own\n",
      what.c_str());
}

void check(const TransposeKernel& kernel, Order order, std::size_t side, Shape shape) {
  const std::size_t blocks = ((shape.rows - 1) / side + 1) * ((shape.columns - 1) / side + 1);
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, side * side);
  const OnlyBlocks only(chosen);
  if (!only) return;
  const std::string what = title(kernel, shape);
  DeviceBuffer<float> d_in(shape.rows * shape.columns, Guards::none),
      d_out(shape.rows * shape.columns, Guards::none);
  d_in.fill_zero();  // a kernel may read more than is expected of these blocks
  d_out.fill_zero();
  for (const std::uint64_t block : chosen) {
    const Tile t = tile_of(order, side, block, shape);
    for (std::size_t row = t.row; row < t.row + t.rows; ++row) {
      std::vector<float> part(t.columns);
      for (std::size_t k = 0; k < t.columns; ++k) part[k] = value_at(row, t.column + k);
      copy_in(d_in.data() + row * shape.columns + t.column, part);
    }
  }
  kernel.launch(d_in.data(), d_out.data(), int(shape.rows), int(shape.columns));
  check_launch(what);
  // A kernel may cut such a shape into other tiles than a small one. Where block 1 begins, no index is large.
  const Tile second = tile_of(order, side, 1, shape);
  if (copy_out(d_out.data() + second.column * shape.rows + second.row, 1).front() == 0)
    return tell_order(what);
  for (const std::uint64_t block : chosen) {
    const Tile t = tile_of(order, side, block, shape);
    for (std::size_t column = t.column; column < t.column + t.columns; ++column) {
      const std::vector<float> part = copy_out(d_out.data() + column * shape.rows + t.row, t.rows);
      for (std::size_t k = 0; k < t.rows; ++k)
        if (part[k] != value_at(t.row + k, column))
          report(
              Kind::wrong_result,
              what + ": row " + std::to_string(column) + ", column " + std::to_string(t.row + k) +
                  " of the result is not what row " + std::to_string(t.row + k) + ", column " +
                  std::to_string(column) +
                  " of the matrix holds; in smaller matrices it was: an index, or its bytes, outgrow their type");
    }
  }
}

}  // namespace

void check_large_transposes(const TransposeKernel& kernel, int side) {
  if (is_open(kernel.name)) return leave_out(kernel.name);
  if (!OnlyBlocks({0})) return;
  const Order order = order_of(kernel, side);
  if (order == Order::another) return tell_order(kernel.name);
  for (const Shape& shape : kLarge) check(kernel, order, side, shape);
}

}  // namespace judge
