#include "checking/races/global_race_rules.h"

#include <cstring>

namespace gpusim {

bool GlobalRaceRules::races(const Touch& then, const StreamAccess& now,
                            ReleaseGraph::KnownClock known) const {
  if (then.time == 0 || (!now.writes && then.kind() == AccessKind::load)) return false;
  const CheckedLaunch& launch = launches_.launch_of(then);
  const AccessUse& use = launch.use.access[then.pc()];
  return !use.is_strong && !use.is_volatile && !now.moment.is_after(launch.moment) &&
         !order_.is_known(known, then.time, then.who);
}

bool GlobalRaceRules::stores_the_same(const Touch& then, const Access& a, u32 lane,
                                      const Shadow& shadow) const {
  if (then.kind() != AccessKind::store || a.kind != AccessKind::store || !a.frame) return false;
  const u32 vector = a.instruction->vector, bytes = a.bytes / vector;
  const bool one_instruction = then.time == order_.now();
  for (u32 k = 0; k < vector; ++k) {
    const u8* other = one_instruction
                          ? a.value(then.who % kWarpSize, k)
                          : shadow.allocation.bytes + (a.address[lane] - shadow.allocation.base) + k * bytes;
    if (std::memcmp(a.value(lane, k), other, bytes) != 0) return false;
  }
  return true;
}

// A plain load of what others change by an atomic that takes a value only where it fits (CAS), or lets it go one way only (min, max, and,
// or). Searches of graphs look so before they update, and are right whichever value they see, though it is a race by the letter.
// So is a flag between threads of one block that is volatile only.
bool GlobalRaceRules::is_idiom(const Touch& then, const Touch& now) const {
  const auto is_one_way = [](const Instruction& in) {
    switch (in.op) {
      case Op::atom_cas:
      case Op::atom_min:
      case Op::red_min:
      case Op::atom_max:
      case Op::red_max:
      case Op::atom_and:
      case Op::red_and:
      case Op::atom_or:
      case Op::red_or: return true;
      default: return false;
    }
  };
  const auto& code = launch().info.program->code;
  const AccessUse &a = launches_.use_of(then), &b = launch().use.access[now.pc()];
  if ((a.is_volatile || a.is_strong) && (b.is_volatile || b.is_strong) &&
      a.element_bytes == b.element_bytes && !a.block_scope && !b.block_scope)
    return true;
  return (then.kind() == AccessKind::load && is_one_way(code[now.pc()])) ||
         (now.kind() == AccessKind::load && is_one_way(code[then.pc()]));
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
