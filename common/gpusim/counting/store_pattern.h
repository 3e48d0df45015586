// Which thread should have written an element that no thread wrote. Found from the threads that wrote its neighbours, if thread k
// writes element a + b × k.
#pragma once

#include <algorithm>
#include <optional>

#include "base/base.h"

namespace gpusim {

// The stores that the threads of a launch, or of a block, have made by one instruction, as long as each thread stores one element and
// their distances are equal.
class StorePattern {
 public:
  explicit StorePattern(u32 pc) : pc_(pc) {}
  u32 pc() const { return pc_; }

  void add(u64 thread, u64 address) {
    if (!is_even_) return;
    ++count_;
    if (count_ == 1) {
      thread_ = thread, address_ = address;
    } else if (threads_ == 0) {
      threads_ = s64(thread - thread_), distance_ = s64(address - address_);
      is_even_ = threads_ != 0 && distance_ != 0;
    } else {
      is_even_ = s64(thread - thread_) * distance_ == s64(address - address_) * threads_;
    }
  }

  // `count` consecutive threads store elements that are `step` bytes apart.
  void add_row(u64 thread, u64 address, u64 step, u32 count) {
    add(thread, address);
    if (count == 1) return;
    add(thread + 1, address + step);
    count_ += count - 2;  // the others lie on the line through these two
  }

  // Adds what other threads have stored by the same instruction.
  void add(const StorePattern& other) {
    if (other.count_ == 0) return;
    add(other.thread_, other.address_);
    if (other.count_ > 1) add(other.thread_ + u64(other.threads_), other.address_ + u64(other.distance_));
    is_even_ = is_even_ && other.is_even_;
    count_ += other.count_ - std::min<u64>(other.count_, 2);
  }

  // The thread that the pattern assigns to the element at this address, if it is one of `threads`. It has not written the element.
  std::optional<u64> writer_of(u64 address, u64 threads) const {
    if (!is_even_ || count_ < kEnough) return {};
    const s64 scaled = s64(address - address_) * threads_;
    if (scaled % distance_ != 0) return {};
    const s64 thread = s64(thread_) + scaled / distance_;
    if (thread < 0 || u64(thread) >= threads) return {};
    return u64(thread);
  }
  // Whether the distances between the threads that wrote are multiples of this number.
  bool is_one_of(u64 threads) const { return threads_ % s64(threads) == 0; }

 private:
  static constexpr u64 kEnough = 3;  // stores; two always have "equal" distances
  u32 pc_;
  u64 count_ = 0;
  u64 thread_ = 0, address_ = 0;    // of the first
  s64 threads_ = 0, distance_ = 0;  // from the first to the second
  bool is_even_ = true;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
