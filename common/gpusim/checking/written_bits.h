// Which bytes of a piece of memory have been written: a bit for each, and how many have not.
//
// A struct may have gaps, which nothing writes but copies read. A byte is in a gap if it shares a *unit* with a byte that has
// been written. A unit is as large as the largest element stored here, and aligned.
//
// The bits lie in chunks that come when the first byte of them is written, and whole chunks that the host writes need
// none: an array of 4 GiB of which a kernel uses a few elements costs a few chunks.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/base.h"

namespace gpusim {

class WrittenBits {
 public:
  void reset(std::size_t bytes) {
    const std::size_t chunks = (bytes + kChunkBytes - 1) / kChunkBytes;
    chunks_.resize(chunks);
    for (u64 left = bytes; Chunk & chunk : chunks_) {
      chunk.missing = u32(std::min(left, kChunkBytes));
      left -= chunk.missing;
      if (chunk.bits) std::fill_n(chunk.bits.get(), (chunk.missing + 63) / 64, 0);
    }
    size_ = missing_ = bytes;
    unit_ = 1;
  }
  bool is_complete() const { return missing_ == 0; }

  // For accesses of 1 to 16 bytes, aligned: they lie in one word of bits.
  bool has(u64 at, u32 bytes) const { return missing(at, bytes) == 0; }
  // A bit for each of them that has not been written.
  u64 missing(u64 at, u32 bytes) const {
    const Chunk& chunk = chunks_[at / kChunkBytes];
    if (chunk.missing == 0) return 0;
    const u64 wanted = bits_of(at, bytes);
    return chunk.bits ? wanted & ~chunk.bits[at % kChunkBytes / 64] : wanted;
  }
  void add(u64 at, u32 bytes) {
    add_word(chunks_[at / kChunkBytes], at % kChunkBytes / 64, bits_of(at, bytes));
  }

  // To be called for each store, with the size of its elements.
  void note_element(u32 bytes) { unit_ = std::max(unit_, bytes); }
  // Of those that missing() tells, which are in no gap. `before`: what was written earlier, of the same piece of memory, or null.
  u64 missing_beside_gaps(u64 at, u32 bytes, const WrittenBits* before) const {
    const u64 word = at / 64 * 64;
    const u64 all = missing(word, 64) & (before ? before->missing(word, 64) : ~u64(0));
    return in_whole_units(all, before ? std::max(unit_, before->unit_) : unit_) & bits_of(at, bytes);
  }

  // What has been written there, of a piece of memory of the same size, was written here.
  void add(const WrittenBits& other) {
    note_element(other.unit_);
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      const Chunk& from = other.chunks_[c];
      if (from.missing == 0) add_range(c * kChunkBytes, kChunkBytes);
      if (from.missing == 0 || !from.bits) continue;
      for (u64 word = 0; word < kChunkBytes / 64; ++word)
        if (const u64 bits = from.bits[word]) add_word(chunks_[c], word, bits);
    }
  }

  // Of a range that lies inside.
  bool has_range(u64 at, u64 bytes) const {
    for (const u64 end = at + bytes; at < end;) {
      const u64 stop = std::min((at / 64 + 1) * 64, end);
      if (!has(at, u32(stop - at))) return false;
      at = stop;
    }
    return true;
  }

  // How many bytes of a range are unwritten, and the first of them. Leaves out gaps, and bytes beyond the end.
  u64 count_missing(u64 at, u64 bytes, u64* first) const {
    const u64 end = at < size_ && bytes < size_ - at ? at + bytes : size_;
    u64 count = 0;
    while (at < end) {
      const Chunk& chunk = chunks_[at / kChunkBytes];
      const u64 stop = std::min((at / kUnit + 1) * kUnit, end);
      const u64 chunk_end = std::min((at / kChunkBytes + 1) * kChunkBytes, end);
      if (chunk.missing == 0) {
        at = chunk_end;
        continue;
      }
      const u64 wanted = missing_beside_gaps(at, u32(stop - at), nullptr);
      if (wanted && count == 0) *first = at / kUnit * kUnit + u64(__builtin_ctzll(wanted));
      count += u64(__builtin_popcountll(wanted));
      at = stop;
    }
    return count;
  }

  // Any range; what lies outside is left out.
  void add_range(u64 at, u64 bytes) {
    const u64 end = at < size_ && bytes < size_ - at ? at + bytes : size_;
    while (at < end) {
      const u64 chunk_end = std::min((at / kChunkBytes + 1) * kChunkBytes, size_);
      if (at % kChunkBytes == 0 && chunk_end <= end) {
        Chunk& chunk = chunks_[at / kChunkBytes];
        missing_ -= chunk.missing;
        chunk.missing = 0;
        at = chunk_end;
        continue;
      }
      const u64 stop = std::min((at / 64 + 1) * 64, end);
      add(at, u32(stop - at));
      at = stop;
    }
  }

 private:
  static constexpr u64 kChunkBytes = u64(1) << 15, kUnit = 64;  // bytes; of a word of bits

  struct Chunk {
    u32 missing = 0;              // bytes; once 0, the bits say nothing
    std::unique_ptr<u64[]> bits;  // null: none is set
  };

  void add_word(Chunk& chunk, u64 word, u64 bits) {
    if (chunk.missing == 0) return;
    if (!chunk.bits) chunk.bits = std::make_unique<u64[]>(kChunkBytes / 64);
    const u64 fresh = bits & ~chunk.bits[word];
    if (fresh == 0) return;
    chunk.bits[word] |= fresh;
    const u32 count = u32(__builtin_popcountll(fresh));
    chunk.missing -= count;
    missing_ -= count;
  }
  // The given bits that belong to aligned groups of `unit` bits which are all set.
  static u64 in_whole_units(u64 bits, u32 unit) {
    u64 first = bits;  // of each group, once all its bits have been joined
    for (u32 joined = 1; joined < unit; joined *= 2) first &= first >> joined;
    first &= ~u64(0) / ((u64(1) << unit) - 1);
    return first * ((u64(1) << unit) - 1);
  }
  static u64 bits_of(u64 at, u32 bytes) {
    return (bytes == 64 ? ~u64(0) : (u64(1) << bytes) - 1) << (at % 64);
  }

  std::vector<Chunk> chunks_;
  u64 size_ = 0, missing_ = 0;
  u32 unit_ = 1;  // 1, 2, 4, 8 or 16
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
