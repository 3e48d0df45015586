// Judges chapters/11_transpose/kernels.cuh: six ways to transpose a matrix, for elements of 4, 8 and 16 bytes.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "harness/matrix.h"
#include "transpose_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0x63a5f7d62b4092e9,
                                         {{"the padded tile", 1, {"transpose_padded"}},
                                          {"the swizzled tile", 1, {"transpose_swizzled"}},
                                          {"through_tile", 1, {"transpose_tile"}},
                                          {"the swizzle of packs", 1, {"transpose_vector"}}}};

namespace {

using judge::Count;
using judge::TransposeKernel;

// Launches a kernel with one block a tile of kTile x kTile elements.
template <typename T> TransposeKernel on_tiles(const char* name, void (*kernel)(const T*, T*, int, int)) {
  return judge::transpose_kernel<T>(name, [kernel](const T* in, T* out, int rows, int columns) {
    kernel<<<tiles_of(rows, columns, kTile), dim3(kTile, kThreadRows)>>>(in, out, rows, columns);
  });
}

struct Kernels {
  TransposeKernel read_rows, write_rows, tile, padded, swizzled, vector;
};
template <typename T> Kernels kernels_for() {
  return {on_tiles<T>("transpose_read_rows", transpose_read_rows<T>),
          on_tiles<T>("transpose_write_rows", transpose_write_rows<T>),
          on_tiles<T>("transpose_tile", transpose_tile<T>),
          on_tiles<T>("transpose_padded", transpose_padded<T>),
          on_tiles<T>("transpose_swizzled", transpose_swizzled<T>),
          judge::transpose_kernel<T>("transpose_vector", launch_transpose_vector<T>)};
}
const Kernels kSizes[] = {kernels_for<float>(), kernels_for<double>(), kernels_for<harness::Quad>()};

using Check = void (*)(const TransposeKernel& kernel);
void for_each_kernel_of(const Kernels& all, Check check) {
  for (const TransposeKernel* kernel :
       {&all.read_rows, &all.write_rows, &all.tile, &all.padded, &all.swizzled, &all.vector})
    check(*kernel);
}
void for_each_kernel(Check check) {
  for (const Kernels& all : kSizes) for_each_kernel_of(all, check);
}

// Counts a kernel for each size of element. `limits` says what is asked of a tile of side x side elements that
// fills so many sectors. The first size that fails tells enough.
using Limits = std::vector<judge::Limit> (*)(double sectors);
void check_sizes(TransposeKernel Kernels::* member, int side, Limits limits) {
  for (const Kernels& all : kSizes) {
    const TransposeKernel& kernel = all.*member;
    if (!judge::check_counts(kernel, side, limits(double(side) * side * kernel.element_bytes / 32))) return;
  }
}

// The same with tiles that are not full: a kernel that takes another way for these matrices is asked for as much.
void check_ragged_sizes(TransposeKernel Kernels::* member, int side, int rows_more, int columns_more,
                        Limits limits) {
  for (const Kernels& all : kSizes) {
    const TransposeKernel& kernel = all.*member;
    const double sectors = double(side) * side * kernel.element_bytes / 32;
    if (!judge::check_ragged_counts(kernel, side, rows_more, columns_more, limits(sectors))) return;
  }
}

std::vector<judge::Limit> nothing_more(double) { return {}; }
// Where only some lanes of a warp have elements, those may meet in a bank now and then.
std::vector<judge::Limit> few_conflicts(double sectors) { return {Count::bank_conflicts <= sectors / 16}; }
std::vector<judge::Limit> whole_sectors(double sectors) {
  return {Count::global_load_sectors <= sectors, Count::global_store_sectors <= sectors};
}
std::vector<judge::Limit> no_conflicts(double) { return {Count::bank_conflicts <= 0}; }
// A lane moves 16 bytes, half a sector, so a request moves 16 sectors.
std::vector<judge::Limit> sixteen_bytes_a_lane(double sectors) {
  return {Count::global_load_requests <= sectors / 16, Count::global_load_sectors <= sectors,
          Count::global_store_requests <= sectors / 16, Count::global_store_sectors <= sectors};
}
// A tile that is not full needs no more requests than a full one.
std::vector<judge::Limit> sixteen_bytes_a_lane_at_the_edges(double sectors) {
  return {Count::global_load_requests <= sectors / 16, Count::global_store_requests <= sectors / 16,
          Count::bank_conflicts <= sectors / 16};
}

}  // namespace

