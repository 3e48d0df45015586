// Checks of kernels that multiply matrices: chapter 13. Each reports to the judge.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "counts.h"
#include "judge.h"

namespace judge {

// The arguments of a product as BLAS orders them, row after row; pointers to device memory.
struct GemmArguments {
  int m, n, k;
  float alpha;
  const float* a;
  int lda;
  const float* b;
  int ldb;
  float beta;
  float* c;
  int ldc;
};

// A kernel as the checks see it: C = alpha A B + beta C.
struct GemmKernel {
  std::string name;  // for messages
  int tile;          // a block makes tile x tile elements of C
  int depth;         // of k, in one step of the page's kernel
  std::function<void(const GemmArguments&)> launch;

  int blocks(int m, int n) const { return ((m + tile - 1) / tile) * ((n + tile - 1) / tile); }
};

// The kernel reads and writes only its matrices, whose memory ends with their last element, and reads nothing that was
// never written: on the simulated GPU, and under compute-sanitizer on a real one, the first byte beyond stops it.
void check_bounds(const GemmKernel& kernel);

// Tall, wide and large matrices, as long as an int counts their elements: chosen blocks make their tiles, in any order.
void check_large_indices(const GemmKernel& kernel);

// A k that 16 bits do not count. On the simulated GPU; a real one has no way to do this in parts.
void check_long_sums(const GemmKernel& kernel);

// Matrices that begin between two multiples of 16 bytes, and rows that do.
void check_alignment(const GemmKernel& kernel);

// Nothing is read between rows that lie apart: there it was never written.
void check_gaps(const GemmKernel& kernel);

// Right products of every awkward shape, 0 among them; with rows apart, and NaN between them; with several alpha and
// beta, and a C that holds NaN where beta is 0; of values that need rounding, within the error bound, and of whole
// numbers. A and B stay as they are, and so does what lies between the rows of C.
void check_products(const GemmKernel& kernel);

// A NaN or an infinity in one row of A or one column of B reaches that row or column of C, and no other.
void check_specials(const GemmKernel& kernel);

// The same bits whichever lane comes first. A GPU has one schedule.
void check_schedules(const GemmKernel& kernel);

// Another product in the same memory, and the first one again, give what they should.
void check_repeatable(const GemmKernel& kernel);

// Counts the kernel for matrices of whole tiles, for ragged ones, for a k of less than a step and of many, and chosen blocks of a
// large grid. Limits are for one block and `depth` of k, the step in which it fetches: "for every 8 of k". Returns whether
// it kept them.
bool check_counts(const GemmKernel& kernel, const std::vector<Limit>& limits);

// Those blocks of a grid of many thousand, for one step of k; and sizes on both sides of the numbers with which the kernel compares:
// check_counts() ends with them.
bool check_counts_in_a_large_grid(const GemmKernel& kernel, const std::vector<Limit>& limits);
bool check_counts_around_thresholds(const GemmKernel& kernel, const std::vector<Limit>& limits);

}  // namespace judge
// SPDX-License-Identifier: MIT
