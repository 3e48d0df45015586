// Checks of kernels that transpose a matrix: chapter 11. Each reports to the judge.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "counts.h"
#include "judge.h"

namespace judge {

// A kernel as the checks see it: from in, rows x columns elements row after row, to out, columns x rows.
struct TransposeKernel {
  std::string name;           // for messages: "transpose_tile, 8 bytes"
  std::size_t element_bytes;  // 4, 8 or 16
  std::function<void(const void* d_in, void* d_out, int rows, int columns)> launch;
};

// `launch` takes (const T* d_in, T* d_out, int rows, int columns).
template <typename T, typename Launch> TransposeKernel transpose_kernel(const char* name, Launch launch) {
  return {name + (", " + std::to_string(sizeof(T))) + " bytes", sizeof(T),
          [launch](const void* d_in, void* d_out, int rows, int columns) {
            launch(static_cast<const T*>(d_in), static_cast<T*>(d_out), rows, columns);
          }};
}

// The kernel reads and writes only its matrices, and reads nothing that was never written: on the simulated
// GPU, and under compute-sanitizer on a real one, the first byte beyond stops it.
void check_bounds(const TransposeKernel& kernel);

// The transpose of shapes around tiles, of one row or column, without elements, not multiples of anything; of
// elements that all differ, bit for bit: numbers, and bits that are none. Nothing outside out is written, and in stays
// as it is.
void check_transposes(const TransposeKernel& kernel);

// The same of one row and of one column, longer than 16 bits count.
void check_long_transposes(const TransposeKernel& kernel);

// Chosen tiles, side x side, of matrices of nearly 2^30 elements: square, tall and wide. For elements of 4 bytes.
void check_large_transposes(const TransposeKernel& kernel, int side);

// Right whichever lane comes first. A GPU has one schedule.
void check_schedules(const TransposeKernel& kernel);

// Runs the kernel on a few full tiles of side x side elements. Limits are for one tile, which counts.h calls a
// block. Returns whether it kept them.
bool check_counts(const TransposeKernel& kernel, int side, const std::vector<Limit>& limits);

// The same with tiles at the edges that are not full: they have so many rows and columns. Sectors are asked for in any
// case, not many more than these shapes need.
bool check_ragged_counts(const TransposeKernel& kernel, int side, int rows_more, int columns_more,
                         const std::vector<Limit>& limits);

}  // namespace judge
// SPDX-License-Identifier: MIT
