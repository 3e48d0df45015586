// Calls of device functions, of functions that the host computes (printf, malloc …), and kernels that kernels launch.
#pragma once

#include <string>
#include <vector>

#include "execution/frame_factory.h"
#include "execution/memory_pipe.h"

namespace gpusim {

struct ChildRequest;

class Calls {
 public:
  // All must outlive it.
  Calls(Memory&, MemoryPipe&, const LoadedModule&, const LaunchInfo&, FrameFactory&, const ObserverHub&,
        const FaultReporter&, SpinReads&);

  // The lanes of `mask` that call what its first lane calls.
  Mask same_callee(const Fragment&, const Instruction&, Mask mask) const;
  // Makes the fragment enter the function that the instruction calls. Throws NeedsSerialOrder if other blocks that run at the
  // same time (MemoryPipe::note_in) could notice the call. Returns false if the host has computed the call, so the fragment
  // continues after it.
  bool call(Warp&, Fragment&, const Instruction&);
  // The fragment returns to its caller.
  void leave_function(Warp&, Fragment&);

  // A kernel that this one has launched, to run when this one has ended.
  struct Child {
    const KernelInfo* kernel;
    LaunchConfig config;
    bool is_tail;  // runs after all others
    std::vector<u8> params;
  };
  // Returns the children in the order in which they run, and leaves none.
  std::vector<Child> take_children();

 private:
  const Function& called_by_address(const Warp&, const Fragment&, const Instruction&) const;
  void refuse_overflow(const Warp&, const Fragment&, const Function& callee, u64 local_bytes) const;
  void host_call(Warp&, Fragment&, const CallSite&, u32 number);
  // Empty, or why the launch is refused.
  std::string add_child(const ChildRequest&);

  Memory& memory_;
  MemoryPipe& pipe_;
  const LoadedModule& module_;
  const LaunchInfo& launch_;
  FrameFactory& frames_;
  const ObserverHub& hub_;
  const FaultReporter& faults_;
  SpinReads& spin_;
  std::vector<Child> children_;

  friend class LaneHostCall;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
