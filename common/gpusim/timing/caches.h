// Which sectors of an access are in the caches. The caches are empty when a launch begins, because the tutorial's harness and ncu empty
// them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/base.h"

namespace gpusim::timing {

inline constexpr u32 kLineShift = 7, kSectorsInLine = 4;

// The 128-byte lines that a warp's access touches, and the 32-byte sectors of each.
struct TouchedLine {
  u64 line = 0;
  u8 sectors = 0;  // bit k: sector k
  u32 words = 0;   // bit k: word k of the line is touched, at least in part
};
struct TouchedLines {
  TouchedLine at[64];
  u32 count = 0;

  TouchedLines(const u64* address, Mask mask, u32 bytes) {
    for (; mask != 0; mask &= mask - 1) {
      const u64 a = address[__builtin_ctz(mask)];
      const u64 line = a >> kLineShift;
      const u8 sector = u8(1u << (a >> 5 & 3));  // an aligned access of at most 16 bytes lies in one sector
      const u32 words = ((1u << (bytes + 3) / 4) - 1) << (a >> 2 & 31);
      u32 k = count > 0 && at[count - 1].line == line ? count - 1 : 0;
      while (k < count && at[k].line != line) ++k;
      if (k == count) at[count++] = {line, 0, 0};
      at[k].sectors |= sector;
      at[k].words |= words;
    }
  }
};

// What a warp has asked of the L2 cache so far.
struct CachedWarp {
  u64 filled = 0;      // lines that its accesses have brought into the cache
  u64 at_barrier = 0;  // `filled` at its last barrier
  u32 barriers = 0;
  u32 accesses = 0;                    // to global memory, so far
  u32 stored_at = 0;                   // `accesses` after its last store of which all lanes had one address
  u64 stored_word = 0;                 // and that address's word
  std::unordered_map<u64, u64> local;  // its lines of local memory: `filled` when it used each last
};
inline constexpr u32 kLater = ~u32(0);
// Who asks: a warp of a block.
struct CacheUser {
  u64 block = 0;
  u32 warp = 0;
  std::vector<CachedWarp>* warps = nullptr;  // of the block
  u64 at_once = 1;                           // warps that run on the GPU at the same time
  // How many accesses the warp has made before this one, if its block is among the first that the GPU runs, all of which begin together;
  // else kLater.
  u32 turn = kLater;

  CachedWarp& self() const { return (*warps)[warp]; }
};

// The L2 cache of the whole GPU: sets of 16 lines with least-recently-used replacement. After many accesses of a launch, only one set of
// eight is simulated, and stands for all.
//
// Blocks run here one after another, and on a GPU thousands of warps run at once. Between two uses of a line by one warp, the others
// bring in lines as that warp does: then the line has gone if all of theirs together are more than the cache holds. The same holds for
// two warps of a block with a barrier between their uses. (Measured: tests/gpusim/fidelity/outside/reuse.cu.)
class L2Cache {
 public:
  // The sectors that an instruction was the last to write, counted when their line leaves the cache or the launch ends.
  struct Written {
    // filled: sectors that memory has to deliver for it, because some words of a pair are neither read nor written by blocks that
    // run together. Memory is asked for both sectors of the pair before another block could write the rest.
    u32 sectors = 0, filled = 0;
  };
  using Left = std::function<void(u32 pc, Written)>;

  void begin(double bytes) {
    const u32 sets = std::max(1u, u32(kUsed * bytes / (kWays << kLineShift)));
    if (sets != sets_) {
      sets_ = sets;
      lines_.assign(std::size_t(sets) * kWays, {});
      now_ = 0;
    }
    begin_ = ++now_;
    asked_ = 0;
    has_evicted_ = false;
  }
  bool knows(u64 line) const { return asked_ < kAskedForAll || set_of(line) % kOneOf == 0; }

