// Is a float sum right? The oracle knows nothing of the kernel: it adds the inputs in double, and allows as
// much error as the rounding of float additions can cause, no more.
//
// A sum in which no element passes through more than `depth` additions has an error of at most
//   gamma(depth) * sum |x|,   gamma(k) = k u / (1 - k u),   u = 2^-24
// (Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed., section 4.2). The bound is relative to
// the sum of magnitudes, never to |sum|, which cancellation can make as small as it likes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace harness {

struct Reference {
  double sum = 0;
  double sum_abs = 0;  // of magnitudes
};

// A number in a message. Nine digits tell any two floats apart.
std::string digits(double value, int significant = 9);

// "0.5 > 0.00049", with more digits where few would not tell the two apart.
std::string exceeding(double error, double allowed);

// Sums in double with compensated (Neumaier) summation.
Reference reference_sum(const float* values, std::size_t count);
inline Reference reference_sum(const std::vector<float>& values) {
  return reference_sum(values.data(), values.size());
}

// For --predict, which runs some blocks of a grid and leaves results unfinished. After this call every
// verdict is good, and reference sums are 0, since for large arrays they would take longer than everything
// else.
void verify_nothing();
bool verifies_nothing();

struct Verdict {
  bool ok = true;
  std::string message;  // empty when ok; else one line for each thing that is wrong

  explicit operator bool() const { return ok; }
};

// The depth to pass if a float holds every partial sum exactly (small_integers in inputs.h): no error is
// allowed.
inline constexpr int kExact = 0;

// The error that `depth` additions on the longest way from an element to the sum may cause:
// c * depth * 2^-24 * sum |x| with c = 2, which covers the denominator of gamma and one addition more or
// less. A tree over 256 elements has depth 8, a loop over k elements k - 1, a loop and then a tree their sum.
double tolerance(const Reference& reference, int depth);

// "sum 4097, expected 4096.5 (|error| 0.5 > 2.4e-4)". NaN and infinity fail. So does a depth for which
// the bound reaches sum |x|: it would accept 0, so nothing could be wrong; verify such kernels with exact
// inputs.
Verdict verify_sum(float got, const Reference& expected, int depth);

// Block b of a kernel sums input[b * per_block … (b + 1) * per_block), and the last block what is left. For
// an empty input there is no sum, or one that is 0. The message names the first wrong blocks:
//   "block 16: sum 4097, expected 4096.5 (|error| 0.5 > 2.4e-4)"
// and those that still hold what DeviceBuffer::fill_poison put there. One run does not show more, because the
// same error has many possible causes. The judge finds the cause by further runs
// (tests/chapters/composition.h). If there is only one sum, the message does not name its block.
Verdict verify_blocks(const std::vector<float>& block_sums, const std::vector<float>& input,
                      std::size_t per_block, int depth);

// For a kernel that must not change its input. The message names the first element that is not bit for bit
// what it was.
Verdict verify_unchanged(const std::vector<float>& now, const std::vector<float>& before);

}  // namespace harness
// SPDX-License-Identifier: MIT
