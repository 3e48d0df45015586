#include "execution/footprint.h"

#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

#include "ptx/program.h"

namespace gpusim {
namespace {

#ifdef __wasm__  // which has one thread
struct HostMutex {
  void lock() {}
  void unlock() {}
};
#else
using HostMutex = std::mutex;
#endif

}  // namespace

struct SavedPages::KeptSlabs {
  static constexpr std::size_t kMostKept = 256;  // 64 MiB
  HostMutex mutex;
  std::vector<Slab> slabs;
};

SavedPages::KeptSlabs& SavedPages::kept() {
  static KeptSlabs* const all = new KeptSlabs;  // never destroyed: launches may end after main()
  return *all;
}

SavedPages::~SavedPages() {
  const std::lock_guard<HostMutex> lock(kept().mutex);
  for (Slab& slab : slabs_)
    if (kept().slabs.size() < KeptSlabs::kMostKept) kept().slabs.push_back(std::move(slab));
}

namespace {

// An unwritten page may be shared by many places until the first write (memory/backing.cpp). Reading it first would map the
// shared page, and the store that follows would make all processors drop that mapping. So the page is written first, without
// changing its contents.
void own_page([[maybe_unused]] u8* bytes) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GPUSIM_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define GPUSIM_THREAD_SANITIZER
#endif
#if !defined(__wasm__) && \
    !defined(GPUSIM_THREAD_SANITIZER)  // it would call this a race with those who read that byte
  u8 nothing = 0;
  asm volatile("" : "+r"(nothing));  // hides the 0, or the compiler would omit the write
  __atomic_fetch_or(bytes, nothing, __ATOMIC_RELAXED);
#endif
}

}  // namespace

namespace {

// Whether the bytes are one 8-byte number, repeated. (If other threads write here meanwhile, the result does not matter: the copy
// that they have saved is the one that counts.)
bool is_repeated(const u8* bytes, std::size_t count, u64& number) {
  constexpr std::size_t kOfPiece = 256;
  if (count < sizeof number || count % kOfPiece != 0) return false;
  std::memcpy(&number, bytes, sizeof number);
  for (std::size_t at = 0; at < count; at += kOfPiece) {
    u64 differences = 0;
    for (std::size_t k = 0; k < kOfPiece; k += sizeof number) {
      u64 here;
      std::memcpy(&here, bytes + at + k, sizeof here);
      differences |= here ^ number;
    }
    if (differences) return false;
  }
  return true;
}

}  // namespace

// A thread draws the page's number after copying it, and writes only after that. So the copy with the lowest number was complete
// before any thread wrote. Copies with higher numbers may contain some of those writes.
void SavedPages::save(u8* bytes, std::size_t count) {
  own_page(bytes);
  Page page{bytes, count, nullptr, 0, 0};
  if (!is_repeated(bytes, count, page.repeated)) {
    u8* const copy = place_for_copy();
    std::memcpy(copy, bytes, count);
    page.copy = copy;
  }
  page.number = saved_.fetch_add(1);
  if (page.number >= kMost) throw NeedsSerialOrder();
  pages_.push_back(page);
}

u8* SavedPages::place_for_copy() {
  const std::size_t place = copied_++ % kPagesOfSlab;
  if (place == 0) {
    const std::lock_guard<HostMutex> lock(kept().mutex);
    std::vector<Slab>& slabs = kept().slabs;
    if (slabs.empty()) slabs.push_back(std::make_unique_for_overwrite<u8[]>(kPagesOfSlab * kPageBytes));
    slabs_.push_back(std::move(slabs.back()));
    slabs.pop_back();
  }
  return slabs_.back().get() + place * kPageBytes;
}

void SavedPages::Page::copy_to(u8* to) const {
  if (copy) std::memcpy(to, copy, count);
  else
    for (std::size_t at = 0; at < count; at += sizeof repeated)
      std::memcpy(to + at, &repeated, sizeof repeated);
}

void SavedPages::copy_to(u8* to, std::size_t k) const { pages_[k].copy_to(to); }

void SavedPages::restore(std::span<const SavedPages* const> all) {
  std::vector<const Page*> pages;
  for (const SavedPages* saved : all)
    for (const Page& page : saved->pages_) pages.push_back(&page);
  std::ranges::sort(pages, std::greater(), &Page::number);
  for (const Page* page : pages) page->copy_to(page->bytes);
}

namespace {

// The bits of [first, end) that fall into word k, which stands for 64 bytes.
u64 bits_of(u32 k, u32 first, u32 end) {
  const u32 from = std::max(first, 64 * k), to = std::min(end, 64 * k + 64);
  return from >= to ? 0 : ~u64(0) >> (64 - (to - from)) << from % 64;
}

}  // namespace

u64 Footprint::Bytes::word(u32 k) const { return is_range_ ? bits_of(k, first_, end_) : bits_[k]; }

