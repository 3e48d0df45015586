// Chapter 04, experiment: which lanes meet in a bank, level by level, in chapter 03's tree and in this
// chapter's? Worked out from addresses, and compared with what the simulated GPU counts.
#include <kernels.cuh>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "bank_use.h"
#include "harness/counters.h"
#include "harness/harness.h"

namespace chapter_03 {  // has a kBlock of its own
#include "solutions/03_divergence/kernels.cuh"
}

namespace {

// "0 2 4 6 ...": the banks of the first lanes.
std::string first_banks(const Access& access, std::size_t most = 8) {
  std::string text;
  for (std::size_t lane = 0; lane < std::min(most, access.size()); ++lane)
    text += std::to_string(access[lane] % kBanks) + " ";
  return access.size() > most ? text + "..." : text;
}

// `launch` runs one full block of the kernel. Returns false if the simulated GPU counts other conflicts than
// the addresses predict.
template <typename Launch>
bool show(const char* kernel, const char* adds, const std::vector<Level>& levels, const Launch& launch) {
  std::printf("%s: thread t adds %s\n", kernel, adds);
  std::printf("                        %20s  %s\n", "conflicts", "warp 0:");
  std::printf("  step  distance  warps  %9s%9s    lanes  passes  %-25s%s\n", "loads", "stores", "banks",
              "lanes in lane 0's bank");
  for (const Level& level : levels) {
    const Access sums = level.access(0, 0);  // of warp 0; any other working warps use the same banks
    std::printf("  %4d%10d%7d%11d%9d%9zu%8d  %-25s%s\n", level.step, level.distance, level.warps(),
                level.load_conflicts(), level.store_conflicts(), sums.size(), wavefronts(sums),
                first_banks(sums).c_str(), lanes_that_meet_lane_0(sums).c_str());
  }
  const Conflicts expected = conflicts_of(levels);
  std::printf("  a block: %d conflicts of loads, %d of stores; ", expected.loads, expected.stores);

  const auto counters = harness::count_launches(launch);
  if (!counters) {
    std::printf("not counted on a GPU (ask ncu)\n\n");
    return true;
  }
  const auto counted = [&](const char* name) { return static_cast<int>(counters->at(name)); };
  const int loads = counted("shared_load_bank_conflicts"), stores = counted("shared_store_bank_conflicts");
  std::printf("counted: %d and %d\n\n", loads, stores);
  return loads == expected.loads && stores == expected.stores;
}

}  // namespace

int main(int argc, char** argv) {
  harness::parse_no_options(argc, argv, "04_bank_conflicts.banks", "shows which lanes meet in which bank");
  const harness::DeviceBuffer<float> d_in(harness::uniform_floats(kBlock, 1));
  harness::DeviceBuffer<float> d_sum(1);

  const bool as_counted =
      show("sum_strided", "tile[step * t + distance] to tile[step * t]", strided_levels(kBlock),
           [&] { chapter_03::sum_strided<<<1, kBlock>>>(d_in.data(), d_sum.data(), kBlock); }) &
      show("sum_sequential", "tile[t + distance] to tile[t]", sequential_levels(kBlock),
           [&] { sum_sequential<<<1, kBlock>>>(d_in.data(), d_sum.data(), kBlock); });
  CUDA_CHECK_LAUNCH();
  if (as_counted) return 0;
  std::fprintf(stderr,
               "04_bank_conflicts.banks: the addresses do not explain the conflicts that were "
               "counted: bank_use.h says how the solved kernels index; do they still?\n");
  return harness::kExitFailed;
}
// SPDX-License-Identifier: MIT
