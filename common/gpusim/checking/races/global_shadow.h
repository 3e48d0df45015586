// What the race check remembers of global memory: for every few bytes the last write, and who has read since.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "checking/races/happens_before.h"
#include "execution/needs_serial_order.h"
#include "memory/memory.h"

namespace gpusim {

// One access of one thread.
struct Touch {
  Time time = 0;  // 0, or not after the launch began: none
  ThreadId who = 0;
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
  template <class Done> void forget_if(const Cell& cell, Done done) {
    const auto found = of_.find(&cell);
    if (found == of_.end()) return;
    count_ -= std::erase_if(found->second, done);
    if (found->second.empty()) of_.erase(found);
  }

 private:
  static constexpr std::size_t kMostOfOneCell = 64, kMost = std::size_t(1) << 20;
  std::unordered_map<const Cell*, std::vector<Touch>> of_;
  std::size_t count_ = 0;
};

// What a whole warp did to all cells of a line by one instruction: cell k was touched by thread who + (k >> shift).
struct LineTouch : Touch {
  u32 shift = 0;

  bool same_threads(const LineTouch& other) const { return who == other.who && shift == other.shift; }
  Touch of_cell(u32 k) const {
    Touch t = *this;
    t.who += k >> shift;
    return t;
  }
};

// As many cells as a warp has lanes. Most are only ever touched together, each by a thread of its own: one note then
// stands for all, and what nobody has looked at one by one has no cells.
struct Line {
  static constexpr u32 kShift = 5, kCells = 1u << kShift;

  LineTouch write, reader[2];
  Time in_cells = 0;      // when one of its cells was last touched by itself
  Cell* cells = nullptr;  // kCells of them, once one was

  // How a kept touch relates to a new touch of all cells. gone: it no longer matters, because each of its threads is, or is
  // ordered before, the thread that now touches its cell. unordered: nothing orders any of them. differs: it differs from cell to
  // cell.
  enum class Past { gone, unordered, differs };

  // Takes a touch of all cells down, as GlobalTouches::keep_reader() and write() do for each of them. False where that
  // takes a look at each, or is a race; then nothing has changed. `past(t)` is the relation above.
  template <class ToNow> bool write_all(const LineTouch& now, ToNow past) {
    for (const LineTouch& t : {write, reader[0], reader[1]})
      if (past(t) != Past::gone) return false;
    write = now;
    reader[0].time = reader[1].time = 0;
    return true;
  }
  template <class ToNow> bool read_all(const LineTouch& now, ToNow past) {
    LineTouch &a = reader[0], &b = reader[1];
    const Past of_a = past(a), of_b = past(b);
    if (past(write) != Past::gone || of_a == Past::differs || of_b == Past::differs) return false;
    if (of_a == Past::gone) {
      a = now;
      if (of_b == Past::gone) b = {};
    } else if (of_b == Past::gone || tells_more(a, b, now)) {
      b = now;
    }
    return true;
  }

  // Of unordered readers, whether keeping `now` beside a is worth more than b. Two of different blocks are worth most, then two
  // of different warps.
  static bool tells_more(const Touch& a, const Touch& b, const Touch& now) {
    const bool kept_blocks_differ = block_of(a.who) != block_of(b.who),
               new_block = block_of(a.who) != block_of(now.who);
    const bool kept_warps_differ = a.who / kWarpSize != b.who / kWarpSize,
               new_warp = a.who / kWarpSize != now.who / kWarpSize;
    return (new_block && !kept_blocks_differ) || (new_warp && !kept_warps_differ);
  }
};

// Its lines lie in chunks that come when a kernel first touches them, and cells come line by line: of an array of 4 GiB
// only what is used counts, and a thread that goes down a column of a matrix leaves little.
struct Shadow {
  static constexpr u32 kChunkShift = 11;  // 2^kChunkShift cells
  static constexpr std::size_t kLines = (std::size_t(1) << kChunkShift) / Line::kCells;

  // With all bits 0, a Line or a Cell holds no touches, and a chunk has not been made.
  template <class T> using Zeros = std::unique_ptr<T[], decltype(&std::free)>;
  template <class T> static Zeros<T> zeros(std::size_t count) {
    return {static_cast<T*>(std::calloc(count, sizeof(T))), &std::free};
  }

  Allocation allocation;
  u32 shift = 0;                             // a cell is for 2^shift bytes
  Zeros<Line*> chunks{nullptr, &std::free};  // of each the first of its kLines
  std::vector<Zeros<Line>> lines;            // of the chunks that are there
  std::vector<Zeros<Cell>> cells;            // of the lines that have some

  bool holds(u64 address) const { return address - allocation.base < allocation.size; }
  u64 line_bytes() const { return u64(Line::kCells) << shift; }
  // Chunks and lines begin where addresses are multiples of their bytes, so the cells of an aligned access lie in one.
  Line*& chunk(u64 address) const {
    return chunks[(address >> (shift + kChunkShift)) - (allocation.base >> (shift + kChunkShift))];
  }
  Line& line(u64 address) const { return chunk(address)[(address >> (shift + Line::kShift)) % kLines]; }
  Cell& at(u64 address) const { return line(address).cells[(address >> shift) % Line::kCells]; }
};

// Shadows are made when memory is first touched and live as long as it; old launches' touches are told by time.
class GlobalShadow {
 public:
  static constexpr std::size_t kMostShadowBytes = std::size_t(2) << 30;
  static constexpr std::size_t kMostSampledBytes = std::size_t(256) << 20;  // in a sampled launch

  // `of` of them share the room for notes.
  explicit GlobalShadow(const Memory& memory, u32 of = 1)
      : memories_{&memory}, most_(kMostShadowBytes / of) {}
  void add(u32 gpu, const Memory& memory) { memories_[gpu] = &memory; }

