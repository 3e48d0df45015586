// What some blocks of a launch have read and written in global memory, byte by byte. It shows, afterwards, whether the order of
// the blocks mattered (launch/parallel_launch.h).
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "execution/events.h"
#include "execution/needs_serial_order.h"
#include "memory/memory.h"

namespace gpusim {

// Memory as it was before a host thread changed it, page by page. The saved pages of several threads together restore memory.
class SavedPages {
 public:
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr u64 kMost = (u64(1) << 30) / kPageBytes;  // pages, of all threads

  // `saved`: how many pages all threads have saved.
  explicit SavedPages(std::atomic<u64>& saved) : saved_(saved) {}
  ~SavedPages();
  SavedPages(const SavedPages&) = delete;
  SavedPages& operator=(const SavedPages&) = delete;

  // Call before this thread's first store into these bytes. Other threads may have saved and changed them already. Throws
  // NeedsSerialOrder after kMost pages.
  void save(u8* bytes, std::size_t count);
  static void restore(std::span<const SavedPages* const>);
  // Copies what page k, in the order of save(), held then to `to`, which has room for a page.
  void copy_to(u8* to, std::size_t k) const;
  std::size_t pages() const { return pages_.size(); }
  // Pages of this thread that had to be copied. A page that is one repeated number, as unwritten memory is, needs no copy.
  u64 copied() const { return copied_; }

 private:
  static constexpr std::size_t kPagesOfSlab = 64;
  using Slab = std::unique_ptr<u8[]>;
  u8* place_for_copy();
  struct KeptSlabs;  // for later launches: allocating memory takes longer than copying into it
  static KeptSlabs& kept();
  struct Page {
    u8* bytes;
    std::size_t count;
    const u8* copy;  // null: the page is `repeated` throughout
    u64 repeated;
    u64 number;  // the order in which threads were ready to write: the copy with the lowest number is of the unchanged page

    void copy_to(u8* to) const;
  };

  std::atomic<u64>& saved_;
  std::vector<Page> pages_;
  u64 copied_ = 0;
  std::vector<Slab> slabs_;
};

// An atomic of one lane whose result is never read. It can run after all blocks, provided that no block reads the memory before.
struct DeferredAtomic {
  u32 pc, lane;
  u64 address, value;
};

class Footprint final : public SerialObserver {
 public:
  static constexpr std::size_t kMostDeferred = std::size_t(1) << 22;

  // may_defer: by pc, whether an atomic may be deferred.
  Footprint(const Memory& memory, const std::vector<bool>& may_defer, std::atomic<u64>& saved_pages)
      : memory_(memory), may_defer_(may_defer), saved_(saved_pages) {}

  // Accesses to global memory. Throws NeedsSerialOrder for an atomic that cannot be deferred and for volatile or ordered
  // accesses, whose result may depend on other blocks.
  void access(const Access&) override;
  static constexpr Interests kInterests = {.accesses = true, .rows = true};
  Interests interests() const override { return kInterests; }
  void row_access(const RowAccess&) override;
  // The same for an observer that does not depend on the order of accesses: an atomic counts as a read and a write. Throws
  // NeedsSerialOrder for another GPU's memory, and after SavedPages::kMost pages.
  void note(const Access&);
  void note_row(const RowAccess&);
  // What follows belongs to the block that starts as number k.
  void begin_block(u64 k) { of_block_.push_back({k, deferred_.size(), false}); }
  // The block has polled shared memory, so its turns may depend on what an atomic changed there.
  void has_polled() { of_block_.back().has_polled = true; }
  // Throws NeedsSerialOrder after kMostDeferred atomics.
  void defer(const DeferredAtomic&);
  // A texture is read, somewhere.
  void read_all(u64 address, u64 bytes);

  // How many stretches have been recorded for loads and stores that are not rows. A stretch is usually a single lane.
  u64 stretches() const { return stretches_; }
  u64 pages() const { return pages_; }  // that were touched
  u64 copied_pages() const { return saved_.copied(); }

  // Whether no footprint wrote a byte that another one read or wrote, and all bytes of deferred atomics were accessed only by
  // deferred atomics of the same size.
  static bool blocks_are_independent(std::span<const Footprint* const>);

  // What a launch did to adjacent bytes of an allocation, at most a page: one bit for each byte.
  struct PageUse {
    static constexpr u32 kWords = SavedPages::kPageBytes / 64;
    const Allocation* allocation;
    u64 first;  // address
    u8* memory;
    u32 at, bytes;  // bits [at, at + bytes) are of memory[0 …]
    u64 read[kWords], written[kWords];
    // What the page held before the launch, for bytes that are read and written: from memory[0] on. Null: there are none.
    const u8* before;
  };
  // Calls use(page) for each touched page, in order of addresses. The footprints belong to one launch. all[0] ran before the
  // others, and none of those touched what another wrote, except by deferred atomics.
  static void for_pages(std::span<const Footprint* const> all,
                        const std::function<void(const PageUse&)>& use);