TEST_CASE("no kernel reads or writes beyond its matrices") { for_each_kernel(judge::check_bounds); }

TEST_CASE("a transpose of any shape is right to the bit, for elements of 4, 8 and 16 bytes") {
  for_each_kernel(judge::check_transposes);
}

TEST_CASE("a row or a column of 65,573 elements is transposed as well") {
  for_each_kernel_of(kSizes[0], judge::check_long_transposes);  // the size of an element does not matter here
}

TEST_CASE("matrices of nearly 2^30 elements, tall ones and wide ones among them, are transposed as well") {
  const Kernels& all = kSizes[0];
  for (const TransposeKernel* kernel :
       {&all.read_rows, &all.write_rows, &all.tile, &all.padded, &all.swizzled})
    judge::check_large_transposes(*kernel, kTile);
  judge::check_large_transposes(all.vector, PackTile<float>::kSide);
}

TEST_CASE("the transpose is the same whichever lane comes first") { for_each_kernel(judge::check_schedules); }

TEST_CASE("through a tile, global memory is read and written in whole sectors") {
  for (const auto kernel : {&Kernels::tile, &Kernels::padded, &Kernels::swizzled})
    check_sizes(kernel, kTile, whole_sectors);
}

TEST_CASE("a padded tile and a swizzled one have no bank conflicts") {
  for (const auto kernel : {&Kernels::padded, &Kernels::swizzled}) check_sizes(kernel, kTile, no_conflicts);
}

TEST_CASE("the swizzled tile takes no more shared memory than its elements") {
  cudaFuncAttributes attributes;
  REQUIRE(cudaFuncGetAttributes(&attributes, transpose_swizzled<float>) == cudaSuccess);
  if (attributes.sharedSizeBytes > kTile * kTile * sizeof(float))
    judge::report(judge::Kind::unimproved,
                  "transpose_swizzled takes " + std::to_string(attributes.sharedSizeBytes) +
                      " bytes of shared memory a block (this chapter asks for " +
                      std::to_string(kTile * kTile * sizeof(float)) + ", without padding)");
}

// Counted for every 64 x 64 elements.
TEST_CASE("the vector kernel moves 16 bytes a lane, in whole sectors and without bank conflicts") {
  check_sizes(&Kernels::vector, 64, sixteen_bytes_a_lane);
  check_sizes(&Kernels::vector, 64, no_conflicts);
}

TEST_CASE("all that is asked of the tiles holds for matrices, too, whose tiles are not all full") {
  check_ragged_sizes(&Kernels::tile, kTile, 3, 5, nothing_more);
  for (const auto kernel : {&Kernels::padded, &Kernels::swizzled})
    check_ragged_sizes(kernel, kTile, 3, 5, few_conflicts);
  check_ragged_sizes(&Kernels::vector, 64, 4, 8, sixteen_bytes_a_lane_at_the_edges);
  check_ragged_sizes(&Kernels::vector, 64, 3, 5, few_conflicts);  // not multiples of a pack
}

TEST_CASE("stretch: packs change from rows to columns without shared memory") {
  for (const Kernels& all : kSizes)
    judge::check_counts(all.vector, 64,
                        {Count::shared_load_requests <= 0, Count::shared_store_requests <= 0});
}
// SPDX-License-Identifier: MIT
