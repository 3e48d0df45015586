#include "launch/launch_effects.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "lanes/each_lane.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

constexpr u32 kBitsOfWord = 64;

// Calls f(begin, end) for the runs of set bits among the first kPageBytes.
template <class F> void for_runs(const u64* words, F f) {
  constexpr u32 kEnd = Footprint::PageUse::kWords * kBitsOfWord;
  const auto next = [&](u32 at, u64 flip) {  // the first bit from `at` on that is set in words ^ flip
    while (at < kEnd) {
      const u64 left = (words[at / kBitsOfWord] ^ flip) >> at % kBitsOfWord;
      if (left) return at + u32(std::countr_zero(left));
      at = (at / kBitsOfWord + 1) * kBitsOfWord;
    }
    return kEnd;
  };
  for (u32 begin = next(0, 0); begin < kEnd;) {
    const u32 end = next(begin, ~u64(0));
    f(begin, end);
    begin = next(end, 0);
  }
}

}  // namespace

void LaunchEffects::Bytes::add(u64 at, const u8* first, u64 count) {
  if (!stretches.empty() && stretches.back().at + stretches.back().bytes == at)
    stretches.back().bytes += count;
  else stretches.push_back({at, count});
  contents.insert(contents.end(), first, first + count);
}

bool LaunchEffects::Bytes::are_in(const u8* memory) const {
  const u8* expected = contents.data();
  for (const Stretch& s : stretches) {
    if (std::memcmp(memory + s.at, expected, s.bytes) != 0) return false;
    expected += s.bytes;
  }
  return true;
}

LaunchEffects::Part& LaunchEffects::part_of(const Allocation& a) {
  if (parts_.empty() || parts_.back().serial != a.serial) parts_.push_back({a.base, a.serial, {}, {}});
  return parts_.back();
}

// Of 64 bytes, if the launch has read some and written none, all count as read. That merges short stretches into long
// ones.
void LaunchEffects::add(const Footprint::PageUse& page) {
  if (!is_complete_) return;
  if (!page.allocation) {  // the kernel has freed it
    is_complete_ = false;
    return;
  }
  Part& part = part_of(*page.allocation);
  const u64 origin = page.first - page.allocation->base;  // of the page in the allocation
  u64 read[Footprint::PageUse::kWords];
  for (u32 w = 0; w < Footprint::PageUse::kWords; ++w)
    read[w] = page.read[w] && !page.written[w] ? ~u64(0) : page.read[w];
  const auto clip = [&](u32 bit) { return std::clamp(bit, page.at, page.at + page.bytes) - page.at; };
  for_runs(read, [&](u32 begin, u32 end) {
    const u32 first = clip(begin), count = clip(end) - first;
    part.read.add(origin + first, page.memory + first, count);
    if (!page.before) return;
    u8* const kept = part.read.contents.data() + (part.read.contents.size() - count);
    for (u32 k = 0; k < count; ++k)
      if (const u32 bit = page.at + first + k; page.written[bit / kBitsOfWord] >> bit % kBitsOfWord & 1)
        kept[k] = page.before[first + k];
  });
  for_runs(page.written, [&](u32 begin, u32 end) {
    part.written.add(origin + clip(begin), page.memory + clip(begin), end - begin);
  });
  check_size();
}

void LaunchEffects::add_read(const Allocation& a) {
  part_of(a).read.add(0, a.bytes, a.size);
  check_size();
}

u64 LaunchEffects::bytes() const {
  u64 sum = 0;
  for (const Part& part : parts_)
    for (const Bytes* b : {&part.read, &part.written})
      sum += b->contents.capacity() + b->stretches.capacity() * sizeof(Stretch);
  return sum;
}

void LaunchEffects::check_size() { is_complete_ = is_complete_ && bytes() <= most_; }

const Allocation* LaunchEffects::allocation_of(const Part& part, const Memory& memory) {
  const Allocation* const a = memory.find(part.base);
  return a && a->serial == part.serial ? a : nullptr;
}

bool LaunchEffects::are_inputs_unchanged(const Memory& memory) {
  for (Part& part : parts_) {
    const Allocation* const a = allocation_of(part, memory);
    if (!a) return false;
    if (memory.changed_at(*a) <= part.read.unchanged_since) continue;
    if (!part.read.are_in(a->bytes)) return false;
    part.read.unchanged_since = memory.moment();
  }
  return true;
}

void LaunchEffects::apply(Memory& memory) {
  for (Part& part : parts_) {
    const Allocation& a = *allocation_of(part, memory);
    if (part.written.stretches.empty() || memory.changed_at(a) <= part.written.unchanged_since) continue;
    if (!part.written.are_in(a.bytes)) {
      u8* const bytes = memory.resolve(a.base, a.size);  // this counts as a change of memory
      const u8* from = part.written.contents.data();
      for (const Stretch& s : part.written.stretches) {
        std::memcpy(bytes + s.at, from, s.bytes);
        from += s.bytes;
      }
    }
    part.written.unchanged_since = memory.moment();
  }
}

// If the launch exceeds a limit of the simulator, or touches another GPU's memory, it is not recorded.
template <class Note> void EffectsRecorder::Part::note(Note note_it) {
  if (!is_known_) return;
  try {
    note_it();
    if (footprint_.pages() > most_ / SavedPages::kPageBytes) is_known_ = false;
  } catch (NeedsSerialOrder) {
    is_known_ = false;
  }
}

// Whether an atomic or ordered access touches memory that host threads see: they may change it, or wait for it, meanwhile.
bool EffectsRecorder::Part::may_meet_host(const Access& a) const {
  if (a.space != Space::global || (a.kind != AccessKind::atomic && a.instruction->order == MemoryOrder::weak))
    return false;
  const Allocation* last = nullptr;
  bool may = false;
  for_each_lane(a.mask, [&](u32 lane) {
    if (!last || !last->contains(a.address[lane], a.bytes)) last = memory_.find(a.address[lane]);
    may |= last && last->is_of_host();
  });
  return may;
}

void EffectsRecorder::Part::access(const Access& a) {
  note([&] {
    if (may_meet_host(a)) throw NeedsSerialOrder();
    footprint_.note(a);
  });
}

void EffectsRecorder::Part::row_access(const RowAccess& a) {
  if (a.instruction->order != MemoryOrder::weak) {
    u64 address[kWarpSize];
    return access(a.of_lanes(address));
  }
  note([&] { footprint_.note_row(a); });
}

Observer* EffectsRecorder::shard(u32 k, u32) {
  while (shards_.size() <= k) shards_.push_back(std::make_unique<Part>(memory_, most_));
  return shards_[k].get();
}

std::optional<LaunchEffects> EffectsRecorder::effects() const {
  std::vector<const Footprint*> footprints = {&whole_.footprint()};
  bool are_known = whole_.is_known();
  for (u32 k = 0; k < merged_; ++k) {
    are_known &= shards_[k]->is_known();
    footprints.push_back(&shards_[k]->footprint());
  }
  if (!are_known) return std::nullopt;
  LaunchEffects all(most_);
  Footprint::for_pages(footprints, [&](const Footprint::PageUse& page) { all.add(page); });
  return all.is_complete() ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
