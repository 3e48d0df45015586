// Which bytes of pinned and managed memory a launch reads and writes. Until the program has waited for the launch, host code must
// leave them alone: the runtime watches for that (runtime/host_watch.h).
//
// Nothing is known of a launch that communicates with the host, by flags or atomics in such memory or by fences for the system.
// Then the host may rightly touch what the flag stands for.
#pragma once

#include <map>
#include <vector>

#include "checking/check_shards.h"

namespace gpusim {

class HostMemoryUse final : public Check<HostMemoryUse> {
 public:
  static constexpr u64 kPageBytes = 4096;
  static constexpr std::size_t kMostPages = 4096;  // of a launch: what it touches first

  HostMemoryUse(const Memory& memory, Findings& findings) : Check(findings), memory_(memory) {}

  Interests interests() const override { return {.accesses = is_there_any_, .meetings = is_there_any_}; }
  void launch_begin(const LaunchInfo&) override;
  void launch_unheard(const LaunchInfo&) override { forget(); }
  void access(const Access&) override;
  void fence(const Issue&) override;

  // Of the last launch that was heard of: whether stretches() has none.
  bool is_empty() const { return is_communicating_ || pages_.empty(); }
  struct Stretch {
    u64 begin, end;  // addresses
  };
  // Of the last launch, by address; empty if it was not heard of. `written`: what it wrote, else what it read only.
  std::vector<Stretch> stretches(bool written) const;

 private:
  struct Page {
    u64 read[kPageBytes / 64] = {}, written[kPageBytes / 64] = {};  // a bit for each byte
  };
  std::unique_ptr<HostMemoryUse> make_shard(u32, Findings& findings) override {
    return std::make_unique<HostMemoryUse>(memory_, findings);
  }
  void merge(const std::vector<HostMemoryUse*>&) override;
  bool is_of_host(u64 address);
  Page* page(u64 number);  // null: there are too many
  void note(u64 address, u32 bytes, AccessKind);
  void forget();

  const Memory& memory_;
  const Program* program_ = nullptr;  // of the launch
  bool is_there_any_ = false;         // such memory
  bool is_communicating_ = false;     // the launch, with the host
  u64 begin_ = 0, end_ = 0;           // of the allocation that was touched last …
  bool is_of_host_ = false;           // … and whether the host sees it
  std::map<u64, Page> pages_;         // by number
  Page* last_ = nullptr;              // the page that was touched last …
  u64 last_number_ = 0;               // … and its number
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