void Footprint::Bytes::leave_range(u32 at, u32 end) {
  if (!bits_) bits_ = std::make_unique<u64[]>(kWords);
  for (u32 k = first_ / 64; k <= (end_ - 1) / 64; ++k) bits_[k] |= bits_of(k, first_, end_);
  count_ = end_ - first_;
  is_range_ = false;
  add_bits(at, end);
}

void Footprint::Bytes::add_bits(u32 at, u32 end) {
  for (u32 k = at / 64; k <= (end - 1) / 64; ++k) {
    const u64 bits = bits_of(k, at, end), more = bits & ~bits_[k];
    if (more == 0) continue;
    bits_[k] |= more;
    // (popcount is slow on processors without an instruction for it.)
    count_ += more == bits ? std::min(end, 64 * k + 64) - std::max(at, 64 * k) : u32(std::popcount(more));
  }
  first_ = std::min(first_, at);
  end_ = std::max(end_, end);
  is_range_ = count_ == end_ - first_;
}

Footprint::Area& Footprint::area_of(u64 address) {
  const auto known = std::ranges::find_if(areas_, [&](const auto& area) { return area->holds(address); });
  if (known != areas_.end()) return **known;
  const Allocation* const allocation = memory_.find(address);
  if (!allocation) throw NeedsSerialOrder();  // of another GPU
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
    ++pages_;
    page = std::make_unique<Page>(first, u32(end - first), a.bytes + (first - a.base));
  }
  return *(recent_[address / kPageBytes % kRecent] = page.get());
}

void Footprint::begin_to_write(Page& page) {
  if (page.saved != Page::kNotSaved) return;
  saved_.save(page.memory, page.bytes);
  page.saved = saved_.pages() - 1;
}

// All of them lie in one allocation.
template <Footprint::Touch how> void Footprint::touch(u64 address, u64 bytes) {
  for (const u64 end = address + bytes; address < end;) {
    Page& page = page_of(address);
    if (how == Touch::written) begin_to_write(page);
    const u32 at = u32(address % kPageBytes), count = u32(std::min(end, page.first + page.bytes) - address);
    (how == Touch::read ? page.read : page.written).add(at, at + count);
    address += count;
  }
}

// Records lanes with adjacent bytes as one stretch.
template <Footprint::Touch how> void Footprint::touch_stretches(const Access& a) {
  for (Mask left = a.mask; left != 0;) {
    const u64 begin = a.address[std::countr_zero(left)];
    u64 end = begin;
    do {
      end += a.bytes;
      left &= left - 1;
    } while (left != 0 && a.address[std::countr_zero(left)] == end);
    touch<how>(begin, end - begin);
    ++stretches_;
  }
}

// Each lane's bytes, which are aligned: they lie in one page.
void Footprint::defer_lanes(const Access& a) {
  for (Mask left = a.mask; left != 0;) {
    Page& page = page_of(a.address[std::countr_zero(left)]);
    begin_to_write(page);
    if (page.deferred_bytes == 0) page.deferred_bytes = a.bytes;
    if (page.deferred_bytes != a.bytes) throw NeedsSerialOrder();
    do {  // as long as it is the same page
      const u64 address = a.address[std::countr_zero(left)];
      if (!page.holds(address)) break;
      page.deferred.add(u32(address % kPageBytes), u32(address % kPageBytes) + a.bytes);
      left &= left - 1;
    } while (left != 0);
  }
}

void Footprint::row_access(const RowAccess& a) {
  if (a.space != Space::global) return;
  if (a.instruction->order == MemoryOrder::weak) return note_row(a);
  u64 address[kWarpSize];
  access(a.of_lanes(address));
}

void Footprint::note_row(const RowAccess& a) {
  if (a.space != Space::global) return;
  if (a.step != 0 && !a.is_gapless()) {
    u64 address[kWarpSize];
    return note(a.of_lanes(address));
  }
  const u64 bytes = a.step == 0 ? a.bytes : u64(lane_count(a.mask)) * a.bytes;
  a.kind == AccessKind::load ? touch<Touch::read>(a.begin(), bytes) : touch<Touch::written>(a.begin(), bytes);
}

void Footprint::access(const Access& a) {
  if (a.space != Space::global) return;
  const bool is_atomic = a.kind == AccessKind::atomic;
  if (is_atomic ? !may_defer_[a.pc] : a.instruction->order != MemoryOrder::weak) throw NeedsSerialOrder();
  if (is_atomic) return defer_lanes(a);
  note(a);
}

void Footprint::note(const Access& a) {
  if (a.space != Space::global) return;
  if (a.kind == AccessKind::atomic) {
    touch_stretches<Touch::read>(a);
    return touch_stretches<Touch::written>(a);
  }
  const bool is_read = a.kind == AccessKind::load;
  const u64 step = a.row ? a.address[1] - a.address[0] : ~u64(0);
  if (step != 0 && step != a.bytes)
    return is_read ? touch_stretches<Touch::read>(a) : touch_stretches<Touch::written>(a);
  const u64 bytes = step == 0 ? a.bytes : u64(a.row) * a.bytes;
  u64 before = 0;  // rows of a block's tile are often the same
  for (u32 lane = 0; lane < kWarpSize; lane += a.row)
    if (const u64 first = a.address[lane]; first != before) {
      is_read ? touch<Touch::read>(first, bytes) : touch<Touch::written>(first, bytes);
      before = first;
    }
}

