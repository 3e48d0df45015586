// Chapter 13, experiment: steps 5, 6 and 8 change several things at once. Here each kernel differs in just one of them from
// the kernel that it is compared with.
#include <chosen.cuh>
#include <kernels.cuh>

#include <string>

#include "harness/harness.h"

namespace {

// gemm_registers, for matrices whose sides are multiples of a tile's: no load and no store tests for an edge.
__global__ void __launch_bounds__(kThreads) registers_without_edges(Gemm g) {
  __shared__ Tiles tiles;
  const Corner corner = corner_of(g, kRows, kColumns);
  const int x = threadIdx.x % kSpan, y = threadIdx.x / kSpan;
  float sum[kSums][kSums] = {};
  for (int first = 0; first < g.k; first += kDepth) {
    for (int i = threadIdx.x; i < kRows * kDepth; i += kThreads)
      tiles.a[i % kDepth][i / kDepth] = g.a[(corner.row + i / kDepth) * g.lda + first + i % kDepth];
    for (int i = threadIdx.x; i < kDepth * kColumns; i += kThreads)
      tiles.b[i / kColumns][i % kColumns] =
          g.b[(first + i / kColumns) * g.ldb + corner.column + i % kColumns];
    __syncthreads();  // the tiles are complete
    for (int k = 0; k < kDepth; ++k) {
      float a[kSums], b[kSums];
#pragma unroll
      for (int i = 0; i < kSums; ++i) a[i] = tiles.a[k][y + i * kSpan];
#pragma unroll
      for (int j = 0; j < kSums; ++j) b[j] = tiles.b[k][x + j * kSpan];
#pragma unroll
      for (int i = 0; i < kSums; ++i)
#pragma unroll
        for (int j = 0; j < kSums; ++j) sum[i][j] += a[i] * b[j];
    }
    __syncthreads();  // everyone has read them
  }
#pragma unroll
  for (int i = 0; i < kSums; ++i)
#pragma unroll
    for (int j = 0; j < kSums; ++j)
      g.c[(corner.row + y + i * kSpan) * g.ldc + corner.column + x + j * kSpan] = g.alpha * sum[i][j];
}

// gemm_one_tile, with the blocks in the order of gemm_registers.
template <typename P>
__global__ void __launch_bounds__(P::kThreads, P::kBlocksPerSm) one_tile_in_rows(Gemm g) {
  __shared__ SharedTiles<P> tiles;
  const Corner corner = corner_of(g, P::kRows, P::kColumns);
  const Place place = AcrossTheBlock::of<P>(threadIdx.x);
  Carrier<P, 4> carrier(g, corner);
  Sums<P> sums;
  Factors<P> factors;
  for (int first = 0; first < g.k; first += P::kDepth) {
    carrier.load(g, first);
    carrier.store(tiles);
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int k = 0; k < P::kDepth; ++k) {
      factors.load(tiles, k, place);
      sums.add(factors);
    }
    __syncthreads();  // everyone has read them
  }
  sums.store_all(g, corner, place, true);
}

enum class Loads { early, late };  // before the current tile is multiplied, or after it
enum class Barriers { one, two };  // for each tile

// ANCHOR: varied
template <Loads kLoads, Barriers kBarriers, typename P>
__device__ __forceinline__ void multiply_varied(const Gemm& g, int first, const SharedTiles<P>& now,
                                                SharedTiles<P>& next, Place place, Carrier<P, 4>& carrier,
                                                Factors<P> (&factors)[2], Sums<P>& sums) {
  const bool more = first + P::kDepth < g.k;
  if (kLoads == Loads::early && more) carrier.load(g, first + P::kDepth);
#pragma unroll
  for (int k = 0; k < P::kDepth; ++k) {
    if (k + 1 < P::kDepth) {
      factors[(k + 1) % 2].load(now, k + 1, place);
    } else if (more) {
      if (kLoads == Loads::late) carrier.load(g, first + P::kDepth);
      if (kBarriers == Barriers::two) __syncthreads();  // not needed: nobody reads `next`
      carrier.store(next);
      __syncthreads();  // the next tiles are complete, and nobody reads these any more
      factors[0].load(next, 0, place);
    }
    sums.add(factors[k % 2]);
  }
}
// ANCHOR_END: varied

