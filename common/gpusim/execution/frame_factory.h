// Makes the frames with which calls begin: constants, parameters and special registers in their places.
#pragma once

#include <vector>

#include "execution/device.h"
#include "execution/warp.h"

namespace gpusim {

struct LoadedModule;

class FrameFactory {
 public:
  // Module, launch and memory must outlive the factory.
  FrameFactory(const LoadedModule&, const LaunchInfo&, const Memory&, const Capacity&);

  // A frame for a call of the function by lanes of the warp, which owns it. Special registers are still to be filled.
  Frame* make_frame(Warp&, const Function&);
  // The frame with which the warp begins its kernel. Reuses that of the warp that had the place before, if there is one.
  Frame* kernel_frame(Warp&);
  // Fills special registers (%tid, %ctaid …) and the addresses of local variables.
  void fill_specials(Frame& frame, const Warp& w) const { fill_specials(frame, w, false); }

 private:
  const std::vector<FrameLine>& image(const Function&);
  // `again`: the same warp of another block had the frame, so only registers that differ between blocks are filled.
  void fill_specials(Frame&, const Warp&, bool again) const;

  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const Memory& memory_;
  const Capacity capacity_;
  std::vector<std::vector<FrameLine>> images_;  // by function: a frame as a call begins
  const std::vector<u32>& shared_offset_;       // by variable: in this kernel's shared memory
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
