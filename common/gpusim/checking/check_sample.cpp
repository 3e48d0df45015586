#include "checking/check_sample.h"

#include "ptx/kernel_info.h"

namespace gpusim {
namespace {

std::string shape_of(const LaunchInfo& launch) {
  std::string shape = launch.kernel->name;
  for (const Dim3& d : {launch.grid, launch.block})
    for (const u32 n : {d.x, d.y, d.z}) shape += ' ' + std::to_string(n);
  return shape + ' ' + std::to_string(launch.dynamic_shared_bytes);
}

}  // namespace

// Half of what is left, so that later kernels get a share. 0 if only some blocks run: these may read what the missing blocks
// write.
u64 CheckSample::heard_instructions(const LaunchInfo& launch) {
  if (launch.blocks != launch.grid.count()) return 0;
  const u64 allowed = kAtFirst + unheard_ / kShareOfTheRest;
  const u64 part = heard_ < allowed ? (allowed - heard_) / 2 : 0;
  if (part < kFewest || findings_.errors() > 0) return 0;
  u32& launches = shapes_[shape_of(launch)];
  if (launches == kLaunchesOfShape) return 0;
  ++launches;
  return part;
}

void CheckSample::launch_ended(u64 heard, u64 executed) {
  heard_ += heard;
  unheard_ += executed - heard;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
