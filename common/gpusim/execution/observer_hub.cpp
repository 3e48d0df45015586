#include "execution/observer_hub.h"

#include <bit>

#include "execution/divisions.h"
#include "execution/lane_registers.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

// The value of an integer operand in one lane.
u64 integer_value(Type type, const Frame* frame, FrameOffset at, u32 lane) {
  switch (size_of(type)) {
    case 2: return is_signed(type) ? u64(lane_value<s16>(frame, at, lane)) : lane_value<u16>(frame, at, lane);
    case 4: return is_signed(type) ? u64(lane_value<s32>(frame, at, lane)) : lane_value<u32>(frame, at, lane);
    default: return lane_value<u64>(frame, at, lane);
  }
}

template <class T> Mask zeros(const Frame* frame, FrameOffset at, Mask lanes) {
  Mask found = 0;
  for_each_lane(lanes, [&](u32 lane) { found |= Mask(lane_value<T>(frame, at, lane) == 0) << lane; });
  return found;
}

}  // namespace

void ObserverHub::listen(std::span<Observer* const> observers) {
  all = observers;
  for (auto* list : {&issues, &branches, &barriers, &meetings, &divisions, &accesses, &take_rows, &take_lanes,
                     &take_lanes_and_issues})
    list->clear();
  for (Observer* o : observers) {
    const Interests interests = o->interests();
    if (interests.issues) issues.push_back(o);
    if (interests.branches) branches.push_back(o);
    if (interests.barriers) barriers.push_back(o);
    if (interests.meetings) meetings.push_back(o);
    if (interests.divisions) divisions.push_back(o);
    if (!interests.accesses) continue;
    accesses.push_back(o);
    (interests.rows ? take_rows : take_lanes).push_back(o);
    if (interests.issues && !interests.rows) take_lanes_and_issues.push_back(o);
  }
}

void ObserverHub::tell_division(const Warp& w, const Fragment& f, const Instruction& in, Mask mask) const {
  if (!divides_integers(in)) return;
  const std::size_t bytes = size_of(in.type);
  const Mask zero = bytes == 2   ? zeros<u16>(f.frame, in.s[1], mask)
                    : bytes == 4 ? zeros<u32>(f.frame, in.s[1], mask)
                                 : zeros<u64>(f.frame, in.s[1], mask);
  if (zero == 0) return;
  Division division;
  static_cast<Issue&>(division) = issue_of(w, f.pc, zero);
  division.instruction = &in;
  division.dividend = integer_value(in.type, f.frame, in.s[0], u32(std::countr_zero(zero)));
  for (Observer* o : divisions) o->divides_by_zero(division);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
