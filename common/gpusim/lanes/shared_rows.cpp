// Compiled twice on x86-64, as lanes/lane_ops.cpp is.
#ifndef GPUSIM_LANE_OPS
#define GPUSIM_LANE_OPS lane_ops_base
#endif

#include "lanes/shared_rows.h"

namespace gpusim::GPUSIM_LANE_OPS {
namespace {

// Everything is inlined, so that no vector is passed to a function: the base processors pass vectors in another way.
#define VECTORS [[gnu::always_inline]] inline
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

constexpr u32 kOfVector = 8;
using Units [[gnu::vector_size(4 * kOfVector), gnu::aligned(4), gnu::may_alias]] = u32;
using Answers [[gnu::vector_size(4 * kOfVector)]] = s32;  // all ones or 0

VECTORS const Units& at(const u32* values) { return *reinterpret_cast<const Units*>(values); }
VECTORS Units threads(const RowTouch& now, u32 k) {
  constexpr Units kNumbers = {0, 1, 2, 3, 4, 5, 6, 7};
  return now.first_thread + ((kNumbers + k) >> now.shift);
}
VECTORS Answers touched(const RowTouch& now, u32 k) {
  constexpr Units kBits = {1, 2, 4, 8, 16, 32, 64, 128};
  return Answers(((Units{} + (now.is >> k)) & kBits) != Units{});
}
VECTORS bool is_all(const Answers& a) {
#ifdef __AVX__
  using Words [[gnu::vector_size(32)]] = long long;
  const Words none = Words(~a);
  return __builtin_ia32_ptestz256(none, none);
#else
  s32 all = -1;
  for (u32 k = 0; k < kOfVector; ++k) all &= a[k];
  return all != 0;
#endif
}
VECTORS void choose(u32* to, const Units& what, const Answers& if_so) {
  Units& all = *reinterpret_cast<Units*>(to);
  all = if_so ? what : all;
}

VECTORS Answers same_warp(const Units& thread, const RowOrder& order) {
  return Answers((thread / kWarpSize) == Units{} + u32(order.warp));
}
// Whether a past access of each unit is ordered before the one of `now`, a thread of the warp.
VECTORS Answers ordered(const PastUnits& past, s64 unit, const Units& now, const RowOrder& order) {
  const Answers when = Answers(at(past.time + unit));
  const Units thread = at(past.thread + unit);
  return (when < order.barrier) | (same_warp(thread, order) & ((when < order.met) | Answers(thread == now)));
}

// Calls f(k) with the first unit k of each vector that has touched units, until f returns false.
template <class F> VECTORS bool all_vectors(const RowTouch& now, F f) {
  constexpr Mask kAll = (1u << kOfVector) - 1;
  for (u32 k = 0; k < kWarpSize; k += kOfVector)
    if ((now.is >> k & kAll) && !f(k)) return false;
  return true;
}

// The one or two pieces of kWarpSize units that a row touches.
struct Pieces {
  s64 first, last;
  VECTORS explicit Pieces(const RowTouch& now)
      : first((now.unit + std::countr_zero(now.is)) >> kShift),
        last((now.unit + s64(kWarpSize) - 1 - std::countl_zero(now.is)) >> kShift) {}
  VECTORS void touched(const PastUnits& units, u32 time) const {
    units.latest[first] = units.latest[last] = time;
  }
  // Whether a quick look shows that all past accesses came before the last barrier.
  VECTORS bool are_past(const PastUnits& units, const RowOrder& order) const {
    const u32 barrier = u32(order.barrier);
    return units.latest[first] < barrier && units.latest[last] < barrier;
  }

 private:
  static constexpr u32 kShift = std::countr_zero(kWarpSize);
};

VECTORS bool all_ordered(const PastUnits& past, const Pieces& pieces, const RowTouch& now,
                         const RowOrder& order) {
  return pieces.are_past(past, order) || all_vectors(now, [&](u32 k) {
           return is_all(ordered(past, now.unit + k, threads(now, k), order) | ~touched(now, k));
         });
}
VECTORS bool all_updates_ordered(const SharedUnits& units, const Pieces& pieces, const RowTouch& now,
                                 const RowOrder& order) {
  return !units.updaters[0].time || (all_ordered(units.updaters[0], pieces, now, order) &&
                                     all_ordered(units.updaters[1], pieces, now, order));
}

VECTORS void put(const PastUnits& past, u32 k, const RowTouch& now, const Answers& if_so) {
  const s64 unit = now.unit + k;
  choose(past.time + unit, Units{} + now.time, if_so);
  choose(past.pc + unit, Units{} + now.pc, if_so);
  choose(past.thread + unit, threads(now, k), if_so);
}

// The same as Readers::add() for two readers per unit.
VECTORS void add(const PastUnits (&seen)[2], const Pieces& pieces, const RowTouch& now,
                 const RowOrder& order) {
  const PastUnits &first = seen[0], &second = seen[1];  // clang 14 captures no structured bindings
  const bool all_in_first = pieces.are_past(first, order);
  pieces.touched(first, now.time);
  if (all_in_first) {
    all_vectors(now, [&](u32 k) { return put(first, k, now, touched(now, k)), true; });
    return;
  }
  bool any_in_second = false;
  all_vectors(now, [&](u32 k) {
    const s64 unit = now.unit + k;
    const Units thread = threads(now, k);
    const Answers is = touched(now, k), in_first = ordered(first, unit, thread, order);
    const Answers in_second =
        is & ~in_first & (~same_warp(at(first.thread + unit), order) | ordered(second, unit, thread, order));
    put(first, k, now, in_first & is);
    if (is_all(~in_second)) return true;
    put(second, k, now, in_second);
    return any_in_second = true;
  });
  if (any_in_second) pieces.touched(second, now.time);
}

bool load(const SharedUnits& units, const RowTouch& now, const RowOrder& order) {
  const Pieces pieces(now);
  if (!all_ordered(units.stored, pieces, now, order) || !all_updates_ordered(units, pieces, now, order))
    return false;
  add(units.readers, pieces, now, order);
  return true;
}

bool store(const SharedUnits& units, const RowTouch& now, const RowOrder& order, const u32* values) {
  const Pieces pieces(now);
  if (!all_ordered(units.stored, pieces, now, order) || !all_ordered(units.readers[0], pieces, now, order) ||
      !all_ordered(units.readers[1], pieces, now, order) || !all_updates_ordered(units, pieces, now, order))
    return false;
  pieces.touched(units.stored, now.time);
  return all_vectors(now, [&](u32 k) {
    const Answers is = touched(now, k);
    put(units.stored, k, now, is);
    choose(units.value + now.unit + k, at(values + k), is);
    return true;
  });
}

}  // namespace

extern const SharedRows kSharedRows;
const SharedRows kSharedRows = {load, store};

}  // namespace gpusim::GPUSIM_LANE_OPS
// SPDX-License-Identifier: MIT
