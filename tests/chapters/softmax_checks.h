// Checks of kernels that take the softmax of each row of a matrix: chapter 15. Each reports to the judge.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "counts.h"
#include "harness/softmax_reference.h"
#include "judge.h"

namespace judge {

// A kernel as the checks see it: out = softmax of each row of in, rows x columns elements row after row.
struct SoftmaxKernel {
  std::string name;  // of the kernel: "softmax_warp"
  harness::RowType type;
  int lanes;           // threads that share a row
  int rows_per_block;  // of the page's kernel
  int fills;           // columns at which every thread of a row has as many elements as it can take at once
  std::function<void(const void* d_in, void* d_out, int rows, int columns)> launch;

  std::size_t element_bytes() const { return type == harness::RowType::bfloat16 ? 2 : 4; }
};

// `launch` takes (const T* d_in, T* d_out, int rows, int columns); sizeof(T) tells the type. `fills` is 0 where
// it is one element for each thread.
template <typename T, typename Launch>
SoftmaxKernel softmax_kernel(const char* name, int lanes, int rows_per_block, Launch launch, int fills = 0) {
  return {name,
          sizeof(T) == 2 ? harness::RowType::bfloat16 : harness::RowType::float32,
          lanes,
          rows_per_block,
          fills == 0 ? lanes : fills,
          [launch](const void* d_in, void* d_out, int rows, int columns) {
            launch(static_cast<const T*>(d_in), static_cast<T*>(d_out), rows, columns);
          }};
}

// The kernel reads and writes only its matrices, and reads nothing that was never written: on the simulated
// GPU, and under compute-sanitizer on a real one, the first byte beyond stops it.
void check_bounds(const SoftmaxKernel& kernel);

// Right rows of these lengths, of values of every kind: small and large ones, rising and falling ones, -inf,
// NaN. The error allowed follows from the roundings (harness/softmax_reference.h). A wrong result is tried
// with other values and lengths, which tell its cause (softmax_causes.h).
void check_rows(const SoftmaxKernel& kernel, const std::vector<int>& columns);

// The same for long rows, with more columns than 16 bits can count, and with two kinds of values only.
void check_long_rows(const SoftmaxKernel& kernel, int columns);

// Right with 0 rows and with 0 columns, and with few and many short rows.
void check_row_counts(const SoftmaxKernel& kernel);

// Right where `out` is `in`.
void check_in_place(const SoftmaxKernel& kernel, int columns);

// Right whichever lane comes first. A GPU has one schedule.
void check_schedules(const SoftmaxKernel& kernel, int columns);

// Other contents in the same memory give another result, and the first ones again the same bits.
void check_repeatable(const SoftmaxKernel& kernel, int columns);

// Chosen blocks of matrices of nearly 2^30 elements take their rows.
void check_large_indices(const SoftmaxKernel& kernel, const std::vector<int>& columns);

// Counts the kernel for two full blocks of rows of every kind, or for `rows` rows in one block: a kernel may
// look at the values and read once more. Limits are for one block.
// Two blocks are also taken from matrices with more rows, on both sides of the numbers with which the kernel compares.
bool check_counts(const SoftmaxKernel& kernel, int columns, const std::vector<Limit>& limits, int rows = 0);

// Those: blocks of matrices of zeros. check_counts() ends with it.
bool check_counts_in_large_grids(const SoftmaxKernel& kernel, int columns, const std::vector<Limit>& limits);

// The same for one row of each length on both sides of those numbers: multiples of `unit`, up to `most`.
bool check_counts_of_lengths(const SoftmaxKernel& kernel, int unit, int most,
                             const std::function<std::vector<Limit>(int columns)>& limits_of);

}  // namespace judge
// SPDX-License-Identifier: MIT
