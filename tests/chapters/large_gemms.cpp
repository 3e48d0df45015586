// Products of matrices of which only a part is ever written: of up to 2^30 elements what chosen blocks need, and rows that lie
// apart.
#include <cuda_runtime.h>

#include <algorithm>

#include "gemm_checks.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "harness/reference.h"
#include "large_grids.h"
#include "sum_checks.h"  // check_launch

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::GemmProblem;
using harness::Guards;

struct Shape {
  int m, n, k;
};

// Whether blocks take the tiles one below the other, not one beside the other: the first rows tell what block 1 does.
bool goes_down(const GemmKernel& kernel) {
  const int side = kernel.tile, m = 3 * side, n = 2 * side;
  DeviceBuffer<float> a(std::vector<float>(m, 1.0f)), b(std::vector<float>(n, 1.0f)), c(std::size_t(m) * n);
  c.fill_zero();
  const OnlyBlocks only({1});
  if (!only) return false;
  kernel.launch({m, n, 1, 1, a.data(), 1, b.data(), n, 0, c.data(), n});
  check_launch(kernel.name + std::string(", block 1 of 6"));
  const std::vector<float> got = c.download();
  return got[side] == 0 && got[std::size_t(side) * n] != 0;
}

// Blocks whose tiles lie at the ends of matrices that are too large to fill, and in between. Elsewhere A and B are 0.
void check_large(const GemmKernel& kernel, const Shape& s, bool down_first) {
  const std::size_t m = s.m, n = s.n, k = s.k, tile = kernel.tile;
  const std::size_t across = (n - 1) / tile + 1, down = (m - 1) / tile + 1, blocks = across * down;
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, tile * (m > n ? k : 1));
  const OnlyBlocks only(chosen);
  if (!only) return;
  const std::string what = kernel.name + ", A " + std::to_string(m) + " x " + std::to_string(k) +
                           " times B " + std::to_string(k) + " x " + std::to_string(n);
  DeviceBuffer<float> a(m * k, Guards::none), b(k * n, Guards::none), c(m * n, Guards::none);
  a.fill_zero();
  b.fill_zero();
  // Whole numbers that tell rows and columns of large matrices apart.
  const auto of_a = [](std::size_t row, std::size_t i) { return float((row * 7 + i * 3) % 61) - 30; };
  const auto of_b = [](std::size_t i, std::size_t column) { return float((column * 5 + i) % 59) - 29; };
  struct Tile {
    std::size_t row, column, rows, columns;
  };
  std::vector<Tile> tiles;
  for (const std::uint64_t block : chosen) {
    const std::size_t row = (down_first ? block % down : block / across) * tile,
                      column = (down_first ? block / down : block % across) * tile;
    tiles.push_back({row, column, std::min(tile, m - row), std::min(tile, n - column)});
    const Tile& t = tiles.back();
    std::vector<float> rows(t.rows * k), columns(t.columns);
    for (std::size_t r = 0; r < t.rows; ++r)
      for (std::size_t i = 0; i < k; ++i) rows[r * k + i] = of_a(row + r, i);
    copy_in(a.data() + row * k, rows);
    for (std::size_t i = 0; i < k; ++i) {
      for (std::size_t x = 0; x < t.columns; ++x) columns[x] = of_b(i, column + x);
      copy_in(b.data() + i * n + column, columns);
    }
  }
  kernel.launch({s.m, s.n, s.k, 1, a.data(), s.k, b.data(), s.n, 0, c.data(), s.n});
  check_launch(what);
  for (const Tile& t : tiles)
    for (std::size_t r = t.row; r < t.row + t.rows; ++r) {
      const std::vector<float> got = copy_out(c.data() + r * n + t.column, t.columns);
      for (std::size_t x = 0; x < t.columns; ++x) {
        float expected = 0;
        for (std::size_t i = 0; i < k; ++i) expected += of_a(r, i) * of_b(i, t.column + x);
        if (got[x] == expected) continue;
        return report(Kind::wrong_result,
                      what + ": C[" + std::to_string(r) + "][" + std::to_string(t.column + x) + "] is " +
                          harness::digits(got[x]) + ", expected " + harness::digits(expected) +
                          "; in smaller matrices it was right: an index, or its bytes, outgrow their type");
      }
    }
}

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

void check_large_indices(const GemmKernel& kernel) {
  constexpr int kLong = (1 << 27) - 5, kSide = (1 << 15) - 3;
  const bool down_first = goes_down(kernel);
  for (const Shape& s : {Shape{kLong, 1, 8}, {1, kLong, 8}, {kSide, kSide, 2}})
    check_large(kernel, s, down_first);
}

}  // namespace judge
