// Rows for kernels that take a softmax, and one run of such a kernel: for softmax_checks.cpp and
// softmax_causes.cpp.
#pragma once

#include <string>
#include <vector>

#include "harness/device_buffer.h"
#include "harness/reference.h"
#include "softmax_checks.h"

namespace judge {

// Kinds of values that a row may have. kKinds is how many there are.
enum class RowKind {
  small,     // in [-1, 1)
  wide,      // in [-40, 40): most results are nearly 0
  above_88,  // exp of them is more than a float holds
  below_minus_88,
  rising,   // the maximum comes last
  falling,  // and first
  equal,
  huge,       // 1e30 and -1e30
  lowest,     // -3e38
  one_above,  // all equal but the first, which is a little larger: many additions of the same number
  far_above,  // and 16 larger: what each other element adds is nearly 0, and together it is not
  far_below,  // all equal but the first, which is 80 smaller: sums that are kept for it overflow where rows are long
  some_infinite,  // -inf, the first elements among them
  all_infinite,   // nothing but -inf: NaN, as 0 / 0
  one_finite,     // in the last place
  one_masked,     // equal values but the last, which is -inf
  nan_inside,
  plus_infinite,  // NaN everywhere, as infinity / infinity
};
inline constexpr int kKinds = 18;
const char* describe(RowKind kind);  // "values above 88"

// One row, rounded to the type.
std::vector<float> make_row(RowKind kind, int columns, harness::RowType type);

// Runs the kernel on such rows (values are those of the type) and reports faults and hazards. The input must
// stay as it is, unless in place. Returns the results as floats.
std::vector<float> run_rows(const SoftmaxKernel& kernel, const std::vector<float>& input, int rows,
                            int columns, harness::Guards guards, const std::string& what,
                            bool in_place = false);

// The most merges between an element and its row's sum.
int merges_of(const SoftmaxKernel& kernel, int columns);

}  // namespace judge
// SPDX-License-Identifier: MIT