  // Puts memory back as it was before the first of them.
  static void restore(std::span<const Footprint* const>);

  // Replays every deferred atomic in the order in which the blocks started: begin(has_polled) for each block, then act(atomic)
  // for each of its atomics. Stops and returns false as soon as act does.
  template <class Begin, class Act>
  static bool replay_deferred(std::span<const Footprint* const> all, Begin begin, Act act) {
    std::vector<std::pair<const Footprint*, std::size_t>> blocks;  // with the block's index in its footprint
    for (const Footprint* footprint : all)
      for (std::size_t k = 0; k < footprint->of_block_.size(); ++k)
        if (footprint->end_of(k) != footprint->of_block_[k].first) blocks.push_back({footprint, k});
    std::ranges::sort(blocks, {}, [](const auto& b) { return b.first->of_block_[b.second].number; });
    for (const auto& [footprint, k] : blocks) {
      begin(footprint->of_block_[k].has_polled);
      for (std::size_t at = footprint->of_block_[k].first; at < footprint->end_of(k); ++at)
        if (!act(footprint->deferred_[at])) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kPageBytes = SavedPages::kPageBytes;
  enum class Touch { read, written };

  // A set of bytes of a page, kept as a range while it is one, which is nearly always.
  class Bytes {
   public:
    static constexpr u32 kWords = kPageBytes / 64;

    // Adds the bytes [at, end).
    void add(u32 at, u32 end) {
      if (!is_range_) {  // often they are among them already
        const u64 bits = ~u64(0) >> (64 - std::min(end - at, 64u)) << at % 64;
        if (at / 64 != (end - 1) / 64 || (bits & ~bits_[at / 64])) add_bits(at, end);
        return;
      }
      if (at >= first_ && end <= end_) return;
      if (end_ != 0 && (at > end_ || end < first_)) return leave_range(at, end);
      first_ = end_ == 0 ? at : std::min(first_, at);
      end_ = std::max(end_, end);
    }
    bool is_empty() const { return end_ == 0; }
    u64 word(u32 k) const;  // a bit for each of 64 bytes

   private:
    void leave_range(u32 at, u32 end);
    void add_bits(u32 at, u32 end);

    bool is_range_ = true;
    u32 first_ = 0, end_ = 0;      // all of them are in here
    u32 count_ = 0;                // unless it is a range
    std::unique_ptr<u64[]> bits_;  // one bit for each byte, once the set is not a range
  };

  // What an allocation has between two multiples of kPageBytes.
  struct Page {
    Page(u64 first, u32 bytes, u8* memory) : first(first), bytes(bytes), memory(memory) {}
    bool holds(u64 address) const { return address - first < bytes; }
    // The same question for the copies of one page in several footprints.
    static bool blocks_are_independent(std::span<const Page* const>);

    u64 first;  // address
    u32 bytes;
    u8* memory;  // where they live
    Bytes read, written, deferred;
    u32 deferred_bytes = 0;  // size of each deferred atomic here; 0: none so far
    static constexpr std::size_t kNotSaved = ~std::size_t(0);
    std::size_t saved = kNotSaved;  // its number in SavedPages
  };
  struct OfBlock {
    u64 number;         // in the order of starting
    std::size_t first;  // in deferred_
    bool has_polled;
  };
  struct Area {
    const Allocation* allocation;
    std::vector<std::unique_ptr<Page>> pages;  // null: not touched
    bool holds(u64 address) const { return address - allocation->base < allocation->size; }
    u64 page_of(u64 address) const { return address / kPageBytes - allocation->base / kPageBytes; }
  };
  static constexpr std::size_t kRecent = 256;

  Area& area_of(u64 address);
  Page& page_of(u64 address) {
    Page* const recent = recent_[address / kPageBytes % kRecent];
    return recent && recent->holds(address) ? *recent : find_page(address);
  }
  Page& find_page(u64 address);
  void begin_to_write(Page&);
  template <Touch how> void touch(u64 address, u64 bytes);
  template <Touch how> void touch_stretches(const Access&);
  void defer_lanes(const Access&);
  using AllPages = std::vector<std::pair<const Footprint*, const Page*>>;  // copies of one page
  static void use_of(const AllPages&, const Footprint& first_to_run, PageUse&, u8* before);
  std::size_t end_of(std::size_t k) const {
    return k + 1 < of_block_.size() ? of_block_[k + 1].first : deferred_.size();
  }

  const Memory& memory_;
  const std::vector<bool>& may_defer_;
  SavedPages saved_;
  std::vector<std::unique_ptr<Area>> areas_;
  Page* recent_[kRecent] = {};  // by address
  std::vector<DeferredAtomic> deferred_;
  std::vector<OfBlock> of_block_;
  u64 stretches_ = 0, pages_ = 0;
  u64 all_read_ = 0;  // the address that read_all() had last
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
