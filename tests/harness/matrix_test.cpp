// Matrices: elements that all differ, and a check that tells where a wrong element came from.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "child_process.h"
#include "harness/matrix.h"

namespace {

template <typename T> std::vector<T> transposed(const std::vector<T>& in, int rows, int columns) {
  std::vector<T> out(in.size());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) out[column * rows + row] = in[row * columns + column];
  return out;
}

}  // namespace

TEST_CASE("the squarest matrix has all elements and is no higher than wide") {
  const int shapes[][3] = {
      {0, 0, 0}, {1, 1, 1}, {7, 1, 7}, {12, 3, 4}, {36, 6, 6}, {32, 4, 8}, {1 << 25, 4096, 8192}};
  for (const auto& [n, rows, columns] : shapes) {
    CHECK(harness::squarest(n).rows == rows);
    CHECK(harness::squarest(n).columns == columns);
  }
}

TEST_CASE("a shape follows from rows or columns or both and must fit the elements") {
  const auto choose = [](int n, long long rows, long long columns) {
    const harness::Shape shape = harness::choose_shape("program", &n, rows, columns);
    return std::vector<int>{shape.rows, shape.columns, n};
  };
  CHECK(choose(12, 0, 0) == std::vector<int>{3, 4, 12});
  CHECK(choose(12, 2, 0) == std::vector<int>{2, 6, 12});
  CHECK(choose(12, 0, 2) == std::vector<int>{6, 2, 12});
  CHECK(choose(12, 5, 7) == std::vector<int>{5, 7, 35});
  ChildResult child = run_child("shape-too-large");
  CHECK(child.exit_status == 2);
  CHECK(child.output == "program: --rows times --columns is more than 2^30 elements (try --help)\n");
  child = run_child("shape-does-not-divide");
  CHECK(child.exit_status == 2);
  CHECK(child.output ==
        "program: --columns 7 does not divide --n 100: give both --rows and --columns (try --help)\n");
}

TEST_CASE("distinct elements differ and are finite") {
  for (const std::uint64_t seed : {0u, 1u, 4294967295u}) {
    std::vector<float> values = harness::distinct_elements<float>(100003, seed);
    CHECK(std::all_of(values.begin(), values.end(), [](float v) { return v >= 0x1p-63f && v < 0x1p65f; }));
    std::sort(values.begin(), values.end());
    CHECK(std::adjacent_find(values.begin(), values.end()) == values.end());
  }
}

TEST_CASE("all words of a wide element differ") {
  const harness::Quad quad = harness::distinct_elements<harness::Quad>(3, 1)[2];
  CHECK(quad.x != quad.y);
  CHECK(quad.y != quad.z);
  CHECK(quad.z != quad.w);
}

TEST_CASE("the transpose of a matrix is accepted for every shape and element size") {
  const std::pair<int, int> shapes[] = {{0, 0},  {0, 5}, {5, 0},   {1, 1},  {1, 40},
                                        {40, 1}, {3, 5}, {31, 33}, {64, 32}};
  for (const auto& [rows, columns] : shapes) {
    const auto in = harness::distinct_elements<float>(rows * columns, 1);
    CHECK(harness::verify_transpose(transposed(in, rows, columns), in, rows, columns).ok);
    const auto wide = harness::distinct_elements<harness::Quad>(rows * columns, 1);
    CHECK(harness::verify_transpose(transposed(wide, rows, columns), wide, rows, columns).ok);
  }
}

TEST_CASE("a wrong element of a transpose is named with its origin") {
  const auto in = harness::distinct_elements<double>(3 * 5, 1);
  auto out = transposed(in, 3, 5);
  std::swap(out[7], out[8]);
  CHECK(harness::verify_transpose(out, in, 3, 5).message ==
        "out[2][1] holds in[2][2], expected in[1][2]; 2 of 15 elements are wrong");
  std::memset(&out[0], 0xff, sizeof out[0]);
  CHECK(harness::verify_transpose(out, in, 3, 5).message ==
        "out[0][0] holds no element of the input, expected in[0][0]; 3 of 15 elements are wrong");
}

TEST_CASE("a copy is not the transpose") {
  const auto in = harness::distinct_elements<float>(4, 1);
  CHECK(harness::verify_transpose(in, in, 2, 2).message ==
        "out[0][1] holds in[0][1], expected in[1][0]; 2 of 4 elements are wrong");
}
// SPDX-License-Identifier: MIT
