// A launch as it is known before it runs.
#pragma once

#include <memory>
#include <vector>

#include "base/api_call.h"
#include "base/base.h"

namespace gpusim {

struct Program;     // ptx/program.h: the decoded instructions of a module
struct KernelInfo;  // ptx/kernel_info.h

// A launch's place in the order that the program gives to its streams. Each stream numbers its work.
struct LaunchMoment {
  u32 stream = 0, tick = 0;      // the stream, and the launch's number in it
  std::vector<u32> comes_after;  // by stream: work up to this number ends before the launch begins
  std::vector<u32> waited_for;   // by stream: the same for all work that this GPU is given from now on
  // The last wait of the stream, if it was for an event that was never recorded.
  std::shared_ptr<const ApiCall> vain_wait;
  // The launch of a graph to whose work it belongs, or 0. Nodes that nothing orders are in different `stream`s here.
  u32 graph_launch = 0;

  bool is_of_same_graph(const LaunchMoment& other) const {
    return graph_launch != 0 && graph_launch == other.graph_launch;
  }
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
  u64 blocks = 0;  // that run: fewer than the grid has if the program chose some (gpusim/chosen_blocks.h)
  const u8* params = nullptr;  // laid out as KernelInfo::params says
  u32 gpu = 0;
  bool is_whole = true;      // all blocks and warps run (gpusim/chosen_blocks.h)
  bool is_sampled = false;   // checks hear of its first instructions only (execution/launch_sampler.h)
  bool is_recorded = false;  // what it does is kept for launches that repeat it (launch/replay.h)
  const LaunchMoment* moment =
      nullptr;  // null where launches follow one another: on one GPU, without streams
};

enum class AccessKind : u8 { load, store, atomic };

}  // namespace gpusim
// SPDX-License-Identifier: MIT
