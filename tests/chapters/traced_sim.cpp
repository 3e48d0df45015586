// What the judge asks of a trace: what one block did, step by step.
#include <gpusim/trace.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "counts.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "quoted_line.h"

namespace judge {
namespace {

std::string place_of(const gpusim::LaunchTrace& launch, const gpusim::TraceStep& step) {
  return step.file < 0 ? "at a line that is not known" : quoted_line(launch.files[step.file], step.line);
}

}  // namespace

std::string writes_to(const void* d_array, std::size_t bytes, std::uint64_t block,
                      const std::function<void()>& launch) {
  const gpusim::Trace trace({.block = block});
  launch();
  if (trace.launches().empty()) return "";
  const gpusim::LaunchTrace& last = trace.launches().back();
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(d_array);
  for (const gpusim::TraceStep& step : last.steps) {
    if (step.kind != gpusim::StepKind::store && step.kind != gpusim::StepKind::atomic) continue;
    if (step.space != "global" ||
        std::ranges::none_of(step.addresses, [&](auto a) { return a - first < bytes; }))
      continue;
    return place_of(last, step);
  }
  return "";
}

bool check_levels_written_out(const SumKernel& kernel) {
  if (is_as_shipped(kernel.name)) return leave_out(kernel.name), true;
  harness::DeviceBuffer<float> d_in(harness::uniform_floats(kernel.per_sum, 2)), d_sums(1);
  const gpusim::Trace trace;
  kernel.launch(d_in.data(), d_sums.data(), kernel.per_sum);
  check_launch(kernel.name + std::string(", traced"));
  const gpusim::LaunchTrace& launch = trace.launches().back();

  struct Met {  // a branch, by a warp
    std::uint32_t lanes = 0;
    int waits = 0;  // of the warp, before it
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Met> met;
  std::map<std::uint32_t, int> waits;
  for (const gpusim::TraceStep& step : launch.steps) {
    using enum gpusim::StepKind;
    if (step.kind == barrier || step.kind == warp_sync || step.kind == shuffle) ++waits[step.warp];
    if (!step.is_conditional) continue;
    Met& before = met[{step.warp, step.pc}];
    if ((before.lanes & step.mask) != 0 && waits[step.warp] > before.waits) {
      report({Kind::unimproved,
              "its warps go round a loop over the levels, and ask each time whether there is another (this "
              "chapter asks for levels that are written out): " +
                  std::string(kernel.name) + "\n" + place_of(launch, step),
              "", kernel.name});
      return false;
    }
    before = {before.lanes | step.mask, waits[step.warp]};
  }
  return true;
}

}  // namespace judge