  // From now on cells hold at most `bytes` bytes.
  void launch_begin(u32 bytes, bool is_sampled) {
    is_sampled_ = is_sampled;
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
    bytes_ = 0;
  }

  // The shadow of the memory that holds `address`, with a line there. Null when there is no room for it: what kernels
  // have touched of live allocations has kMostShadowBytes already.
  Shadow* find(u64 address) {
    Shadow* const s = shadow_of(address);
    return s && s->chunks && (s->chunk(address) || add_chunk(*s, address)) ? s : nullptr;
  }
  // The same, with cells there.
  Shadow* find_cells(u64 address) {
    Shadow* const s = find(address);
    return s && (s->line(address).cells || add_cells(*s, address)) ? s : nullptr;
  }
  // Each cell of these bytes that is there, and its address.
  template <class F> void for_each_cell(u64 address, u64 bytes, F f) {
    Shadow* s = nullptr;
    for (auto& [key, shadow] : shadows_)
      if (shadow.holds(address)) s = &shadow;
    if (!s || !s->chunks) return;
    const u32 chunk_shift = s->shift + Shadow::kChunkShift, line_shift = s->shift + Line::kShift;
    const u64 cell = u64(1) << s->shift,
              end = std::min(address + bytes, s->allocation.base + s->allocation.size);
    for (u64 a = address & ~(cell - 1); a < end;) {
      const bool is_there = s->chunk(a);
      const u32 shift = is_there ? line_shift : chunk_shift;
      const u64 next = ((a >> shift) + 1) << shift;
      if (is_there && s->line(a).cells)
        for (u64 k = a; k < std::min(next, end); k += cell) f(s->at(k), k, *s);
      a = next;
    }
  }
  // The memory that holds an address, or null.
  const Allocation* allocation_of(u64 address) const {
    const Memory* const memory = memories_[1] ? memories_[Memory::gpu_of(address)] : memories_[0];
    return memory ? memory->find(address) : nullptr;
  }

  // Each line of memory that the launch has touched that is there, and its address.
  template <class F> void for_each_line(F f) const {
    for (const Shadow* s : used_) {
      if (!s->chunks) continue;
      const u32 shift = s->shift + Shadow::kChunkShift;
      for (u64 k = s->allocation.base >> shift; k <= (s->allocation.base + s->allocation.size - 1) >> shift;
           ++k)
        if (const Line* const lines = s->chunk(k << shift))
          for (u64 i = 0; i < Shadow::kLines; ++i) f(lines[i], (k << shift) + i * s->line_bytes(), *s);
    }
  }

 private:
  Shadow* shadow_of(u64 address) {
    if (last_ && last_->holds(address)) return last_;
    for (Shadow* s : used_)
      if (s->holds(address)) return last_ = s;
    const Allocation* const allocation = allocation_of(address);
    return allocation ? last_ = make(*allocation) : nullptr;
  }
  static u64 key_of(const Allocation& a) { return u64(Memory::gpu_of(a.base)) << 48 | a.serial; }
  Shadow* make(const Allocation& allocation) {
    Shadow& s = shadows_[key_of(allocation)];
    if (!s.chunks || s.shift > shift_) {
      give_back(s);
      s.allocation = allocation;
      s.shift = shift_;
      const u32 chunk = s.shift + Shadow::kChunkShift;
      s.chunks = Shadow::zeros<Line*>(((allocation.base + allocation.size - 1) >> chunk) -
                                      (allocation.base >> chunk) + 1);
    }
    used_.push_back(&s);
    return &s;
  }
  [[gnu::noinline]] bool add_chunk(Shadow& s, u64 address) {
    s.chunk(address) = add(s.lines, Shadow::kLines);
    return s.chunk(address);
  }
  [[gnu::noinline]] bool add_cells(Shadow& s, u64 address) {
    s.line(address).cells = add(s.cells, Line::kCells);
    return s.line(address).cells != nullptr;
  }
  template <class T> T* add(std::vector<Shadow::Zeros<T>>& to, std::size_t count) {
    if (is_sampled_ && bytes_ + count * sizeof(T) > kMostSampledBytes) return nullptr;
    if (bytes_ + count * sizeof(T) > most_) return tell_full();
    auto made = Shadow::zeros<T>(count);
    if (!made) return nullptr;
    bytes_ += count * sizeof(T);
    return to.emplace_back(std::move(made)).get();
  }
  std::nullptr_t tell_full() {
    if (most_ != kMostShadowBytes) throw NeedsSerialOrder();
    if (!told_)
      std::fprintf(
          stderr,
          "gpusim: race check: kernels have used more global memory than it can track (%zu MiB of records), so the "
          "rest is not checked: choose a smaller input\n",
          kMostShadowBytes >> 20);
    told_ = true;
    return nullptr;
  }
  void give_back(Shadow& s) {
    bytes_ -= s.lines.size() * Shadow::kLines * sizeof(Line) + s.cells.size() * Line::kCells * sizeof(Cell);
    s.lines.clear();
    s.cells.clear();
    s.chunks.reset();
  }

  std::array<const Memory*, Memory::kMostGpus> memories_ =
      {};                                    // by GPU; of the first only, where it is alone
  std::unordered_map<u64, Shadow> shadows_;  // by GPU and Allocation::serial
  std::vector<Shadow*> used_;                // in this launch
  Shadow* last_ = nullptr;
  std::size_t most_;
  std::size_t bytes_ = 0;  // of all lines and cells
  u32 shift_ = 2;
  bool told_ = false, is_sampled_ = false;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
