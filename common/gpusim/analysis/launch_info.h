// What is known of a launch before it runs, and what an access of it can be.
#pragma once

#include <vector>

#include "base/base.h"

namespace gpusim {

struct Program;     // ptx/program.h: the decoded instructions of a module
struct KernelInfo;  // ptx/kernel_info.h

// Where a launch stands in the program's own order of what it gives to streams. Each stream counts its work.
struct LaunchMoment {
  u32 stream = 0, tick = 0;      // its stream, and its number there
  std::vector<u32> comes_after;  // by stream: what it comes after, up to this number
  std::vector<u32> waited_for;   // of one GPU: the same for all that the program gives from now on

  bool is_after(const LaunchMoment& earlier) const {
    return earlier.stream < comes_after.size() && comes_after[earlier.stream] >= earlier.tick;
  }
};

struct LaunchInfo {
  const Program* program = nullptr;
  const KernelInfo* kernel = nullptr;
  Dim3 grid, block;
  u32 static_shared_bytes = 0, dynamic_shared_bytes = 0;
  u32 warps_per_block = 0;
  u64 number = 0;  // 1, 2, 3 … in order of launch
  u64 blocks = 0;  // that run: fewer than the grid has where some were chosen (gpusim/chosen_blocks.h)
  const u8* params = nullptr;  // as KernelInfo::params has them
  u32 gpu = 0;
  bool is_sampled = false;  // checks hear of its beginning only (execution/launch_sampler.h)
  const LaunchMoment* moment =
      nullptr;  // null where launches follow one another: on one GPU, without streams
};

enum class AccessKind : u8 { load, store, atomic };

}  // namespace gpusim
