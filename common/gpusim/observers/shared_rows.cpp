// Compiled twice on x86-64, as device/lane_ops.cpp is.
#ifndef GPUSIM_LANE_OPS
#define GPUSIM_LANE_OPS lane_ops_base
#endif

#include "observers/shared_rows.h"

namespace gpusim::GPUSIM_LANE_OPS {
namespace {

// All are inlined: no vector is passed to a function, which base processors would do in another way.
#define VECTORS [[gnu::always_inline]] inline
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

constexpr u32 kOfVector = 8;
using Units [[gnu::vector_size(4 * kOfVector), gnu::aligned(4), gnu::may_alias]] = u32;
using Answers [[gnu::vector_size(4 * kOfVector)]] = s32;  // all ones or 0

VECTORS Units& at(u32* values, u32 k) { return *reinterpret_cast<Units*>(values + k); }
VECTORS const Units& at(const u32* values, u32 k) { return *reinterpret_cast<const Units*>(values + k); }
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
VECTORS void choose(Units& to, const Units& what, const Answers& if_so) {
  to = (what & Units(if_so)) | (to & ~Units(if_so));
}

VECTORS Answers same_warp(const Units& thread, const RowOrder& order) {
  return Answers((thread / kWarpSize) == Units{} + u32(order.warp));
}
// Whether an access is ordered before the one of `now`, a thread of the warp.
VECTORS Answers ordered(const Units& time, const Units& thread, const Units& now, const RowOrder& order) {
  const Answers when = Answers(time);
  return (when < order.barrier) | (same_warp(thread, order) & ((when < order.met) | Answers(thread == now)));
}

// Calls f(k) for the first unit of each vector of which some are touched.
template <class F> [[gnu::always_inline]] inline void for_vectors(const RowTouch& now, F f) {
  constexpr Mask kAll = (1u << kOfVector) - 1;
  for (u32 k = 0; k < kWarpSize; k += kOfVector)
    if (now.is >> k & kAll) f(k);
}

bool all_ordered(const PastRow& past, const RowTouch& now, const RowOrder& order) {
  Answers all = Answers{} - 1;
  for_vectors(now, [&](u32 k) {
    all &= ordered(at(past.time, k), at(past.thread, k), threads(now, k), order) | ~touched(now, k);
  });
  return is_all(all);
}

bool all_stores_ordered(const StoredRow& stored, const RowTouch& now, const RowOrder& order) {
  Answers all = Answers{} - 1;
  for_vectors(now, [&](u32 k) {
    const Units time = at(stored.time, k), thread = at(stored.thread, k);
    const Answers together = Answers(at(stored.twin, k) != thread) & (Answers(time) >= order.met);
    all &= (Answers(time) < order.barrier) | (ordered(time, thread, threads(now, k), order) & ~together) |
           ~touched(now, k);
  });
  return is_all(all);
}

VECTORS void put(const PastRow& past, u32 k, const RowTouch& now, const Answers& if_so) {
  choose(at(past.time, k), Units{} + now.time, if_so);
  choose(at(past.pc, k), Units{} + now.pc, if_so);
  choose(at(past.thread, k), threads(now, k), if_so);
}

void put_row(const PastRow& past, const RowTouch& now) {
  for_vectors(now, [&](u32 k) { put(past, k, now, touched(now, k)); });
}

bool add(const PastRow& first, const PastRow& second, const RowTouch& now, const RowOrder& order) {
  bool any_second = false;
  for_vectors(now, [&](u32 k) {
    const Units thread = threads(now, k), thread0 = at(first.thread, k);
    const Answers is = touched(now, k), in_first = ordered(at(first.time, k), thread0, thread, order);
    const Answers in_second =
        is & ~in_first &
        (~same_warp(thread0, order) | ordered(at(second.time, k), at(second.thread, k), thread, order));
    put(first, k, now, in_first & is);
    if (is_all(~in_second)) return;
    put(second, k, now, in_second);
    any_second = true;
  });
  return any_second;
}

void store(const StoredRow& stored, const RowTouch& now, const u32* values) {
  for_vectors(now, [&](u32 k) {
    const Answers is = touched(now, k);
    put(stored, k, now, is);
    choose(at(stored.twin, k), threads(now, k), is);
    choose(at(stored.value, k), at(values, k), is);
  });
}

}  // namespace

extern const SharedRows kSharedRows;
const SharedRows kSharedRows = {all_ordered, all_stores_ordered, put_row, add, store};

}  // namespace gpusim::GPUSIM_LANE_OPS
