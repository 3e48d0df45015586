// Atomics: each lane in turn reads, applies an operation and writes.
#include <cstring>

#include "execution/footprint.h"
#include "execution/located.h"
#include "execution/module.h"

namespace gpusim {
namespace {

// Subnormal numbers become zero of the same sign.
u64 flushed(u64 f32_bits) { return f32_bits & 0x7f800000u ? f32_bits : f32_bits & 0x80000000u; }

}  // namespace

bool MemoryPipe::update(const Instruction& in, AtomicFunction apply, Space space, u8* where, u64 b, u64 c,
                        u64* old) {
  const u32 bytes = size_of(in.type);
  *old = 0;
  std::memcpy(old, where, bytes);
  // An f32 addition flushes subnormal numbers in global memory but not in shared memory (PTX ISA, "atom").
  const bool flush = space == Space::global && in.type == Type::f32;
  const u64 now = flush ? flushed(apply(flushed(*old), flushed(b), c)) : apply(*old, b, c);
  std::memcpy(where, &now, bytes);
  return now == *old;
}

// Lane after lane, in ascending order: the order in which float sums by atomics are rounded here.
void MemoryPipe::atomic(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  const AtomicFunction apply = module_.atomic_function[f.pc];
  const u32 bytes = size_of(in.type);
  u8* frame = f.frame->bytes();
  bool same = true;
  for_spaces(w, f, in, mask, AccessKind::atomic, [&](const Located& at, Mask lanes) {
    at.for_bytes(lanes, [&](u32 l, u8* where) {
      u64 old = 0, b = 0, c = 0;
      std::memcpy(&b, frame + in.s[1] + l * bytes, bytes);
      if (footprint_ && at.space == Space::global) {
        same = false;
        return footprint_->defer({f.pc, l, at.address[l], b});
      }
      if (in.s[2] != kNoOperand) std::memcpy(&c, frame + in.s[2] + l * bytes, bytes);
      same &= update(in, apply, at.space, where, b, c, &old);
      if (in.d[0] != kNoOperand) std::memcpy(frame + in.d[0] + l * bytes, &old, bytes);
    });
  });
  same ? spin_.polled() : spin_.changed();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