  // Load: the sectors that must come from memory. Store: the sectors that nobody had written, so that memory must take them sometime.
  u8 use(const TouchedLine& touched, bool is_store, u32 pc, const CacheUser& user, const Left& left) {
    ++asked_;
    Line* const set = lines_.data() + std::size_t(set_of(touched.line)) * kWays;
    Line* found = nullptr;
    Line* oldest = set;
    for (Line* line = set; line != set + kWays && !found; ++line) {
      if (line->line == touched.line && line->used >= begin_) found = line;
      if (line->used < oldest->used) oldest = line;
    }
    CachedWarp& self = user.self();
    const bool is_here = found && !is_replaced(filled_since(*found, user), user.at_once);
    if (!is_here) {
      Line fresh;
      if (found) fresh.is_again = true, fresh.first = found->first, fresh.first_block = found->first_block;
      else has_evicted_ |= oldest->used >= begin_, fresh.is_again = has_evicted_, found = oldest;
      leave(*found, left);
      *found = fresh;
      found->line = touched.line;
      self.filled += asked_ < kAskedForAll ? 1 : kOneOf;
    }
    const bool is_by_another = !run_together(found->block, user);
    found->used = ++now_;
    found->block = user.block;
    found->warp = user.warp;
    found->filled = self.filled;
    found->barriers = self.barriers;
    if (is_store) {
      const u8 missing = u8(touched.sectors & ~found->dirty);
      if (is_by_another) found->shared |= u8(touched.sectors & found->dirty);
      found->dirty |= touched.sectors;
      found->present |= touched.sectors;
      found->words |= touched.words;
      found->pc = pc;
      return missing;
    }
    const u8 missing = u8(in_pairs(u8(touched.sectors & ~found->present)) & ~found->present);
    for (u32 pair = 0; pair < 2; ++pair)
      if ((touched.sectors & sectors_of(pair)) != 0 && user.turn < found->first[pair])
        found->first[pair] = user.turn, found->first_block[pair] = user.block;
    found->present |= u8(touched.sectors | missing);
    found->read |= u8(touched.sectors | missing);
    return missing;
  }
  // Whether the cache has lost what a warp used before it filled so many lines, while others did the same.
  bool is_replaced(u64 filled, u64 warps_at_once) const {
    return filled * warps_at_once > u64(sets_) * kWays;
  }
  void end(const Left& left) {
    for (Line& line : lines_) leave(line, left);
  }
  // Which of the blocks that start together asks first for a pair of sectors that memory delivers together, and after how many
  // accesses. Unknown if the line may have been in the cache before.
  struct First {
    u32 turn = kLater;
    u64 block = 0;
  };
  std::optional<First> first_to_read(u64 line, u32 pair) const {
    const Line* const set = lines_.data() + std::size_t(set_of(line)) * kWays;
    for (const Line* each = set; each != set + kWays; ++each)
      if (each->line == line && each->used >= begin_) {
        const bool may_be_again = each->is_again && has_evicted_;  // else all lines fit
        if (may_be_again || (each->read & sectors_of(pair)) == 0) return std::nullopt;
        return First{each->first[pair], each->first_block[pair]};
      }
    return std::nullopt;
  }
  static u8 sectors_of(u32 pair) { return u8(3u << 2 * pair); }
  // Memory delivers 64 bytes at a time: a sector comes with its neighbour.
  static u8 in_pairs(u8 sectors) { return u8(sectors | (sectors & 5) << 1 | (sectors & 10) >> 1); }

 private:
  static constexpr u32 kWays = 16, kOneOf = 8;
  // The part of its bytes that the cache of an H200 keeps of random words of 64 to 128 MiB, as their time tells: 40 of 50 MiB.
  static constexpr double kUsed = 0.8;
  static constexpr u64 kAskedForAll = u64(1) << 21;

