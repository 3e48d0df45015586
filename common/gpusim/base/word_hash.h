// A hash of words and bytes, to tell states of one process apart. Not for data that outlives it.
#pragma once

#include <bit>
#include <cstring>

#include "base/base.h"

namespace gpusim {

// FNV's idea, on words: quick, and good enough for a table or a comparison.
struct WordHash {
  u64 value = 0xcbf29ce484222325u;
  void add(u64 word) { value = std::rotl(value ^ word, 29) * 0x9e3779b97f4a7c15u; }
  void add(const u8* bytes, std::size_t count) {
    for (; count >= sizeof(u64); bytes += sizeof(u64), count -= sizeof(u64)) {
      u64 word;
      std::memcpy(&word, bytes, sizeof word);
      add(word);
    }
    for (; count > 0; --count) add(*bytes++);
  }
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
