// What a wrong sum is the sum of, measured: the kernel runs on inputs that tell its elements apart.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sum_run.h"

namespace judge {

// A sum that should be that of input[first, end), each element once.
struct Stretch {
  std::size_t first, end;
};

// Runs the kernel on these elements, after those leftovers, and returns the sum in question.
using Ask = std::function<float(const std::vector<float>& input, Leftovers leftovers)>;

// How often the sum counts each of n elements: "elements 64..127 and 192..254 are missing; element 0 is
// counted twice; elements 256..319, which belong to another sum, are counted, too". It holds for every input
// that was tried, random ones among them. Where no such numbers exist, it says what the sum depends on
// besides.
std::string composition(const Ask& ask, std::size_t n, Stretch stretch);

// The same numbers, as text: counts[i] is how often element i is counted. "" if all are as they should be.
std::string in_words(const std::vector<long>& counts, Stretch stretch);

}  // namespace judge
// SPDX-License-Identifier: MIT