  struct Line {
    u64 line = 0, used = 0;
    u64 block = 0,
        filled = 0;  // the last warp to use it; how many lines and barriers that warp had had by then
    u32 warp = 0, barriers = 0;
    u32 words = 0, pc = 0;  // written; by whom last
    u8 present = 0, dirty = 0, read = 0;
    u8 shared = 0;                                // sectors written by blocks that do not run together
    bool is_again = false;                        // may have been here before
    std::array<u32, 2> first = {kLater, kLater};  // by pair of sectors: First
    std::array<u64, 2> first_block{};
  };
  // Whether two blocks run together, so that one may at once complete a sector that the other has begun to write.
  static bool run_together(u64 block, const CacheUser& user) {
    const u64 apart = std::max(block, user.block) - std::min(block, user.block);
    return apart * user.warps->size() < user.at_once;
  }
  // Lines that the warp that used this one last, and then the one that asks, have filled since.
  static u64 filled_since(const Line& line, const CacheUser& user) {
    if (line.block != user.block) return 0;
    const CachedWarp& self = user.self();
    if (line.warp == user.warp) return self.filled - line.filled;
    if (line.barriers == self.barriers) return 0;  // on a GPU at about the same time
    const u64 at_barrier = std::max((*user.warps)[line.warp].at_barrier, line.filled);
    return at_barrier - line.filled + self.filled - self.at_barrier;
  }
  void leave(Line& line, const Left& left) {
    if (line.dirty == 0 || line.used < begin_) return;
    Written written;
    written.sectors = u32(std::popcount(line.dirty));
    u8 in_part = 0;
    for (u32 sector = 0; sector < kSectorsInLine; ++sector) {
      const bool is_filled = (line.words >> 8 * sector & 0xff) == 0xff && !(line.shared >> sector & 1);
      if (!is_filled && !(line.read >> sector & 1)) in_part |= u8(1u << sector);
    }
    written.filled = u32(std::popcount(in_pairs(u8(in_part & line.dirty))));
    line.dirty = 0;
    left(line.pc, written);
  }
  // Neighbouring lines lie in neighbouring sets. Strides that are powers of two must not fall into a few sets.
  u32 set_of(u64 line) const { return u32((line ^ line >> 13 ^ line >> 22) % sets_); }
  std::vector<Line> lines_;
  u32 sets_ = 0;
  u64 now_ = 0, begin_ = 0, asked_ = 0;
  bool has_evicted_ = false;
};

// The pages of memory that were accessed lately: they answer sooner.
class OpenPages {
 public:
  void begin() { page_.fill(~u64(0)); }
  static u64 page_of(u64 line) { return line >> kLinesShift; }
  // In how many pages these lines lie.
  static u32 count(const TouchedLines& lines) {
    u64 pages[2 * kWarpSize];
    u32 count = 0;
    for (u32 k = 0; k < lines.count; ++k) {
      const u64 page = page_of(lines.at[k].line);
      if (std::find(pages, pages + count, page) == pages + count) pages[count++] = page;
    }
    return count;
  }
  // Whether this line's page was not accessed lately.
  bool opens(u64 line) {
    const u64 page = page_of(line);
    if (std::find(page_.begin(), page_.end(), page) != page_.end()) return false;
    page_[next_++ % page_.size()] = page;
    return true;
  }

 private:
  static constexpr u32 kLinesShift = 4;  // 2 KiB
  std::array<u64, 64> page_{};
  std::size_t next_ = 0;
};

// One block's share of its multiprocessor's L1 cache.
class L1Share {
 public:
  void begin(u64 bytes) {
    room_ = std::max<u64>(bytes >> kLineShift, 1);
    present_.clear();
    order_.clear();
  }
  // These lines stay, and take no room from others.
  void keep(const TouchedLine& touched) { present_[touched.line] |= touched.sectors; }
  // The sectors that are not in the cache yet. They are afterwards.
  u8 miss(const TouchedLine& touched) {
    const auto [at, is_new] = present_.try_emplace(touched.line, u8(0));
    const u8 missing = u8(touched.sectors & ~at->second);
    at->second |= touched.sectors;
    if (is_new) {
      order_.push_back(touched.line);
      if (order_.size() > room_) {
        present_.erase(order_.front());
        order_.pop_front();
      }
    }
    return missing;
  }

 private:
  u64 room_ = 1;
  std::unordered_map<u64, u8> present_;
  std::deque<u64> order_;
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
