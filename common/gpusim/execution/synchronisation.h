// What lanes and warps do together: shuffles, votes, matrices, and barriers of the block.
#pragma once

#include "execution/memory_pipe.h"

namespace gpusim {

// Tells the observers, and throws a Fault where a program names a barrier that does not exist.
class Synchronisation {
 public:
  // All must outlive it.
  Synchronisation(MemoryPipe&, const LoadedModule&, const LaunchInfo&, const ObserverHub&,
                  const FaultReporter&);

  // The lanes of `mask` that name the same member mask as its first lane.
  Mask same_members(const Fragment&, const Instruction&, Mask mask) const;
  // Fragment `index` of the warp comes to an instruction at which lanes meet. True: no lane has to wait, and the instruction is
  // done. False: the fragment waits for other lanes of its member mask.
  bool warp_sync(Warp&, std::size_t index, const Instruction&, Mask);
  // Executes an instruction for which all its members wait by now, if there is one.
  bool try_warp_sync(Warp&);

  void arrive_at_barrier(Warp&, Fragment&, const Instruction&, Mask);
  // Releases the barrier if all threads that it waits for have come, or have left.
  void check_barrier(Block&, u32 id);

 private:
  struct SyncLane {
    Frame* frame;
    const Instruction* in;
  };
  class Exchange;
  void release_barrier(Block&, u32 id);
  void shuffle_warp(Warp&, const Fragment&, const Instruction&, Mask members);
  // exchange.cpp: executes it for the lanes of `mask`. together: they all stand at the instruction and share a frame.
  void exchange(Warp&, u32 pc, const Instruction&, const SyncLane* lane, bool together, Mask mask,
                Mask members);

  MemoryPipe& pipe_;
  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const ObserverHub& hub_;
  const FaultReporter& faults_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
