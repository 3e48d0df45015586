// What checks share: a state for each block that is running, and findings that come again.
#pragma once

#include <algorithm>
#include <vector>

#include "checking/findings.h"

namespace gpusim {

// A State for each block between block_begin and block_end. Blocks of which several run take long turns, so that
// a look-up nearly always asks for the same block as the one before. States are reused, with the memory they
// hold: State::begin(launch) makes one new.
template <class State>
class ResidentBlocks {
 public:
  void clear() { count_ = 0; }

  void begin(const LaunchInfo& launch, u64 block) {
    if (count_ == slots_.size()) slots_.emplace_back();
    slots_[count_].block = block;
    slots_[count_].state.begin(launch);
    latest_ = count_++;
  }
  void end(u64 block) {
    State* state = find(block);
    if (!state) return;
    std::swap(slots_[latest_], slots_[--count_]);
    latest_ = 0;
  }
  template <class Condition> void end_if(Condition condition) {
    for (std::size_t k = count_; k-- > 0;)
      if (condition(slots_[k].block)) std::swap(slots_[k], slots_[--count_]);
    latest_ = 0;
  }
  // Null for a block that is not running.
  State* find(u64 block) {
    if (latest_ < count_ && slots_[latest_].block == block) [[likely]]
      return &slots_[latest_].state;
    return find_another(block);
  }

 private:
  [[gnu::noinline]] State* find_another(u64 block) {
    for (latest_ = 0; latest_ < count_; ++latest_)
      if (slots_[latest_].block == block) return &slots_[latest_].state;
    return nullptr;
  }

  struct Slot {
    u64 block = 0;
    State state;
  };
  std::vector<Slot> slots_;
  std::size_t count_ = 0, latest_ = 0;
};

// Reports at once what is met first; what comes again (a million times, in a loop) is counted and added at the
// end of the launch.
class RepeatedFindings {
 public:
  explicit RepeatedFindings(Findings& findings) : findings_(findings) {}

  // `kind`, `pc` and `other` tell findings apart; `make` is called for a new one only.
  template <class Make>
  void report(u32 kind, u32 pc, u32 other, Make make) {
    for (KnownClock& k : known_)
      if (k.kind == kind && k.pc == pc && k.other == other) {
        ++k.finding.count;
        return;
      }
    known_.push_back({kind, pc, other, make()});
    findings_.report(known_.back().finding);
    known_.back().finding.count = 0;
  }
  // The launch is over.
  void flush() {
    for (KnownClock& k : known_)
      if (k.finding.count) findings_.report(std::move(k.finding));
    known_.clear();
  }

 private:
  struct KnownClock {
    u32 kind, pc, other;
    Finding finding;
  };
  Findings& findings_;
  std::vector<KnownClock> known_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
