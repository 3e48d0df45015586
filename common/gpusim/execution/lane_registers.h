// One lane's register in a frame.
#pragma once

#include <cstring>

#include "execution/warp.h"

namespace gpusim {

// The value of type T at an operand, which must not be kNoOperand. (T = Mask and lane 0: a predicate of all lanes.)
template <class T> T lane_value(const Frame* frame, FrameOffset at, u32 lane) {
  T v;
  std::memcpy(&v, frame->bytes() + at + lane * sizeof v, sizeof v);
  return v;
}
// Nothing happens at kNoOperand: the result is not asked for.
template <class T> void set_lane_value(Frame* frame, FrameOffset at, u32 lane, T v) {
  if (at != kNoOperand) std::memcpy(frame->bytes() + at + lane * sizeof v, &v, sizeof v);
}
inline bool lane_predicate(const Frame* frame, FrameOffset at, u32 lane) {
  return lane_value<Mask>(frame, at, 0) >> lane & 1;
}
inline void set_lane_predicate(Frame* frame, FrameOffset at, u32 lane, bool p) {
  if (at == kNoOperand) return;
  const Mask old = lane_value<Mask>(frame, at, 0), bit = Mask(1) << lane;
  set_lane_value<Mask>(frame, at, 0, p ? old | bit : old & ~bit);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
