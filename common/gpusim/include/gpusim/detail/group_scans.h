// The scan under cooperative_groups/reduce.h and scan.h: each lane takes from the lane 1, 2, 4, … ranks before it.
#pragma once

#include "cooperative_groups.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups::detail {

template <class Group, class T, class Operator>
__device__ T scan_lanes(const Group& group, T value, Operator& op) {
  const unsigned size = group.size(), rank = group.thread_rank();
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (rank >= distance) value = op(value, before);
  }
  return value;
}

}  // namespace cooperative_groups::detail

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
