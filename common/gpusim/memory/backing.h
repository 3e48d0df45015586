// Where the contents of an allocation live in this process. A large one costs memory only where it is touched, so a
// kernel can have an array of 2^30 elements of which it uses a few.
#pragma once

#include "base/base.h"

namespace gpusim {

class Backing {
 public:
  static constexpr u8 kLarge = 0x6b, kNan = 0xff, kZero = 0;      // gpusim/fresh_memory.h
  static constexpr std::size_t kLazyFrom = std::size_t(8) << 20;  // bytes; smaller ones are written at once

  Backing() = default;
  // All bytes begin as `fresh`.
  Backing(std::size_t size, u8 fresh);
  ~Backing();
  Backing(Backing&& other) noexcept { swap(other); }
  Backing& operator=(Backing&& other) noexcept { return swap(other), *this; }

  u8* bytes() const { return bytes_; }  // null if there is not enough memory

  // Like memset, within bytes(). If many whole pages of a lazy backing become zeros, or the value of fresh memory, they are given
  // back to the system instead of written.
  void fill(u8* first, std::size_t count, u8 value);

 private:
  void swap(Backing& other) noexcept;

  u8* bytes_ = nullptr;
  std::size_t mapped_ = 0;  // bytes; 0: from the heap
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
