// Copies into shared memory that run on their own (cp.async), and the barriers in shared memory at which they arrive (mbarrier).
#pragma once

#include <optional>

#include "execution/memory_pipe.h"

namespace gpusim {

// Throws a Fault where a lane uses a barrier that was not initialised, or arrives too often.
class AsyncPipe {
 public:
  // All must outlive the pipe.
  AsyncPipe(MemoryPipe&, const LoadedModule&, const ObserverHub&, const FaultReporter&, SpinReads&);

  void copy(Warp&, Fragment&, const Instruction&, Mask);
  // cp.async.commit_group, .wait_group and .wait_all
  void group_copies(Warp&, const Fragment&, const Instruction&, Mask);
  // The copies of the lanes arrive, except those of the last `left` closed groups, and later ones.
  void wait_for_copies(Warp&, Mask, std::optional<u32> left);
  void mbarrier(Warp&, Fragment&, const Instruction&, Mask);

 private:
  class MbarrierRun;
  template <class Ends> bool end_copies(Warp&, bool waits, Ends);
  bool end_copies_for(Block&, u64 barrier);
  void end_arrivals(Warp&);
  void arrive_at_mbarrier(Warp&, u32 pc, u32 lane, u64 address, u64 count, bool drops);
  void tell_mbarrier(const Warp&, u32 pc, u32 lane, u64 address, MbarrierStep) const;

  MemoryPipe& pipe_;
  const LoadedModule& module_;
  const ObserverHub& hub_;
  const FaultReporter& faults_;
  SpinReads& spin_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
