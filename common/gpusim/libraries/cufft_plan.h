// A plan of cuFFT: which transforms, and how their elements lie in memory.
#pragma once

#include <array>
#include <vector>

#include "base/base.h"
#include "cufft.h"

namespace gpusim::libraries::fft {

// The layout of input or output: element (x, y, z) is at ((x * embed[1] + y) * embed[2] + z) * stride, and
// the next transform begins `dist` elements further.
struct Layout {
  std::array<s64, 3> embed = {1, 1, 1};
  s64 stride = 1, dist = 0;

  // The packed layout, with rows of `row` elements.
  static Layout packed(const std::vector<int>& n, s64 row) {
    Layout l;
    l.dist = 1;
    for (std::size_t i = 0; i < n.size(); ++i) l.dist *= l.embed[i] = i + 1 < n.size() ? n[i] : row;
    return l;
  }
};

struct Plan {
  bool is_made = false, is_packed = true;
  cufftType type = CUFFT_C2C;
  std::vector<int> n;
  s64 batch = 1;
  Layout in, out;  // used only if the plan is not packed

  int last() const { return n.back(); }
  std::size_t count() const {
    std::size_t product = 1;
    for (int i : n) product *= std::size_t(i);
    return product;
  }
};

// Null if there is no such plan. Call it with the device locked.
const Plan* find_plan(cufftHandle);

}  // namespace gpusim::libraries::fft
// SPDX-License-Identifier: MIT
