#include "timing/predictor.h"

#include <map>
#include <string_view>
#include <utility>

namespace gpusim::timing {

void Predictor::launch_end(const LaunchInfo& launch, bool completed) {
  program_ = launch.program;
  prediction_ = completed ? predict(machine_, recorder_.take()) : Prediction{};
}

void Predictor::complete(gpusim::Report& report) const {
  const Prediction& p = prediction_;
  if (p.machine.empty()) return;
  report.prediction = {p.machine,
                       p.nanoseconds,
                       p.launch_nanoseconds,
                       machine_.derived.next_launch,
                       machine_.derived.copy,
                       machine_.error(p.nanoseconds),
                       p.memory_bytes,
                       p.occupancy.blocks,
                       p.occupancy.registers,
                       p.occupancy.limit,
                       p.bottleneck,
                       p.savings,
                       p.is_at_limit,
                       p.not_modelled,
                       machine_.base()};
  std::map<std::pair<std::string_view, u32>, double> share;
  for (u32 pc = 0; pc < p.share.size(); ++pc) {
    const SourceLine& source = program_->lines[pc];
    share[{source.line == 0 ? std::string_view() : program_->files[source.file], source.line}] += p.share[pc];
  }
  for (LineReport& line : report.lines)
    if (const auto found = share.find({line.file, u32(line.line)}); found != share.end())
      line.time_share = found->second;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
