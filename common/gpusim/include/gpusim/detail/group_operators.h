// The operators of cooperative_groups/reduce.h and scan.h: less is the minimum, greater the maximum.
#pragma once

#include "cuda_runtime.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {

#define GPUSIM_GROUP_OPERATOR(name, expression)                       \
  template <class T>                                                  \
  struct name {                                                       \
    __device__ T operator()(T a, T b) const { return T(expression); } \
  };
GPUSIM_GROUP_OPERATOR(plus, a + b)
GPUSIM_GROUP_OPERATOR(less, b < a ? b : a)
GPUSIM_GROUP_OPERATOR(greater, a < b ? b : a)
GPUSIM_GROUP_OPERATOR(bit_and, a& b)
GPUSIM_GROUP_OPERATOR(bit_or, a | b)
GPUSIM_GROUP_OPERATOR(bit_xor, a ^ b)
#undef GPUSIM_GROUP_OPERATOR

}  // namespace cooperative_groups

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
