// Which launches the checks look at where nobody has chosen any (GPUSIM_CHECK is not set).
//
// The first launches of each kernel in each shape, and of a long one the beginning. How much that may be is counted in warp
// instructions and not in time, so that a program is told the same each time it runs, on any computer: at first a fixed number, and more
// as the program does more work that nobody checks. After the first error nothing is looked at any more.
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
  // A checked warp instruction takes some 50 to 100 ns longer than one of the interpreter's, several times that where each lane has an
  // address of its own; so the first part takes a quarter of a second, or at most about one (`meson test --benchmark`).
  static constexpr u64 kAtFirst = u64(1) << 22;
  static constexpr u64 kShareOfTheRest = 128;   // one in so many of the instructions that are not checked
  static constexpr u64 kFewest = u64(1) << 12;  // of a launch: less is not worth the beginning
  static constexpr u32 kLaunchesOfShape = 2;    // the second one meets what the first has left

  const Findings& findings_;
  u64 heard_ = 0, unheard_ = 0;                  // warp instructions so far
  std::unordered_map<std::string, u32> shapes_;  // launches that were looked at
};

}  // namespace gpusim
