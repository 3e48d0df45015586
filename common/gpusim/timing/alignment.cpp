#include "timing/alignment.h"

#include <algorithm>
#include <bit>

namespace gpusim::timing {
namespace {

constexpr u64 kMost = 128;          // more than the widest access needs
constexpr u64 kArray = 16;          // where arrays in shared memory begin
constexpr u64 kLargestShift = 128;  // a shift by more leaves nothing

u64 divisor_of(u64 value) { return value == 0 ? kMost : std::min(kMost, u64(1) << std::countr_zero(value)); }

}  // namespace

Alignment::Alignment(const Program& program, const Function& f) : program_(program), function_(f) {
  for (const Constant& c : f.constants) {
    const bool is_array = c.base != Constant::Base::none;
    known_[c.frame] = std::min(divisor_of(c.value), is_array ? kArray : kMost);
    if (!is_array) constants_[c.frame] = c.value;
  }
  // From the most that can be, down to what all writers of a register leave of it.
  for (u32 pc = f.begin; pc < f.end; ++pc)
    for (const FrameOffset d : program.code[pc].d)
      if (d != kNoOperand) known_[d] = kMost;
  for (bool changes = true; changes;) {
    changes = false;
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      const u64 result = of_result(in, [&](FrameOffset s) { return of(s); });
      for (const FrameOffset d : in.d) {
        if (d == kNoOperand || known_[d] <= result) continue;
        known_[d] = result;
        changes = true;
      }
    }
  }
}

u64 Alignment::of(FrameOffset reg) const {
  const auto found = known_.find(reg);
  return found == known_.end() ? 1 : found->second;
}

u64 Alignment::in_first_round(const std::vector<u32>& loop, FrameOffset reg) const {
  std::unordered_map<FrameOffset, u64> found;
  const auto look_up = [&](const auto& self, FrameOffset r) -> u64 {
    const auto [at, is_new] = found.try_emplace(r, kMost);
    if (!is_new) return at->second;
    u64 result = kMost;
    bool is_written = false;
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (std::ranges::find(in.d, r) == std::end(in.d)) continue;
      is_written = true;
      const bool is_inside = std::ranges::find(loop, pc) != loop.end();
      // What a register adds to itself comes in later rounds.
      if (is_inside && std::ranges::find(in.s, r) != std::end(in.s)) continue;
      result = std::min(result, is_inside ? of_result(in, [&](FrameOffset s) { return self(self, s); })
                                          : of_result(in, [&](FrameOffset s) { return of(s); }));
    }
    return found[r] = is_written ? result : of(r);
  };
  return look_up(look_up, reg);
}

u64 Alignment::of_result(const Instruction& in, const std::function<u64(FrameOffset)>& look_up) const {
  const u64 a = look_up(in.s[0]), b = look_up(in.s[1]), c = look_up(in.s[2]);
  const auto number = constants_.find(in.s[1]);
  switch (in.op) {
    case Op::mov:
    case Op::cvt:
    case Op::cvta:
    case Op::cvta_to: return a;
    case Op::add:
    case Op::sub:
    case Op::or_:
    case Op::xor_: return std::min(a, b);
    case Op::and_: return std::max(a, b);
    case Op::shl:
      return number == constants_.end() || number->second >= kLargestShift
                 ? a
                 : std::min(kMost, a << std::min<u64>(number->second, 7));
    case Op::mul_lo:
    case Op::mul_wide: return std::min(kMost, a * b);
    case Op::mad_lo:
    case Op::mad_wide: return std::min({kMost, a * b, c});
    case Op::selp: return std::min(a, b);
    default: return 1;
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
