// What a launch has read and what it has written: enough to know whether it would do the same again, and to
// do it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "execution/events.h"
#include "execution/footprint.h"
#include "memory/memory.h"

namespace gpusim {

class LaunchEffects {
 public:
  // Starts without any bytes. If more than `most` bytes are added in total, is_complete() becomes false.
  explicit LaunchEffects(u64 most) : most_(most) {}

  // The launch has just ended. Pages come by address.
  void add(const Footprint::PageUse&);
  // It may have read all of this allocation, and has written none of it.
  void add_read(const Allocation&);

  bool is_complete() const { return is_complete_; }
  u64 bytes() const;  // of this process that these effects occupy

  // Whether every byte that the launch has read is there and holds what it held when the launch began. Bytes
  // are compared only where memory may have changed since they were compared last.
  bool are_inputs_unchanged(const Memory&);
  // Brings memory into the state after the launch. The inputs must be unchanged.
  void apply(Memory&);

 private:
  struct Stretch {
    u64 at, bytes;  // from the beginning of the allocation
  };
  // Bytes that are adjacent in `contents`, but lie in stretches in memory.
  struct Bytes {
    std::vector<Stretch> stretches;
    std::vector<u8> contents;
    u64 unchanged_since = 0;  // they held this at that moment of Memory; 0: not known

    void add(u64 at, const u8* contents, u64 count);
    bool are_in(const u8* memory) const;
  };
  struct Part {  // of an allocation
    u64 base, serial;
    Bytes read, written;
  };
  // Null: it has been freed.
  static const Allocation* allocation_of(const Part&, const Memory&);
  Part& part_of(const Allocation&);
  void check_size();

  u64 most_;
  bool is_complete_ = true;
  std::vector<Part> parts_;
};

// Records a launch. Like every observer it must live until the launch has ended, which may run on several
// host threads.
class EffectsRecorder final : public Observer {
 public:
  // Records effects of at most `most` bytes; a launch with more leaves no record.
  EffectsRecorder(const Memory& memory, u64 most) : memory_(memory), most_(most), whole_(memory, most) {}

  Interests interests() const override { return Footprint::kInterests; }
  void access(const Access& a) override { whole_.access(a); }
  void row_access(const RowAccess& a) override { whole_.row_access(a); }
  void unseen() override { whole_.unseen(); }
  Observer* shard(u32 k, u32 of) override;
  bool found_something(u32) const override { return false; }
  void merge_shards(u32 count) override { merged_ = count; }

  // Once the launch has ended: its effects; nothing if they are too large, or not all of them are known.
  std::optional<LaunchEffects> effects() const;

 private:
  // What the blocks of one host thread do.
  class Part final : public SerialObserver {
   public:
    Part(const Memory& memory, u64 most)
        : memory_(memory), most_(most), footprint_(memory, nothing_, saved_) {}
    Interests interests() const override { return Footprint::kInterests; }
    void access(const Access&) override;
    void row_access(const RowAccess&) override;
    void unseen() override { is_known_ = false; }

    bool is_known() const { return is_known_; }
    const Footprint& footprint() const { return footprint_; }

   private:
    template <class Note> void note(Note);
    bool may_meet_host(const Access&) const;

    const Memory& memory_;
    const u64 most_;
    const std::vector<bool> nothing_ = {};
    std::atomic<u64> saved_ = 0;
    Footprint footprint_;
    bool is_known_ = true;
  };

  const Memory& memory_;
  const u64 most_;
  Part whole_;
  std::vector<std::unique_ptr<Part>> shards_;
  u32 merged_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
