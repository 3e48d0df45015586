#include "checking/host_memory_use.h"

#include <algorithm>
#include <bit>

#include "lanes/each_lane.h"
#include "memory/memory.h"
#include "ptx/program.h"

namespace gpusim {

void HostMemoryUse::forget() {
  pages_.clear();
  last_ = nullptr;
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

HostMemoryUse::Page* HostMemoryUse::page(u64 number) {
  if (last_ && last_number_ == number) return last_;
  if (pages_.size() >= kMostPages && !pages_.contains(number)) return nullptr;
  last_number_ = number;
  return last_ = &pages_[number];
}

void HostMemoryUse::note(u64 address, u32 bytes, AccessKind kind) {
  Page* const touched = page(address / kPageBytes);
  if (!touched) return;
  // An access is aligned, so its bits are of one word.
  const u64 at = address % kPageBytes, bits = (~u64(0) >> (64 - bytes)) << at % 64;
  if (kind != AccessKind::store) touched->read[at / 64] |= bits;
  if (kind != AccessKind::load) touched->written[at / 64] |= bits;
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
  for (const auto& [number, page] : pages_)
    for (u64 word = 0; word < kPageBytes / 64; ++word) {
      u64 bits = written ? page.written[word] : page.read[word] & ~page.written[word];
      for (u64 at = number * kPageBytes + word * 64; bits != 0;) {
        const int gap = std::countr_zero(bits), count = std::countr_one(bits >> gap);
        at += u64(gap);
        if (!found.empty() && found.back().end == at) found.back().end += u64(count);
        else found.push_back({at, at + u64(count)});
        at += u64(count);
        bits = gap + count < 64 ? bits >> (gap + count) : 0;
      }
    }
  return found;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
