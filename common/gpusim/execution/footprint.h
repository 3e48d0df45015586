// What some blocks of a launch have read and written of global memory, byte by byte: by this it is known, afterwards, whether
// it mattered in which order blocks ran. (launch/parallel_launch.h)
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

// Memory as it was before a host thread changed it, page by page. What several threads have saved is put back together.
class SavedPages {
 public:
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr u64 kMost = (u64(1) << 30) / kPageBytes;  // pages, of all threads

  // `saved`: how many pages all threads have saved.
  explicit SavedPages(std::atomic<u64>& saved) : saved_(saved) {}
  ~SavedPages();
  SavedPages(const SavedPages&) = delete;
  SavedPages& operator=(const SavedPages&) = delete;

  // Before this thread's first store into these bytes, which others may have saved, and changed, before. Throws NeedsSerialOrder for
  // more than kMost.
  void save(u8* bytes, std::size_t count);
  static void restore(std::span<const SavedPages* const>);
  // Copies what page k, in the order of save(), held then to `to`, which has room for a page.
  void copy_to(u8* to, std::size_t k) const;
  std::size_t pages() const { return pages_.size(); }
  // Of this thread: that had to be copied. Those of one number throughout, as memory is that nobody has written, are not.
  u64 copied() const { return copied_; }

 private:
  static constexpr std::size_t kPagesOfSlab = 64;
  using Slab = std::unique_ptr<u8[]>;
  u8* place_for_copy();
  struct KeptSlabs;  // for the launches that follow: to get new memory takes longer than to copy into it
  static KeptSlabs& kept();
  struct Page {
    u8* bytes;
    std::size_t count;
    const u8* copy;  // null: all of it is
    u64 repeated;
    u64 number;  // in the order in which threads were ready to write: nobody had changed the page that the first one saved

    void copy_to(u8* to) const;
  };

  std::atomic<u64>& saved_;
  std::vector<Page> pages_;
  u64 copied_ = 0;
  std::vector<Slab> slabs_;
};

// An atomic of one lane whose result nobody reads: it can be done when all blocks have run, as long as none looks meanwhile.
struct DeferredAtomic {
  u32 pc, lane;
  u64 address, value;
};

class Footprint final : public SerialObserver {
 public:
  static constexpr std::size_t kMostDeferred = std::size_t(1) << 22;

  // The atomics that may be put off: by pc.
  Footprint(const Memory& memory, const std::vector<bool>& may_defer, std::atomic<u64>& saved_pages)
      : memory_(memory), may_defer_(may_defer), saved_(saved_pages) {}

  // Of global memory. Throws NeedsSerialOrder at an atomic that cannot be put off, or what is volatile or ordered: its result may
  // depend on other blocks.
  void access(const Access&) override;
  static constexpr Interests kInterests = {.accesses = true, .rows = true};
  Interests interests() const override { return kInterests; }
  void row_access(const RowAccess&) override;
  // The same for an observer to whom the order of the accesses does not matter: an atomic reads and writes its bytes. Throws
  // NeedsSerialOrder for memory of another GPU, and for more than SavedPages::kMost pages.
  void note(const Access&);
  void note_row(const RowAccess&);
  // What comes is of the block that starts as number k.
  void begin_block(u64 k) { of_block_.push_back({k, deferred_.size(), false}); }
  // It has looked at shared memory for what others do there, so it may have taken turns that depend on what an atomic changed.
  void has_polled() { of_block_.back().has_polled = true; }
  // Throws NeedsSerialOrder for more than kMostDeferred.
  void defer(const DeferredAtomic&);
  // A texture is read, somewhere.
  void read_all(u64 address, u64 bytes);

  // How many stretches of lanes were noted, of loads and stores that are no rows: a lane at a time, mostly.
  u64 stretches() const { return stretches_; }
  u64 pages() const { return pages_; }  // that were touched
  u64 copied_pages() const { return saved_.copied(); }

  // Whether no byte that one of them has written was written or read by another, nor one that an atomic was put off for
  // touched otherwise by any, or by an atomic of another size.
  static bool blocks_are_independent(std::span<const Footprint* const>);

  // What a launch has done to some bytes that lie one behind another in an allocation, at most a page: a bit for each.
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
  // Calls use(page) for each page that one of them has touched, by address. They have noted one launch; all[0] ran before the
  // others, and of those none has touched what another has written, unless by an atomic that has been put off.
  static void for_pages(std::span<const Footprint* const> all,
                        const std::function<void(const PageUse&)>& use);

  // Puts memory back as it was before the first of them.
  static void restore(std::span<const Footprint* const>);

  // Calls act(put off) for all of all, in the order in which their blocks started, until it is false; `begin(has_polled)` before
  // each block's. True: it never was.
  template <class Begin, class Act>
  static bool replay_deferred(std::span<const Footprint* const> all, Begin begin, Act act) {
    std::vector<std::pair<const Footprint*, std::size_t>> blocks;  // and the number of the block there
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

  // Some bytes of a page: a range, as long as they are one, which is nearly always.
  class Bytes {
   public:
    static constexpr u32 kWords = kPageBytes / 64;

    // Bytes [at, end) are among them.
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
    std::unique_ptr<u64[]> bits_;  // where it was none, a bit for each byte
  };

  // What an allocation has between two multiples of kPageBytes.
  struct Page {
    Page(u64 first, u32 bytes, u8* memory) : first(first), bytes(bytes), memory(memory) {}
    bool holds(u64 address) const { return address - first < bytes; }
    // Of pages that are one, of some: as for footprints.
    static bool blocks_are_independent(std::span<const Page* const>);

    u64 first;  // address
    u32 bytes;
    u8* memory;  // where they live
    Bytes read, written, deferred;
    u32 deferred_bytes = 0;  // of each that was put off; 0: none was
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
  using AllPages = std::vector<std::pair<const Footprint*, const Page*>>;  // that are one
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
