// Scans of a tile or of any lanes of a warp, in the order of their ranks.
#pragma once

#include "cooperative_groups.h"
#include "gpusim/detail/group_operators.h"
#include "gpusim/detail/group_scans.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {

template <class Group, class T, class Operator>
__device__ auto inclusive_scan(const Group& group, T value, Operator op) -> decltype(op(value, value)) {
  return detail::scan_lanes(group, value, op);
}
template <class Group, class T>
__device__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

// Rank 0 gets T(), as the operator's identity is not known.
template <class Group, class T, class Operator>
__device__ auto exclusive_scan(const Group& group, T value, Operator op) -> decltype(op(value, value)) {
  const T inclusive = detail::scan_lanes(group, value, op);
  if constexpr (__is_integral(T) && __is_same(Operator, plus<T>)) return inclusive - value;
  const T before = group.shfl_up(inclusive, 1);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
__device__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
