// Words for what stops a kernel: where it happened, which thread did it, and why, as far as that is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "execution/device.h"
#include "execution/warp.h"

namespace gpusim {

struct LoadedModule;

// The functions that throw a Fault name its source line, the kernel, the thread, and the calls that led there.
class FaultReporter {
 public:
  // All must outlive the reporter. `peers`: null if there is one GPU.
  FaultReporter(const LoadedModule&, const LaunchInfo&, const Memory&, const Peers* peers);

  [[noreturn]] void fault(FaultCode, u32 pc, const Warp&, u32 lane, const std::string& what) const;
  // A lane may not access `count` bytes at an address: they are misaligned, or outside of every array.
  [[noreturn]] void fault_address(const Warp&, u32 pc, u32 lane, Space, AccessKind, u64 address,
                                  u32 count) const;
  // All threads of the block wait, and none of them can be released (deadlock.cpp).
  [[noreturn]] void fault_deadlock(const Block&) const;
  // No thread changes anything any more (waiting.cpp). `not_started`: blocks that wait for room on the GPU, which has room for
  // `at_a_time` blocks.
  [[noreturn]] void fault_endless(const Block&, u64 not_started, u64 at_a_time) const;
  // Whether a loop of the block reads, as a strong access (volatile, atomic …), memory that the host may write meanwhile.
  bool polls_host_memory(const Block&) const;
  // The launch has executed `budget` warp instructions, when `ended` of its blocks had ended.
  [[noreturn]] void out_of_budget(const Warp&, const Fragment&, u64 budget, u64 ended) const;
  // The process has used `seconds` of processor time, which is its limit (Settings::processor_seconds).
  [[noreturn]] void fault_late(const Block&, double seconds, u64 ended) const;

  // The source line at which a warp of the block is; empty if the block has ended.
  std::string place_of(const Block&) const;

 private:
  [[noreturn]] void stop(const Warp&, const Fragment&, const std::string& after, u64 ended,
                         const char* remedy) const;
  Fault fault_at(FaultCode, u32 pc, const Warp&, u32 lane, const std::string& what) const;
  std::string thread_name(const Warp&, u32 lane) const;
  std::vector<std::string> calls_of(const Warp&, u32 lane, u32 pc) const;
  const Fragment* running(const Block&, const Warp** warp = nullptr) const;
  std::optional<u32> jump_of_loop(const Fragment&) const;
  bool polls_host_memory(const Fragment&) const;
  std::string loop_name(const Fragment&) const;
  std::string shared_element(u32 address, u32 count) const;
  std::string no_peer_access(AccessKind, u64 address, u32 count) const;
  const Memory& memory_of(u64 address) const;
  std::string named_fault(const Warp&, u32 pc, u32 lane, AccessKind, u64 address, u32 count,
                          std::string* hint) const;
  std::string where_in_global(AccessKind, u64 address, const std::string& hint) const;

  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const Memory& memory_;
  const Peers* peers_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
