#include "exploration/plain_accesses.h"

#include <algorithm>

#include "lanes/each_lane.h"

namespace gpusim {

void PlainAccesses::compare(const Touch& earlier, bool earlier_writes, const Touch& now, bool writes,
                            const View& view, u64 address) {
  if ((race_ && !race_->stores_equal) || earlier.agent == kNobody || earlier.agent == now.agent ||
      !(earlier_writes || writes))
    return;
  if ((earlier.is_strong && now.is_strong) || !(earlier.bytes & now.bytes)) return;
  if (view.holds(earlier.agent, earlier.moment)) return;
  race_ = Race{address, earlier.agent,  now.agent, earlier.pc,
               now.pc,  earlier_writes, writes,    now.is_same && earlier_writes};
}

void PlainAccesses::access(AgentId agent, const View& view, const Access& a, bool is_strong, Mask same) {
  const bool writes = a.kind != AccessKind::load, reads = a.kind != AccessKind::store;
  Touch now{agent, view.clock[agent], a.pc, 0, is_strong, false};
  for_each_lane(a.mask, [&](u32 lane) {
    now.is_same = same >> lane & 1;
    const u64 begin = a.address[lane], end = begin + a.bytes;
    for (u64 word = begin / 4; word * 4 < end; ++word) {
      now.bytes = 0;
      for (u32 b = 0; b < 4; ++b)
        if (word * 4 + b >= begin && word * 4 + b < end) now.bytes |= u8(1u << b);
      Cell& cell = cells_[word];
      compare(cell.write, true, now, writes, view, begin);
      if (writes)
        for (const Touch& read : cell.reads) compare(read, false, now, true, view, begin);
      if (writes) cell.write = now;
      if (!reads) continue;
      const auto own = std::ranges::find(cell.reads, agent, &Touch::agent);
      if (own != cell.reads.end()) *own = now;
      else cell.reads.push_back(now);
    }
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
