// Which bytes of a piece of memory have been written: a bit for each, and how many have not.
#pragma once

#include <algorithm>
#include <vector>

#include "base.h"

namespace gpusim {

class WrittenBits {
 public:
  void reset(std::size_t bytes) {
    bits_.assign((bytes + 63) / 64, 0);
    size_ = missing_ = bytes;
  }
  bool is_complete() const { return missing_ == 0; }

  // For accesses of 1 to 16 bytes, aligned: they lie in one word of bits.
  bool has(u64 at, u32 bytes) const {
    const u64 wanted = bits_of(at, bytes);
    return (bits_[at / 64] & wanted) == wanted;
  }
  void add(u64 at, u32 bytes) {
    u64& word = bits_[at / 64];
    const u64 fresh = bits_of(at, bytes) & ~word;
    if (fresh == 0) return;
    word |= fresh;
    missing_ -= u64(__builtin_popcountll(fresh));
  }

  // Any range; what lies outside is left out.
  void add_range(u64 at, u64 bytes) {
    const u64 end = std::min(at + bytes, size_);
    while (at < end) {
      const u64 stop = std::min((at / 64 + 1) * 64, end);
      u64& word = bits_[at / 64];
      const u64 fresh = bits_of(at, u32(stop - at)) & ~word;
      word |= fresh;
      missing_ -= u64(__builtin_popcountll(fresh));
      at = stop;
    }
  }

 private:
  static u64 bits_of(u64 at, u32 bytes) { return (bytes == 64 ? ~u64(0) : (u64(1) << bytes) - 1) << (at % 64); }

  std::vector<u64> bits_;
  u64 size_ = 0, missing_ = 0;
};

}  // namespace gpusim
