// What a kernel that sums stretches of an array has to leave: for which lengths and values it is asked, what each sum covers,
// and which sums are wrong. Only the checks of sums include this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "composition.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "sum_checks.h"

namespace judge {

inline constexpr std::uint64_t kSeed = 2;
inline constexpr int kAskedAtOnce = 4099;  // a wrong sum of more elements is looked for among fewer

struct InputKind {
  const char* name;
  std::vector<float> (*make)(std::size_t n, std::uint64_t seed);
  bool exact;  // float holds every partial sum
};

inline constexpr InputKind kKinds[] = {
    {"uniform values", harness::uniform_floats, false},  // first: here the harness sees causes best
    {"whole numbers", harness::small_integers, true},
    {"cancelling values", harness::cancelling, false},
};

// Names a run in messages.
std::string title(const SumKernel& kernel, std::size_t n, const std::string& input_kind);

// The elements that sum b covers.
Stretch stretch_of(const SumKernel& kernel, std::size_t n, std::size_t b);

// Every sum is, to the bit, the first element of its stretch.
bool is_as_shipped(const SumKernel& kernel, const Run& run, const std::vector<float>& input);

// Lengths around warps and blocks, and where a stretch of this kernel is full.
std::vector<int> sizes_of(const SumKernel& kernel);

// In the worst order an element passes through as many additions as there are others.
int depth_of(const SumKernel& kernel, std::size_t n, bool exact);

harness::Reference reference_of(const std::vector<float>& input, Stretch stretch);

// The sums that are not right.
std::vector<std::size_t> wrong_sums(const SumKernel& kernel, const std::vector<float>& sums,
                                    const std::vector<float>& input, int depth);

}  // namespace judge
// SPDX-License-Identifier: MIT
