// What the tests of chapters include, all of it: precompiled (meson.build). That kernels.cuh stands by itself without
// it is seen where the chapter's own program is compiled.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "counts.h"
#include "gemm_checks.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "harness/inputs.h"
#include "harness/matrix.h"
#include "harness/scan_reference.h"
#include "judge.h"
#include "lane_checks.h"
#include "look_back_checks.h"
#include "scan_checks.h"
#include "section_checks.h"
#include "simulated.h"
#include "softmax_checks.h"
#include "sum_checks.h"
#include "transpose_checks.h"

namespace judge {

// Nobody calls it: what of the standard library every chapter's tests need is instantiated for it, and so precompiled.
inline void instantiate_what_all_need() {
  const Exercise exercise_like_any = {0, {{"", 0, {""}}}};
  const std::vector<Limit> limits = {Count::local_requests <= 0};
  std::vector<int> ints = {0};
  ints = std::vector<int>(ints.begin(), ints.end());
  const std::string text = "n" + std::to_string(exercise_like_any.gaps.size() + limits.size());
  const std::vector<std::string> texts = {text};
  harness::DeviceBuffer<float> buffer(std::vector<float>(ints.size()));
  const std::vector<float> floats = buffer.download();
}

}  // namespace judge
// SPDX-License-Identifier: MIT
