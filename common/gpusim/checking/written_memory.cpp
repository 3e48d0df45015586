#include "checking/written_memory.h"

#include <cstring>

#include "analysis/store_origins.h"
#include "execution/device.h"
#include "lanes/each_lane.h"

namespace gpusim {

WrittenMemory::WrittenMemory(const LaunchInfo& launch, const Memory& memory) {
  const Program& program = *launch.program;
  const auto origins = store_origins(program, program.functions[launch.kernel->function]);
  if (!origins || (!origins->parameters.empty() && !launch.params)) return;
  is_all_ = false;
  for (const u32 v : origins->variables) add(memory.find(program.variables[v].address));
  for (const auto& [index, at] : origins->parameters) {
    u64 pointer;
    std::memcpy(&pointer, launch.params + launch.kernel->params[index].offset + at, sizeof pointer);
    // Some programs count from 1, others backwards from the end; then it is near what is meant.
    constexpr u64 kNear = 4096;
    for (auto next = memory.allocations().upper_bound(pointer);
         next != memory.allocations().end() && next->first - pointer <= kNear; ++next)
      add(&next->second);
    for (auto before = memory.allocations().upper_bound(pointer); before != memory.allocations().begin();) {
      const Allocation& a = (--before)->second;
      if (pointer - a.base >= a.size + kNear) break;
      add(&a);
    }
  }
}

void WrittenMemory::add(const Allocation* a) {
  if (!a) return;
  const auto at = std::ranges::lower_bound(ranges_, a->base, {}, &Range::begin);
  if (at == ranges_.end() || at->begin != a->base) ranges_.insert(at, {a->base, a->base + a->size});
}

void WrittenMemory::add(const Access& a, const Memory& memory) {
  for_each_lane(a.mask, [&](u32 lane) { add(memory.find(a.address[lane])); });
}

WrittenMemory::Ends WrittenMemory::ends(const Access& a) {
  Ends of{~u64(0), 0};
  const auto add = [&](u32 lane) {
    of.low = std::min(of.low, a.address[lane]);
    of.high = std::max(of.high, a.address[lane]);
  };
  if (a.row == 0) {
    for_each_lane(a.mask, add);
  } else {
    for (u32 lane = 0; lane < kWarpSize; lane += a.row) add(lane), add(lane + a.row - 1);
  }
  return of;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
