#include "device/footprint.h"

#include <cstring>
#include <map>

#include "device/each_lane.h"
#include "ptx/program.h"

namespace gpusim {

void SavedPages::save(u8* bytes, std::size_t count) {
  const std::lock_guard<HostMutex> lock(mutex_);
  if (!known_.insert(bytes).second) return;
  if (count > kMostBytes - bytes_) throw MustRunAlone();
  bytes_ += count;
  pages_.push_back({bytes, count, std::make_unique_for_overwrite<u8[]>(count)});
  std::memcpy(pages_.back().copy.get(), bytes, count);
}

void SavedPages::restore() const {
  for (const Page& page : pages_) std::memcpy(page.bytes, page.copy.get(), page.count);
}

Footprint::Area& Footprint::area_of(u64 address) {
  for (Area* area : recent_)
    if (area && address - area->allocation->base < area->allocation->size) return *area;
  const auto holds = [&](const auto& area) {
    return address - area->allocation->base < area->allocation->size;
  };
  auto known = std::ranges::find_if(areas_, holds);
  if (known == areas_.end()) {
    const Allocation* const allocation = memory_.find(address);
    if (!allocation) throw MustRunAlone();  // of another GPU
    areas_.push_back(std::make_unique<Area>(Area{allocation, {}}));
    known = std::prev(areas_.end());
    (*known)->pages.resize((allocation->size + kPageBytes - 1) / kPageBytes);
  }
  return *(recent_[next_recent_++ % kRecent] = known->get());
}

// All of them lie in one allocation.
void Footprint::touch(u64 address, u64 bytes, Touch how) {
  Area& area = area_of(address);
  for (u64 at = address - area.allocation->base, end = at + bytes; at < end;) {
    const u64 number = at / kPageBytes, page_end = std::min((number + 1) * kPageBytes, end);
    std::unique_ptr<Page>& page = area.pages[number];
    if (!page) page = std::make_unique<Page>();
    if (how != Touch::read && !page->is_saved) {
      const u64 first = number * kPageBytes;
      saved_.save(area.allocation->bytes + first,
                  std::size_t(std::min<u64>(kPageBytes, area.allocation->size - first)));
      page->is_saved = true;
    }
    u64* words = how == Touch::read ? page->read : page->written;
    if (how == Touch::put_off) {
      if (!page->put_off) page->put_off = std::make_unique<u64[]>(kWords), page->put_off_bytes = u32(bytes);
      if (page->put_off_bytes != bytes) throw MustRunAlone();
      words = page->put_off.get();
    }
    while (at < page_end) {
      const u64 in_word = at % 64, count = std::min(64 - in_word, page_end - at);
      words[at % kPageBytes / 64] |= (count == 64 ? ~u64(0) : (u64(1) << count) - 1) << in_word;
      at += count;
    }
  }
}

void Footprint::access(const Access& a) {
  if (a.space != Space::global) return;
  const bool is_atomic = a.kind == AccessKind::atomic;
  if (is_atomic ? !may_put_off_[a.pc] : a.instruction->order != MemoryOrder::weak) throw MustRunAlone();
  const Touch how = is_atomic ? Touch::put_off : a.kind == AccessKind::store ? Touch::written : Touch::read;
  if (!is_atomic && a.is_even && a.address[1] - a.address[0] == a.bytes)
    return touch(a.address[0], u64(kWarpSize) * a.bytes, how);
  if (a.is_even && a.address[1] == a.address[0]) return touch(a.address[0], a.bytes, how);
  for_each_lane(a.mask, [&](u32 lane) { touch(a.address[lane], a.bytes, how); });
}

void Footprint::put_off(const PutOff& atomic) {
  if (put_off_.size() == kMostPutOff) throw MustRunAlone();
  put_off_.push_back(atomic);
}

void Footprint::read_all(u64 address, u64 bytes) {
  if (address == all_read_ || bytes == 0) return;
  all_read_ = address;
  touch(address, bytes, Touch::read);
}

bool Footprint::are_apart(std::span<const Footprint* const> all) {
  std::map<const Allocation*, std::vector<const Area*>> by_allocation;
  for (const Footprint* footprint : all)
    for (const auto& area : footprint->areas_) by_allocation[area->allocation].push_back(area.get());
  for (const auto& [allocation, areas] : by_allocation)
    for (std::size_t k = 0; k < areas.front()->pages.size(); ++k) {
      Page together;
      for (const Area* area : areas) {
        const Page* const page = area->pages[k].get();
        if (!page) continue;
        for (std::size_t w = 0; w < kWords; ++w) {
          if (page->written[w] & (together.read[w] | together.written[w]) ||
              page->read[w] & together.written[w])
            return false;
          together.read[w] |= page->read[w];
          together.written[w] |= page->written[w];
        }
        if (!page->put_off) continue;
        if (!together.put_off) together.put_off = std::make_unique<u64[]>(kWords);
        if (together.put_off_bytes != 0 && together.put_off_bytes != page->put_off_bytes) return false;
        together.put_off_bytes = page->put_off_bytes;
        for (std::size_t w = 0; w < kWords; ++w) together.put_off[w] |= page->put_off[w];
      }
      for (std::size_t w = 0; together.put_off && w < kWords; ++w)
        if (together.put_off[w] & (together.read[w] | together.written[w])) return false;
    }
  return true;
}

}  // namespace gpusim
