// What the race check remembers of global memory: for every few bytes the last write, and who has read since.
#pragma once

#include <array>
#include <bit>
#include <cstdio>
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
  u32 packed = 0;  // pc × 4 + kind

  u32 pc() const { return packed >> 2; }
  AccessKind kind() const { return AccessKind(packed & 3); }
  bool is_atomic() const { return kind() == AccessKind::atomic; }
  static u32 pack(const Access& a) { return a.pc << 2 | u32(a.kind); }
};

// Of readers that nothing orders two are enough where only block barriers and __syncwarp of whole warps order threads:
// a later write that is ordered after two threads of different warps is ordered after their whole block, and after
// two of different blocks it cannot be. Where fences order some threads and not others there may be `more`.
struct Cell {
  Touch write, reader[2];
  Touch plain;  // where `write` is an atomic: the last write before it that was not
};

// Readers of cells beyond the two. Bounded: of one that finds no room, the second of the two is forgotten.
class MoreReaders {
 public:
  void clear() {
    of_.clear();
    count_ = 0;
  }
  bool is_empty() const { return of_.empty(); }
  // Those of a cell, or null.
  std::vector<Touch>* find(const Cell& cell) {
    if (of_.empty()) return nullptr;
    const auto found = of_.find(&cell);
    return found == of_.end() ? nullptr : &found->second;
  }
  bool add(const Cell& cell, const Touch& reader) {
    if (count_ >= kMost) return false;
    std::vector<Touch>& readers = of_[&cell];
    if (readers.size() >= kMostOfOneCell) return false;
    readers.push_back(reader);
    ++count_;
    return true;
  }
  void forget(const Cell& cell) {
    const auto found = of_.find(&cell);
    if (found == of_.end()) return;
    count_ -= found->second.size();
    of_.erase(found);
  }

 private:
  static constexpr std::size_t kMostOfOneCell = 64, kMost = std::size_t(1) << 20;
  std::unordered_map<const Cell*, std::vector<Touch>> of_;
  std::size_t count_ = 0;
};

// Its cells lie in chunks that come when a kernel first touches them: of an array of 4 GiB only what is used counts.
struct Shadow {
  static constexpr u32 kChunkShift = 12;  // 2^kChunkShift cells

  Allocation allocation;
  u32 shift = 0;  // a cell is for 2^shift bytes
  std::vector<std::unique_ptr<Cell[], decltype(&std::free)>> chunks;

  bool holds(u64 address) const { return address - allocation.base < allocation.size; }
  // Chunks begin where addresses are multiples of their bytes, so the cells of an aligned access lie in one.
  u64 chunk_of(u64 address) const {
    return (address >> (shift + kChunkShift)) - (allocation.base >> (shift + kChunkShift));
  }
  Cell& at(u64 address) {
    return chunks[chunk_of(address)][(address >> shift) & ((u64(1) << kChunkShift) - 1)];
  }
};

// Shadows are made when memory is first touched and live as long as it; old launches' touches are told by time.
class GlobalShadow {
 public:
  static constexpr std::size_t kMostShadowBytes = std::size_t(2) << 30;

  explicit GlobalShadow(const Memory& memory) : memories_{&memory} {}
  void add(u32 gpu, const Memory& memory) { memories_[gpu] = &memory; }

  // From now on cells hold at most `bytes` bytes.
  void launch_begin(u32 bytes) {
    shift_ = u32(std::countr_zero(bytes));
    last_ = nullptr;
    used_.clear();
  }
  void freed(const Allocation& a) {
    last_ = nullptr;
    used_.clear();
    if (const auto found = shadows_.find(key_of(a)); found != shadows_.end()) {
      give_back(found->second);
      shadows_.erase(found);
    }
  }
  void forget() {
    last_ = nullptr;
    used_.clear();
    shadows_.clear();
    chunks_ = 0;
  }

  // The shadow of the memory that holds `address`, with cells there. Null when there is no room for them: what kernels
  // have touched of live allocations has kMostShadowBytes already.
  Shadow* find(u64 address) {
    Shadow* const s = shadow_of(address);
    return s && (s->chunks[s->chunk_of(address)] || add_chunk(*s, address)) ? s : nullptr;
  }

 private:
  static constexpr std::size_t kChunkBytes = sizeof(Cell) << Shadow::kChunkShift;

  Shadow* shadow_of(u64 address) {
    if (last_ && last_->holds(address)) return last_;
    for (Shadow* s : used_)
      if (s->holds(address)) return last_ = s;
    const Memory* memory = memories_[1] ? memories_[Memory::gpu_of(address)] : memories_[0];
    const Allocation* allocation = memory ? memory->find(address) : nullptr;
    return allocation ? last_ = make(*allocation) : nullptr;
  }
  static u64 key_of(const Allocation& a) { return u64(Memory::gpu_of(a.base)) << 48 | a.serial; }
  Shadow* make(const Allocation& allocation) {
    Shadow& s = shadows_[key_of(allocation)];
    if (s.chunks.empty() || s.shift > shift_) {
      give_back(s);
      s.allocation = allocation;
      s.shift = shift_;
      for (u64 k = 0; k <= s.chunk_of(allocation.base + allocation.size - 1); ++k)
        s.chunks.emplace_back(nullptr, &std::free);
    }
    used_.push_back(&s);
    return &s;
  }
  bool add_chunk(Shadow& s, u64 address) {
    if (chunks_ >= kMostShadowBytes / kChunkBytes) return tell_full();
    auto& chunk = s.chunks[s.chunk_of(address)];
    chunk.reset(static_cast<Cell*>(std::calloc(1, kChunkBytes)));
    chunks_ += chunk != nullptr;
    return chunk != nullptr;
  }
  bool tell_full() {
    if (!told_)
      std::fprintf(
          stderr,
          "gpusim: race check: kernels have touched more global memory than it can remember (%zu MiB of notes); the rest "
          "is not watched: choose a smaller input\n",
          kMostShadowBytes >> 20);
    told_ = true;
    return false;
  }
  void give_back(Shadow& s) {
    for (const auto& chunk : s.chunks) chunks_ -= chunk != nullptr;
    s.chunks.clear();
  }

  std::array<const Memory*, Memory::kMostGpus> memories_ =
      {};                                    // by GPU; of the first only, where it is alone
  std::unordered_map<u64, Shadow> shadows_;  // by GPU and Allocation::serial
  std::vector<Shadow*> used_;                // in this launch
  Shadow* last_ = nullptr;
  std::size_t chunks_ = 0;  // of all shadows
  u32 shift_ = 2;
  bool told_ = false;
};

}  // namespace gpusim
