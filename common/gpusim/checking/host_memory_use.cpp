#include "checking/host_memory_use.h"

#include <algorithm>

#include "lanes/each_lane.h"
#include "memory/memory.h"
#include "ptx/program.h"

namespace gpusim {

void HostMemoryUse::forget() {
  pages_.clear();
  is_communicating_ = false;
  begin_ = end_ = 0;
}

void HostMemoryUse::launch_begin(const LaunchInfo& info) {
  forget();
  program_ = info.program;
  is_there_any_ =
      std::ranges::any_of(memory_.allocations(), [](const auto& a) { return a.second.is_of_host(); });
}

void HostMemoryUse::fence(const Issue& i) { is_communicating_ |= program_->code[i.pc].system_scope; }

bool HostMemoryUse::is_of_host(u64 address) {
  if (address - begin_ < end_ - begin_) return is_of_host_;
  const Allocation* const a = memory_.find(address);
  if (!a) return false;
  begin_ = a->base;
  end_ = a->base + a->size;
  return is_of_host_ = a->is_of_host();
}

void HostMemoryUse::note(u64 address, u32 bytes, AccessKind kind) {
  const u64 number = address / kPageBytes;
  if (pages_.size() >= kMostPages && !pages_.contains(number)) return;
  Page& page = pages_[number];
  // An access is aligned, so its bits are of one word.
  const u64 at = address % kPageBytes, bits = (~u64(0) >> (64 - bytes)) << at % 64;
  if (kind != AccessKind::store) page.read[at / 64] |= bits;
  if (kind != AccessKind::load) page.written[at / 64] |= bits;
}

void HostMemoryUse::access(const Access& a) {
  if (a.space != Space::global || is_communicating_) return;
  for_each_lane(a.mask, [&](u32 lane) {
    if (!is_of_host(a.address[lane])) return;
    is_communicating_ |= a.instruction->system_scope || a.instruction->order == MemoryOrder::volatile_;
    note(a.address[lane], a.bytes, a.kind);
  });
}

void HostMemoryUse::merge(const std::vector<HostMemoryUse*>& shards) {
  for (const HostMemoryUse* shard : shards) {
    is_communicating_ |= shard->is_communicating_;
    for (const auto& [number, page] : shard->pages_) {
      Page& all = pages_[number];
      for (std::size_t k = 0; k < std::size(page.read); ++k) {
        all.read[k] |= page.read[k];
        all.written[k] |= page.written[k];
      }
    }
  }
}

std::vector<HostMemoryUse::Stretch> HostMemoryUse::stretches(bool written) const {
  std::vector<Stretch> found;
  if (is_communicating_) return found;
  std::vector<u64> numbers;
  for (const auto& entry : pages_) numbers.push_back(entry.first);
  std::ranges::sort(numbers);
  for (const u64 number : numbers) {
    const Page& page = pages_.at(number);
    for (u64 at = 0; at < kPageBytes; ++at) {
      const u64 w = page.written[at / 64], r = page.read[at / 64] & ~w;
      if (!((written ? w : r) >> at % 64 & 1)) continue;
      const u64 address = number * kPageBytes + at;
      if (!found.empty() && found.back().end == address) ++found.back().end;
      else found.push_back({address, address + 1});
    }
  }
  return found;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
