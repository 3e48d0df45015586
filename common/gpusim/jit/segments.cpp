#include "jit/segments.h"

#include <algorithm>
#include <iterator>

namespace gpusim {
namespace {

// A load that is in flight, and the registers that are names of what it brings.
struct InFlight {
  u32 pc;
  std::vector<FrameOffset> registers;

  bool fills(FrameOffset r) const {
    return r != kNoOperand && std::ranges::find(registers, r) != registers.end();
  }
  template <class Registers> bool fills_any(const Registers& some) const {
    return std::ranges::any_of(some, [&](FrameOffset r) { return fills(r); });
  }
};

std::vector<FrameOffset> filled_by(const Instruction& load) {
  std::vector<FrameOffset> registers(std::begin(load.d), std::end(load.d));
  std::erase(registers, kNoOperand);
  return registers;
}

// The registers that it writes become names of what is on its way, or cease to be.
void copy(const Instruction& in, std::vector<InFlight>& loads) {
  for (InFlight& load : loads) {
    const bool is_its_value = load.fills_any(in.s);
    for (const FrameOffset r : filled_by(in))
      if (!is_its_value) std::erase(load.registers, r);
      else if (!load.fills(r)) load.registers.push_back(r);
  }
}

}  // namespace

SegmentLoads loads_of_segment(const Program& program, u32 begin, u32 end) {
  constexpr std::size_t kMostNames = 16;  // as many as LoadsInFlight keeps
  SegmentLoads found;
  std::vector<InFlight> loads;
  for (u32 pc = begin; pc < end; ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape == Shape::leave) {
      loads.clear();  // nobody waits for them
    } else if (in.shape == Shape::move) {
      copy(in, loads);
    } else if (std::ranges::any_of(
                   loads, [&](const InFlight& l) { return l.fills_any(in.s) || l.fills_any(in.d); })) {
      found.awaited.emplace_back(pc, u32(loads.size()));
      loads.clear();
    }
    if (is_global_load(in) && !filled_by(in).empty()) loads.push_back({pc, filled_by(in)});
    if (std::ranges::any_of(loads, [&](const InFlight& l) { return l.registers.size() > kMostNames; }))
      return {false, {}, {}};
  }
  for (const InFlight& load : loads) {
    if (load.registers != filled_by(program.code[load.pc]))
      return {false, {}, {}};  // it has other names by now
    found.in_flight.push_back(load.pc);
  }
  return found;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
