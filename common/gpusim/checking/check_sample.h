// Decides which launches the checks watch by default, when GPUSIM_CHECK is not set.
//
// They watch the first launches of each kernel in each shape, and only the beginning of a long launch. The budget is counted in warp
// instructions, not in time, so a program gets the same findings in every run and on every computer. It begins with a fixed
// number and grows with the instructions that run unchecked. After the first error checking ends.
#pragma once

#include <string>
#include <unordered_map>

#include "checking/findings.h"
#include "execution/launch_sampler.h"

namespace gpusim {

class CheckSample : public LaunchSampler {
 public:
  explicit CheckSample(const Findings& findings) : findings_(findings) {}

  u64 heard_instructions(const LaunchInfo&) override;
  void launch_ended(u64 heard, u64 executed) override;

 private:
  // A check adds 50 to 100 ns to a warp instruction of the interpreter, and several times that if each lane has its own address. So the
  // first part takes a quarter of a second, or about one at most (`meson test --benchmark`).
  static constexpr u64 kAtFirst = u64(1) << 22;
  static constexpr u64 kShareOfTheRest = 128;   // one checked instruction for this many unchecked ones
  static constexpr u64 kFewest = u64(1) << 12;  // of a launch: fewer are not worth setting up
  static constexpr u32 kLaunchesOfShape = 2;    // the second one reads what the first has written

  const Findings& findings_;
  u64 heard_ = 0, unheard_ = 0;                  // warp instructions so far
  std::unordered_map<std::string, u32> shapes_;  // how many launches were watched
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
