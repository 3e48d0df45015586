#include "lane_checks.h"

#include <algorithm>
#include <cstdio>
#include <set>

#include "counts.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "simulated.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

constexpr int kLanes = 32;
constexpr int kSmallBlock = 64;         // two warps: values must not stray from one to the other
constexpr std::size_t kManySets = 300;  // of parameters
constexpr int kBlockSizes[] = {64, 32, 96, 1024, 64, 256};  // taken in turn, one a set of parameters

// Distinct values in no order, so that each tells where it comes from and no arithmetic can make it up. They use all 32
// bits: no float and no short can carry them.
std::vector<int> distinct_values(int count) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = static_cast<int>((1000u + i) * 0x9e3779b1u);  // odd: no two are alike
  harness::Random random(9);
  for (int i = count - 1; i > 0; --i) std::swap(values[i], values[random.below(i + 1)]);
  return values;
}

// "37", or "3.1": element 1 of thread 3.
std::string place(int i, int per_lane) {
  if (per_lane == 1) return std::to_string(i);
  return std::to_string(i / per_lane) + "." + std::to_string(i % per_lane);
}

// Where a value of the output was in the input; ? if nowhere.
std::string origin(int value, const std::vector<int>& input, int per_lane) {
  const auto found = std::ranges::find(input, value);
  return found == input.end() ? "?" : place(static_cast<int>(found - input.begin()), per_lane);
}

// "thread        0  1  2 …": who gets whose value around element `i`: in its warp or, where a lane has
// several elements, in its group of 8 lanes.
std::string map_around(const LaneKernel& kernel, int i, const std::vector<int>& input,
                       const std::vector<int>& output) {
  const int lanes = kernel.per_lane == 1 ? kLanes : 8, column = kernel.per_lane == 1 ? 3 : 5;
  const int first_thread = i / kernel.per_lane / lanes * lanes;
  std::string text;
  const auto row = [&](const std::string& title, const std::function<std::string(int thread)>& entry) {
    char shown[32];
    std::snprintf(shown, sizeof shown, "\n%-10s", title.c_str());
    text += shown;
    for (int thread = first_thread; thread < first_thread + lanes; ++thread) {
      std::snprintf(shown, sizeof shown, "%*s", column, entry(thread).c_str());
      text += shown;
    }
  };
  row("thread", [](int thread) { return std::to_string(thread); });
  for (int k = 0; k < kernel.per_lane; ++k) {
    const std::string which = kernel.per_lane == 1 ? "" : "[" + std::to_string(k) + "]";
    const auto index = [&](int thread) { return thread * kernel.per_lane + k; };
    row("gets" + which, [&](int thread) { return origin(output[index(thread)], input, kernel.per_lane); });
    row("should" + which, [&](int thread) { return place(kernel.source(index(thread)), kernel.per_lane); });
  }
  return text;
}

// What `how` adds to the name: the schedule. `gap_open`: an earlier kernel of this name was found as shipped.
void check_one(const LaneKernel& kernel, int threads, Guards guards, const std::string& how, bool& gap_open) {
  const int count = threads * kernel.per_lane;
  const std::string size = threads == kSmallBlock ? "" : ", " + std::to_string(threads) + " threads";
  const std::string what = kernel.name + size + how;
  const std::vector<int> input = distinct_values(count);
  DeviceBuffer<int> d_in(input, guards), d_out(count, guards);
  if (guards == Guards::zones) d_out.fill_poison();  // without zones a checker sees what was never written
  kernel.launch(d_in.data(), d_out.data(), threads);
  check_launch(what);

  const std::vector<int> output = d_out.download();
  int wrong = 0;
  while (wrong < count && output[wrong] == input[kernel.source(wrong)]) ++wrong;
  if (wrong < count) {
    const bool as_shipped = kernel.has_gap && output == input;
    if (as_shipped && gap_open) return;
    gap_open = gap_open || as_shipped;
    const std::string element = kernel.per_lane == 1 ? "thread " : "element ";
    report(as_shipped ? Kind::as_shipped : Kind::wrong_result,
           what + ": " + element + place(wrong, kernel.per_lane) + " gets the value of " +
               origin(output[wrong], input, kernel.per_lane) + ", expected that of " +
               place(kernel.source(wrong), kernel.per_lane) + map_around(kernel, wrong, input, output));
    return;
  }
  std::string message;
  if (!d_out.guards_intact(&message)) report(Kind::wrong_result, what + ": output: " + message);
  if (d_in.download() != input) report(Kind::wrong_result, what + ": the input has changed");
}

// The name without its parameters.
std::string stem_of(const LaneKernel& kernel) { return kernel.name.substr(0, kernel.name.find(',')); }

}  // namespace

void check_lanes(const std::vector<LaneKernel>& kernels) {
  std::set<std::string> gaps;
  const auto check_all = [&](Guards guards, const std::string& how, std::size_t step = 1) {
    for (std::size_t k = 0, turn = 0; k < kernels.size(); k += step) {
      const LaneKernel& kernel = kernels[k];
      bool gap_open = gaps.contains(stem_of(kernel));
      check_one(kernel, kBlockSizes[turn++ % std::size(kBlockSizes)], guards, how, gap_open);
      if (gap_open) gaps.insert(stem_of(kernel));
    }
  };
  check_all(Guards::none, "");
  check_all(Guards::zones, "");
  // What depends on the order of lanes does not depend on each of 139 offsets.
  const std::size_t step = 1 + kernels.size() / kManySets;
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    check_all(Guards::zones, " in schedule " + schedule, step);
  }
}

void check_lane_counts(const LaneKernel& kernel, int shuffles) {
  const int count = kSmallBlock * kernel.per_lane;
  DeviceBuffer<int> d_in(distinct_values(count)), d_out(count);
  const double in_block = shuffles * (kSmallBlock / kLanes);
  check_counts(kernel.name, 1, [&] { kernel.launch(d_in.data(), d_out.data(), kSmallBlock); },
               {Count::shared_store_requests <= 0, Count::local_requests <= 0, Count::shuffles >= in_block,
                Count::shuffles <= in_block});
}

}  // namespace judge
// SPDX-License-Identifier: MIT
