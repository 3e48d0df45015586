// What a report says of the time that a launch would take.
#include "gpusim/report.h"
#include "reports/text.h"

namespace gpusim {
namespace {

// "± 25 %"
std::string error_of(const Prediction& p) {
  std::string text;
  if (p.error > 0) append(text, "± %.0f %%", 100 * p.error);
  else text = "(by how much it is off is not known)";
  return text;
}

}  // namespace

// "  predicted time        0.1460 ms ± 25 % on an NVIDIA H200, 0.0030 of them the launch: computed from the PTX of clang 14, not
// measured"
void append_prediction(std::string& out, const Report& report) {
  const Prediction& p = report.prediction;
  const std::string from = report.compiler.empty() ? "" : " from the PTX of " + report.compiler;
  if (p.machine.empty()) return;
  if (p.nanoseconds > 0) {
    append(out, "  %-17s %14.4f ms %s on an %s, %.4f of them the launch: computed%s, not measured\n",
           "predicted time", p.nanoseconds * 1e-6, error_of(p).c_str(), p.machine.c_str(),
           p.launch_nanoseconds * 1e-6, from.c_str());
    if (!p.derived_from.empty())
      append(out,
             "  %-17s this GPU has not been measured: its model is derived from that of %s. The error is\n"
             "  %-17s that of an H200 derived from an H100, and back; other GPUs may be further off\n",
             "derived model", p.derived_from.c_str(), "");
    append(out, "  %-17s %14.1f GB/s, predicted as the time is\n", "memory traffic",
           p.memory_bytes / p.nanoseconds);
  }
  if (!p.bottleneck.empty()) out += "  what decides it   " + p.bottleneck + '\n';
  const char* label = "could be saved";
  for (const Saving& saving : p.savings) {
    append(out, "  %-17s %14.4f ms, %.0f %%: %s\n", label, saving.nanoseconds * 1e-6,
           100 * saving.nanoseconds / p.nanoseconds, saving.cost.c_str());
    label = "";
  }
  if (p.savings.empty() && p.nanoseconds > 0)
    append(out, "  %-17s %s\n", label,
           p.is_at_limit ? "nothing: this is the limit" : "no single cost makes up 5 % of the time");
  if (p.blocks_per_multiprocessor > 0)
    append(out, "  %-17s %14u blocks on a multiprocessor, limited by %s; about %u registers a thread\n",
           "room for", p.blocks_per_multiprocessor, p.limit.c_str(), p.registers);
  for (const std::string& what : p.not_modelled) out += "  not modelled      " + what + '\n';
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
