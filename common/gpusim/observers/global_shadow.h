// What the race check remembers of global memory: for every few bytes the last write, and who has read since.
#pragma once

#include <bit>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

#include "device/memory.h"
#include "observers/grid_order.h"

namespace gpusim {

// One access of one thread.
struct Touch {
  Time time = 0;  // 0, or not after the launch began: none
  Who who = 0;
  u32 packed = 0;  // pc × 16 + kind × 4 + is it a guess? × 2 + volatile

  u32 pc() const { return packed >> 4; }
  AccessKind kind() const { return AccessKind(packed >> 2 & 3); }
  bool is_atomic() const { return kind() == AccessKind::atomic; }
  bool is_like_atomic() const { return is_atomic() || (packed & 2) != 0; }  // GlobalUse::is_guess
  bool is_strong() const { return is_like_atomic() || (packed & 1) != 0; }
  static u32 pack(const Access& a, bool is_guess) {
    return a.pc << 4 | u32(a.kind) << 2 | u32(is_guess) << 1 | u32(a.is_volatile);
  }
};

// Two readers stand for all: no one is left out that a later write could race with when it does not race with
// these two (GlobalRaceCheck::keep_reader).
struct Cell {
  Touch write, reader[2];
  Touch plain;  // where `write` is an atomic: the last write before it that was not
};

struct Shadow {
  Allocation allocation;
  u32 shift = 0;  // a cell is for 2^shift bytes
  std::unique_ptr<Cell[], decltype(&std::free)> cells{nullptr, &std::free};

  bool holds(u64 address) const { return address - allocation.base < allocation.size; }
  Cell& at(u64 address) { return cells[(address - allocation.base) >> shift]; }
};

// Shadows are made when memory is first touched and live as long as it; old launches' touches are told by time.
class GlobalShadow {
 public:
  static constexpr std::size_t kMostShadowBytes = std::size_t(2) << 30;  // for one allocation

  explicit GlobalShadow(const Memory& memory) : memory_(memory) {}

  // From now on cells hold at most `bytes` bytes.
  void launch_begin(u32 bytes) {
    shift_ = u32(std::countr_zero(bytes));
    last_ = nullptr;
    used_.clear();
  }
  void freed(const Allocation& a) {
    last_ = nullptr;
    used_.clear();
    shadows_.erase(a.serial);
  }
  void forget() {
    last_ = nullptr;
    used_.clear();
    shadows_.clear();
  }

  // Null for an allocation that is too large.
  Shadow* find(u64 address) {
    if (last_ && last_->holds(address)) return last_;
    for (Shadow* s : used_)
      if (s->holds(address)) return last_ = s;
    const Allocation* allocation = memory_.find(address);
    return allocation ? last_ = make(*allocation) : nullptr;
  }

 private:
  Shadow* make(const Allocation& allocation) {
    Shadow& s = shadows_[allocation.serial];
    if (!s.cells || s.shift > shift_) {
      s.allocation = allocation;
      s.shift = shift_;
      const std::size_t cells = (allocation.size >> shift_) + 1;
      // calloc: pages that no kernel touches cost nothing.
      if (cells > kMostShadowBytes / sizeof(Cell)) return nullptr;
      s.cells.reset(static_cast<Cell*>(std::calloc(cells, sizeof(Cell))));
      if (!s.cells) return nullptr;
    }
    used_.push_back(&s);
    return &s;
  }

  const Memory& memory_;
  std::unordered_map<u64, Shadow> shadows_;  // by Allocation::serial
  std::vector<Shadow*> used_;                // in this launch
  Shadow* last_ = nullptr;
  u32 shift_ = 2;
};

}  // namespace gpusim
