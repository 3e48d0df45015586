// Reductions of a tile or of any lanes of a warp. Integers of up to 32 bits take one instruction (redux.sync) where it
// pays, everything else shuffles, in the order of NVIDIA's, so that sums of floats have the same bits.
#pragma once

#include "cooperative_groups.h"
#include "gpusim/detail/group_operators.h"
#include "gpusim/detail/group_scans.h"

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace cooperative_groups {
namespace detail {

#define GPUSIM_REDUX(Operator, operation)                              \
  template <class T>                                                   \
  __device__ T redux(unsigned mask, T value, Operator<T>) {            \
    if constexpr (T(-1) < T(0)) return T(operation(mask, int(value))); \
    else return T(operation(mask, unsigned(value)));                   \
  }
GPUSIM_REDUX(plus, __reduce_add_sync)
GPUSIM_REDUX(less, __reduce_min_sync)
GPUSIM_REDUX(greater, __reduce_max_sync)
GPUSIM_REDUX(bit_and, __reduce_and_sync)
GPUSIM_REDUX(bit_or, __reduce_or_sync)
GPUSIM_REDUX(bit_xor, __reduce_xor_sync)
#undef GPUSIM_REDUX

template <class T, class Operator>
constexpr bool kIsRedux =
    __is_integral(T) && sizeof(T) <= 4 &&
    (__is_same(Operator, plus<T>) || __is_same(Operator, less<T>) || __is_same(Operator, greater<T>) ||
     __is_same(Operator, bit_and<T>) || __is_same(Operator, bit_or<T>) || __is_same(Operator, bit_xor<T>));

template <class T, class Operator, unsigned Size>
__device__ T butterfly(const Tile<Size>& tile, T value, Operator& op) {
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    value = op(value, tile.shfl_xor(value, distance));
  return value;
}
template <class T, class Operator, unsigned Size>
__device__ T reduce_lanes(const Tile<Size>& tile, T value, Operator& op) {
  if constexpr (Size >= 16 && kIsRedux<T, Operator>) return redux(Lanes::mask(tile), value, op);
  else return butterfly(tile, value, op);
}
template <class T, class Operator>
__device__ T reduce_lanes(const coalesced_group& group, T value, Operator& op) {
  const unsigned mask = Lanes::mask(group);
  if constexpr (kIsRedux<T, Operator>) return redux(mask, value, op);
  if (mask == 0xffffffffu) return butterfly(Tile<32>(), value, op);
  return from_lane(mask, scan_lanes(group, value, op), 31 - __clz(int(mask)));
}

}  // namespace detail

template <class Group, class T, class Operator>
__device__ auto reduce(const Group& group, T value, Operator op) -> decltype(op(value, value)) {
  return detail::reduce_lanes(group, value, op);
}

// One thread stores the result: others wait for it, if they read it.
template <class Group, class T, class U, class Operator>
__device__ void reduce_store_async(const Group& group, T* to, U value, Operator op) {
  const T result = detail::reduce_lanes(group, T(value), op);
  if (group.thread_rank() == 0) *to = result;
}

}  // namespace cooperative_groups

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
