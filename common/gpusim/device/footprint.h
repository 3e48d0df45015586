// What some blocks of a launch have read and written of global memory, byte by byte: by this it is known, afterwards, whether
// it mattered in which order blocks ran. (device/crew.h)
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <unordered_set>
#include <vector>

#include "device/events.h"
#include "device/memory.h"

namespace gpusim {

// Thrown where blocks depend on each other's order, or might: the launch must run on one host thread.
struct MustRunAlone {};

// Memory as it was before a launch changed it, page by page. Host threads may share one.
class SavedPages {
 public:
  static constexpr std::size_t kPageBytes = 4096;
  static constexpr std::size_t kMostBytes = std::size_t(1) << 30;

  // Before the first store into these bytes, which no other call names in part. Throws MustRunAlone for more than kMostBytes.
  void save(u8* bytes, std::size_t count);
  void restore() const;

 private:
  struct Page {
    u8* bytes;
    std::size_t count;
    std::unique_ptr<u8[]> copy;
  };
  std::mutex mutex_;
  std::unordered_set<const u8*> known_;
  std::vector<Page> pages_;
  std::size_t bytes_ = 0;
};

class Footprint final : public Observer {
 public:
  Footprint(const Memory& memory, SavedPages& saved) : memory_(memory), saved_(saved) {}

  // Of global memory. Throws MustRunAlone at an atomic, or what is volatile or ordered: its result may depend on other blocks.
  void access(const Access&) override;
  bool hears_issues() const override { return false; }
  // A texture is read, somewhere.
  void read_all(u64 address, u64 bytes);

  // Whether no byte that one of them has written was written or read by another.
  static bool are_apart(std::span<const Footprint* const>);

 private:
  static constexpr std::size_t kPageBytes = SavedPages::kPageBytes, kWords = kPageBytes / 64;
  struct Page {  // a bit for each byte
    u64 read[kWords] = {}, written[kWords] = {};
    bool is_saved = false;
  };
  struct Area {  // an allocation
    const Allocation* allocation;
    std::vector<std::unique_ptr<Page>> pages;  // null: not touched
  };
  static constexpr std::size_t kRecent = 4;

  Area& area_of(u64 address);
  void touch(u64 address, u64 bytes, bool writes);

  const Memory& memory_;
  SavedPages& saved_;
  std::vector<std::unique_ptr<Area>> areas_;
  Area* recent_[kRecent] = {};
  std::size_t next_recent_ = 0;
  u64 all_read_ = 0;  // the address that read_all() had last
};

}  // namespace gpusim