// gemm_two_tiles for Square, varied.
template <Loads kLoads, Barriers kBarriers, typename P>
__global__ void __launch_bounds__(P::kThreads, P::kBlocksPerSm) two_tiles_varied(Gemm g) {
  __shared__ SharedTiles<P> tiles[2];
  const Corner corner = corner_in_bands<P>(g);
  const Place place = AcrossTheBlock::of<P>(threadIdx.x);
  Carrier<P, 4> carrier(g, corner);
  Sums<P> sums;
  Factors<P> factors[2];
  carrier.load(g, 0);
  carrier.store(tiles[0]);
  __syncthreads();  // the first tiles are complete
  factors[0].load(tiles[0], 0, place);
  for (int first = 0; first < g.k; first += 2 * P::kDepth) {
    multiply_varied<kLoads, kBarriers>(g, first, tiles[0], tiles[1], place, carrier, factors, sums);
    if (first + P::kDepth >= g.k) break;
    multiply_varied<kLoads, kBarriers>(g, first + P::kDepth, tiles[1], tiles[0], place, carrier, factors,
                                       sums);
  }
  sums.store_all(g, corner, place, true);
}

template <auto kKernel> void launch_square(const Gemm& g) {
  kKernel<<<blocks_of(g, Square::kRows, Square::kColumns), Square::kThreads>>>(g);
}
template <typename P, typename Places, bool kPrefetch> void launch_plan(const Gemm& g) {
  launch_two_tiles<P, Places, 4>(g, kPrefetch);
}

struct Step {
  const char* name;
  void (*launch)(const Gemm&);
};
const Step kSteps[] = {
    {"gemm_registers", launch_square<gemm_registers>},
    {"gemm_registers, no tests for edges", launch_square<registers_without_edges>},
    {"gemm_vector", launch_square<gemm_one_tile<Square, 4>>},
    {"gemm_vector, global loads of 4 bytes", launch_square<gemm_one_tile<Square, 1>>},
    {"gemm_vector, tiles row after row", launch_square<one_tile_in_rows<Square>>},
    {"gemm_buffered", launch_plan<Square, AcrossTheBlock, false>},
    {"gemm_buffered, late loads", launch_square<two_tiles_varied<Loads::late, Barriers::one, Square>>},
    {"gemm_buffered, two barriers", launch_square<two_tiles_varied<Loads::early, Barriers::two, Square>>},
    {"gemm_buffered, late loads, two barriers",
     launch_square<two_tiles_varied<Loads::late, Barriers::two, Square>>},
    {"gemm_buffered, prefetch", launch_plan<Square, AcrossTheBlock, true>},
    {"64 x 128", launch_plan<Small, AcrossTheBlock, false>},
    {"64 x 128, prefetch", launch_plan<Small, AcrossTheBlock, true>},
};

}  // namespace

int main(int argc, char** argv) {
  long long rows_asked = harness::is_simulated() ? 128 : 4096;
  harness::Options options = harness::parse_options(
      argc, argv, "13_gemm.changes", "multiplies square matrices of --rows rows; --n is not used",
      {{"--rows", "rows, and columns, of each matrix; rounded down to a multiple of 128", &rows_asked, 128,
        1 << 14}});
  const int rows = static_cast<int>(rows_asked) / kRows * kRows;
  options.n = rows * rows;
  const harness::GemmProblem problem =
      harness::make_gemm(rows, rows, rows, 1.0f, 0.0f, 0, harness::GemmValues::uniform, options.seed);
  const harness::DeviceBuffer<float> d_a(problem.a), d_b(problem.b);
  harness::DeviceBuffer<float> d_c(problem.c.size());
  const Gemm gemm{rows,       rows, rows,         problem.alpha, d_a.data(), rows,
                  d_b.data(), rows, problem.beta, d_c.data(),    rows};

  harness::Report report(options);
  for (const Step& step : kSteps) {
    report.measure(step.name, 3 * d_a.bytes(), [&] { step.launch(gemm); }, [&] { d_c.fill_poison(); });
    report.operations(2.0 * rows * rows * rows);
    constexpr int kSampledRows = 16;
    report.verify(harness::verify_gemm(d_c.download(), problem, kSampledRows));
  }
  return report.finish();
}
// SPDX-License-Identifier: MIT
