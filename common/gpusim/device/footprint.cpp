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
  const auto known = std::ranges::find_if(areas_, [&](const auto& area) { return area->holds(address); });
  if (known != areas_.end()) return **known;
  const Allocation* const allocation = memory_.find(address);
  if (!allocation) throw MustRunAlone();  // of another GPU
  Area& area = *areas_.emplace_back(std::make_unique<Area>(Area{allocation, {}}));
  area.pages.resize(area.page_of(allocation->base + allocation->size - 1) + 1);
  return area;
}

Footprint::Page& Footprint::find_page(u64 address) {
  Area& area = area_of(address);
  std::unique_ptr<Page>& page = area.pages[area.page_of(address)];
  if (!page) {
    const Allocation& a = *area.allocation;
    const u64 begin = address / kPageBytes * kPageBytes, first = std::max(begin, a.base),
              end = std::min(begin + kPageBytes, a.base + a.size);
    page = std::make_unique<Page>(first, u32(end - first), a.bytes + (first - a.base));
  }
  return *(recent_[address / kPageBytes % kRecent] = page.get());
}

void Footprint::begin_to_write(Page& page, u32 bytes, Touch how) {
  if (!page.is_saved) saved_.save(page.memory, page.bytes);
  page.is_saved = true;
  if (how != Touch::put_off) return;
  if (!page.put_off) page.put_off = std::make_unique<Bytes>(page.bytes), page.put_off_bytes = bytes;
  if (page.put_off_bytes != bytes) throw MustRunAlone();
}

// All of them lie in one allocation.
void Footprint::touch(u64 address, u64 bytes, Touch how) {
  for (const u64 end = address + bytes; address < end;) {
    Page& page = page_of(address);
    if (how != Touch::read) begin_to_write(page, u32(bytes), how);
    Bytes& touched = how == Touch::read ? page.read : how == Touch::written ? page.written : *page.put_off;
    const u64 page_end = std::min(end, page.first + page.bytes);
    if (touched.is_whole()) address = page_end;
    while (address < page_end) {
      const u32 at = u32(address % kPageBytes), count = u32(std::min<u64>(64 - at % 64, page_end - address));
      touched.add(at, count);
      address += count;
    }
  }
}

// Each lane's bytes, which are aligned: they lie in one page, and across no multiple of 64.
template <Footprint::Touch how> void Footprint::touch_lanes(const Access& a) {
  for (Mask left = a.mask; left != 0;) {
    const u32 first = u32(std::countr_zero(left));
    Page& page = page_of(a.address[first]);
    if (how != Touch::read) begin_to_write(page, a.bytes, how);
    Bytes& touched = how == Touch::read ? page.read : how == Touch::written ? page.written : *page.put_off;
    const bool is_whole = touched.is_whole();
    do {  // as long as it is the same page
      const u64 address = a.address[std::countr_zero(left)];
      if (!page.holds(address)) break;
      if (!is_whole) touched.add(u32(address % kPageBytes), a.bytes);
      left &= left - 1;
    } while (left != 0);
  }
}

void Footprint::access(const Access& a) {
  if (a.space != Space::global) return;
  const bool is_atomic = a.kind == AccessKind::atomic;
  if (is_atomic ? !may_put_off_[a.pc] : a.instruction->order != MemoryOrder::weak) throw MustRunAlone();
  if (is_atomic) return touch_lanes<Touch::put_off>(a);
  const bool is_read = a.kind == AccessKind::load;
  const u64 step = a.row ? a.address[1] - a.address[0] : ~u64(0);
  if (step != 0 && step != a.bytes)
    return is_read ? touch_lanes<Touch::read>(a) : touch_lanes<Touch::written>(a);
  const u64 bytes = step == 0 ? a.bytes : u64(a.row) * a.bytes;
  u64 before = 0;  // rows of a block's tile are often the same
  for (u32 lane = 0; lane < kWarpSize; lane += a.row)
    if (const u64 first = a.address[lane]; first != before) {
      touch(first, bytes, is_read ? Touch::read : Touch::written);
      before = first;
    }
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
      Bytes read, written, put_off;  // together
      u32 put_off_bytes = 0;
      for (const Area* area : areas) {
        const Page* const page = area->pages[k].get();
        if (!page) continue;
        for (std::size_t w = 0; w < Bytes::kWords; ++w) {
          if (page->written.word(w) & (read.word(w) | written.word(w)) ||
              page->read.word(w) & written.word(w))
            return false;
          read.add_word(w, page->read.word(w));
          written.add_word(w, page->written.word(w));
        }
        if (!page->put_off) continue;
        if (put_off_bytes != 0 && put_off_bytes != page->put_off_bytes) return false;
        put_off_bytes = page->put_off_bytes;
        for (std::size_t w = 0; w < Bytes::kWords; ++w) put_off.add_word(w, page->put_off->word(w));
      }
      for (std::size_t w = 0; put_off_bytes && w < Bytes::kWords; ++w)
        if (put_off.word(w) & (read.word(w) | written.word(w))) return false;
    }
  return true;
}

}  // namespace gpusim
