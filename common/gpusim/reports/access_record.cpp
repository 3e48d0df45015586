#include "reports/access_record.h"

#include <algorithm>

#include "lanes/each_lane.h"

namespace gpusim {

AccessRecorder::AccessRecorder(Device& device) : device_(device) { device_.observers.push_back(this); }

AccessRecorder::~AccessRecorder() { std::erase(device_.observers, this); }

void AccessRecorder::access(const Access& a) {
  if (a.space != Space::global) return;
  std::vector<GlobalBytes>& list = a.kind == AccessKind::load ? loads_ : stores_;
  const std::size_t first = list.size();
  for_each_lane(a.mask, [&](u32 lane) {
    const u64 address = a.address[lane];
    if (list.size() > first && list.back().end == address) list.back().end += a.bytes;
    else list.push_back({a.block, address, address + a.bytes});
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