void Footprint::defer(const DeferredAtomic& atomic) {
  if (deferred_.size() == kMostDeferred) throw NeedsSerialOrder();
  deferred_.push_back(atomic);
}

void Footprint::read_all(u64 address, u64 bytes) {
  if (address == all_read_ || bytes == 0) return;
  all_read_ = address;
  touch<Touch::read>(address, bytes);
}

bool Footprint::blocks_are_independent(std::span<const Footprint* const> all) {
  std::map<const Allocation*, std::vector<const Area*>> by_allocation;
  for (const Footprint* footprint : all)
    for (const auto& area : footprint->areas_) by_allocation[area->allocation].push_back(area.get());
  std::vector<const Page*> pages;  // copies of the same page in several footprints
  for (const auto& [allocation, areas] : by_allocation)
    for (std::size_t k = 0; k < areas.front()->pages.size(); ++k) {
      pages.clear();
      for (const Area* area : areas)
        if (const Page* page = area->pages[k].get()) pages.push_back(page);
      if (!Page::blocks_are_independent(pages)) return false;
    }
  return true;
}

bool Footprint::Page::blocks_are_independent(std::span<const Page* const> pages) {
  const auto is_read_only = [](const Page* page) {
    return page->written.is_empty() && page->deferred.is_empty();
  };
  if (std::ranges::all_of(pages, is_read_only)) return true;
  u32 deferred_bytes = 0;
  for (const Page* page : pages) {
    if (page->deferred_bytes && deferred_bytes && page->deferred_bytes != deferred_bytes) return false;
    deferred_bytes = std::max(deferred_bytes, page->deferred_bytes);
  }
  if (pages.size() == 1 && !deferred_bytes) return true;
  for (u32 w = 0; w < Bytes::kWords; ++w) {
    u64 read = 0, written = 0, deferred = 0;  // by the pages seen so far
    for (const Page* page : pages) {
      const u64 now_read = page->read.word(w), now_written = page->written.word(w);
      if (now_written & (read | written) || now_read & written) return false;
      read |= now_read;
      written |= now_written;
      deferred |= page->deferred.word(w);
    }
    if (deferred & (read | written)) return false;
  }
  return true;
}

void Footprint::for_pages(std::span<const Footprint* const> all,
                          const std::function<void(const PageUse&)>& use) {
  std::map<u64, AllPages> by_address;
  for (const Footprint* footprint : all)
    for (const auto& area : footprint->areas_)
      for (const auto& page : area->pages)
        if (page) by_address[page->first].push_back({footprint, page.get()});
  const auto before = std::make_unique_for_overwrite<u8[]>(kPageBytes);
  PageUse page;
  for (const auto& [first, pages] : by_address) {
    page.allocation = pages.front().first->memory_.find(first);
    use_of(pages, *all.front(), page, before.get());
    use(page);
  }
}

// The footprint that ran first saved the page as it was before the launch. The others saved it later, perhaps after writes by
// other blocks. But the bytes that a footprint writes are touched by no other, so for those bytes its copy shows the state before
// the launch.
void Footprint::use_of(const AllPages& pages, const Footprint& first_to_run, PageUse& all, u8* before) {
  const Page& one = *pages.front().second;
  all.first = one.first, all.memory = one.memory, all.at = u32(one.first % kPageBytes), all.bytes = one.bytes;
  bool is_updated = false;
  for (u32 w = 0; w < Bytes::kWords; ++w) {
    all.read[w] = all.written[w] = 0;
    for (const auto& [of, page] : pages) {
      all.read[w] |= page->read.word(w);
      all.written[w] |= page->written.word(w);
    }
    is_updated |= (all.read[w] & all.written[w]) != 0;
  }
  all.before = is_updated ? before : nullptr;
  if (!is_updated) return;
  u8 saved[kPageBytes];
  for (auto each = pages.rbegin(); each != pages.rend(); ++each) {  // the first one's copy takes precedence
    const auto& [of, page] = *each;
    if (page->saved == Page::kNotSaved) continue;
    of->saved_.copy_to(saved, page->saved);
    for (u32 k = 0; k < page->bytes; ++k) {
      const u32 at = all.at + k;
      if (of == &first_to_run || page->written.word(at / 64) >> at % 64 & 1) before[k] = saved[k];
    }
  }
}

void Footprint::restore(std::span<const Footprint* const> all) {
  std::vector<const SavedPages*> saved;
  for (const Footprint* footprint : all) saved.push_back(&footprint->saved_);
  SavedPages::restore(saved);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
