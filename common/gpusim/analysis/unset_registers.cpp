#include "analysis/unset_registers.h"

#include <algorithm>
#include <map>
#include <set>

#include "ptx/cfg.h"

namespace gpusim {
namespace {

// Calls f(pc) for each instruction of the function that may come next.
template <class F> void for_each_next(const Program& program, const Function& f, u32 pc, F go) {
  const Instruction& in = program.code[pc];
  ptx::for_targets(program, in, go);
  if (ptx::falls_through(in) && pc + 1 < f.end) go(pc + 1);
}

// The registers that a function writes, numbered.
std::map<FrameOffset, u32> written_registers(const Program& program, const Function& f) {
  std::map<FrameOffset, u32> number;
  for (u32 pc = f.begin; pc < f.end; ++pc)
    for (const FrameOffset d : program.code[pc].d)
      if (d != kNoOperand) number.emplace(d, u32(number.size()));
  return number;
}

bool passes_parameters(const Program& program, const Function& f) {
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape == Shape::call || (writes_addressed(in.shape) && in.space == Space::param)) return true;
  }
  return false;
}

bool has_value(const Function& f, FrameOffset at) {
  return std::ranges::find(f.constants, at, &Constant::frame) != f.constants.end() ||
         std::ranges::find(f.specials, at, &SpecialValue::frame) != f.specials.end();
}

}  // namespace

std::vector<FrameBytes> with_bytes(const Program& program, const Function& f,
                                   std::span<const FrameOffset> registers) {
  constexpr u32 kLargest = 8 * kWarpSize;
  std::set<FrameOffset> begins = {f.frame_bytes};
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    begins.insert(std::begin(program.code[pc].d), std::end(program.code[pc].d));
    begins.insert(std::begin(program.code[pc].s), std::end(program.code[pc].s));
    begins.insert(program.code[pc].guard);
  }
  for (const Constant& c : f.constants) begins.insert(c.frame);
  for (const SpecialValue& s : f.specials) begins.insert(s.frame);
  for (const ParamVar& p : f.params) begins.insert(p.frame);
  std::vector<FrameBytes> all;
  for (const FrameOffset at : registers)
    all.push_back({at, std::min(kLargest, *begins.upper_bound(at) - at)});
  return all;
}

// Backwards from the ends until nothing changes: the registers read from an instruction on are those that it reads itself, and
// those read after it and not written by it.
std::optional<std::vector<FrameBytes>> unset_registers(const Program& program, const Function& f) {
  constexpr std::size_t kMostWords = 1 << 18;
  using Set = std::vector<u64>;
  const std::map<FrameOffset, u32> number = written_registers(program, f);
  const std::size_t words = number.size() / 64 + 1, size = f.end - f.begin;
  if (size * words > kMostWords || size == 0 || passes_parameters(program, f)) return {};

  std::vector<Set> read_from(size, Set(words));
  std::vector<FrameOffset> unset;
  bool is_first = true;
  for (bool changed = true; changed; is_first = false) {
    changed = false;
    for (u32 pc = f.end; pc-- > f.begin;) {
      const Instruction& in = program.code[pc];
      Set read(words);
      for_each_next(program, f, pc, [&](u32 next) {
        for (std::size_t k = 0; k < words; ++k) read[k] |= read_from[next - f.begin][k];
      });
      for (const FrameOffset d : in.d) {
        if (d == kNoOperand || in.guard != kNoOperand) continue;
        const u32 n = number.at(d);
        read[n / 64] &= ~(u64(1) << n % 64);
      }
      const auto reads = [&](FrameOffset s) {
        if (s == kNoOperand) return;
        if (const auto known = number.find(s); known != number.end())
          read[known->second / 64] |= u64(1) << known->second % 64;
        else if (is_first && !has_value(f, s)) unset.push_back(s);  // nothing ever writes it
      };
      for (const FrameOffset s : in.s) reads(s);
      reads(in.guard);
      if (read == read_from[pc - f.begin]) continue;
      read_from[pc - f.begin] = std::move(read);
      changed = true;
    }
  }
  for (const auto& [at, n] : number)
    if (read_from[0][n / 64] >> n % 64 & 1) unset.push_back(at);
  return with_bytes(program, f, unset);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
