#include "exploration/live_registers.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "lanes/each_lane.h"
#include "ptx/cfg.h"

namespace gpusim {
namespace {

constexpr u32 kLargest = 8 * kWarpSize;  // bytes of a register

std::vector<FrameBytes> written_registers(const Program& program, const Function& f) {
  std::set<FrameOffset> written;
  for (u32 pc = f.begin; pc < f.end; ++pc)
    written.insert(std::begin(program.code[pc].d), std::end(program.code[pc].d));
  written.erase(kNoOperand);
  return with_bytes(program, f, std::vector(written.begin(), written.end()));
}

bool calls(const Program& program, const Function& f) {
  return std::any_of(program.code.begin() + f.begin, program.code.begin() + f.end,
                     [](const Instruction& in) { return in.shape == Shape::call; });
}

}  // namespace

LiveRegisters::LiveRegisters(const Program& program, const Function& kernel) : begin_(kernel.begin) {
  if (calls(program, kernel)) return;
  registers_ = written_registers(program, kernel);
  find(program, kernel);
}

// Backwards: a register lives where it is read later and not written before that.
void LiveRegisters::find(const Program& program, const Function& f) {
  std::map<FrameOffset, u32> number;
  for (u32 k = 0; k < registers_.size(); ++k) number[registers_[k].at] = k;
  live_.assign(f.end - f.begin, Bits(registers_.size()));
  for (bool any = true; any;) {
    any = false;
    for (u32 pc = f.end; pc-- > f.begin;) {
      const Instruction& in = program.code[pc];
      Bits live(registers_.size());
      const auto add = [&](u32 next) {
        for (u32 k = 0; k < live.size(); ++k) live[k] = live[k] || live_[next - f.begin][k];
      };
      ptx::for_targets(program, in, add);
      if (ptx::falls_through(in) && pc + 1 < f.end) add(pc + 1);
      if (in.guard == kNoOperand)
        for (const FrameOffset d : in.d)
          if (d != kNoOperand) live[number.at(d)] = false;
      const auto read = [&](FrameOffset s) {
        if (const auto known = number.find(s); known != number.end()) live[known->second] = true;
      };
      for (const FrameOffset s : in.s) read(s);
      read(in.guard);
      any |= live != live_[pc - f.begin];
      live_[pc - f.begin] = std::move(live);
    }
  }
}

// How wide a register is cannot be told for certain from where the next one begins. So what may be another lane's counts as well.
bool LiveRegisters::of_lanes(const Fragment& f, u64* hash) const {
  if (live_.empty()) return false;
  const u8* const bytes = f.frame->bytes();
  const u32 local = f.frame->function->local_bytes;
  for_each_lane(f.mask, [&](u32 lane) {
    WordHash h;
    for (u32 k = 0; k < registers_.size(); ++k) {
      if (!live_[f.pc - begin_][k]) continue;
      const auto [at, count] = registers_[k];
      if (count == sizeof(Mask)) {
        Mask predicate;
        std::memcpy(&predicate, bytes + at, sizeof predicate);
        h.add(predicate >> lane & 1);
      } else if (count < 4 * kWarpSize) {
        h.add(bytes + at, count);
      } else {
        h.add(bytes + at + 4 * lane, 4);
        if (count >= kLargest) h.add(bytes + at + 8 * lane, 8);
      }
    }
    h.add(f.frame->local.data() + std::size_t(lane) * local, local);
    hash[lane] = h.value;
  });
  return true;
}

void LiveRegisters::add(WordHash& h, const Warp& w) const {
  h.add(w.fragments.size());
  Bits live(registers_.size());
  const auto add_live = [&](u32 pc) {
    for (u32 k = 0; k < live.size(); ++k) live[k] = live[k] || live_[pc - begin_][k];
  };
  for (const Fragment& f : w.fragments) {
    h.add(u64(f.pc) << 32 | f.mask);
    h.add(u64(f.state) << 32 | f.members);
    if (!live_.empty()) add_live(f.pc);
    for (Frame* frame = f.frame; frame && live_.empty(); frame = frame->caller)
      h.add(frame->bytes(), frame->size());
    for (Frame* frame = f.frame; frame; frame = frame->caller)
      h.add(frame->local.data(), frame->local.size());
  }
  for (std::size_t k = 0; k < w.joins.size(); ++k) {
    if (std::ranges::find(w.free_joins, int(k)) != w.free_joins.end()) continue;
    h.add(u64(w.joins[k].pending) << 32 | w.joins[k].arrived);
    if (!live_.empty() && w.joins[k].arrived) add_live(w.joins[k].pc);
  }
  if (w.fragments.empty()) return;
  const Frame* const frame = w.fragments.front().frame;
  for (u32 k = 0; k < live.size(); ++k)
    if (live[k]) h.add(frame->bytes() + registers_[k].at, registers_[k].count);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
