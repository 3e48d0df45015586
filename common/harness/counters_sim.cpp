// The counters of the simulated GPU, read from its reports; and its profiles and traces.
#include <gpusim/chosen_blocks.h>
#include <gpusim/counter_list.h>
#include <gpusim/proof.h>
#include <gpusim/report.h>
#include <gpusim/trace.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "harness/check.h"
#include "harness/counter_name.h"
#include "harness/counters.h"

namespace harness {
namespace {

// Reports of the launches that were counted, for profiles. (gpusim::reports() also holds launches that are
// not counted, such as those that prepare a kernel.)
std::vector<gpusim::Report>& counted_launches() {
  static std::vector<gpusim::Report> launches;
  return launches;
}

// The worst of what is proved of the launches from number `first` on.
Proved worst_of(const std::vector<gpusim::Report>& reports, std::size_t first) {
  const gpusim::Conclusion* worst = nullptr;
  for (std::size_t i = first; i < reports.size(); ++i) {
    const gpusim::Proof* proof = gpusim::proof_of(reports[i]);
    if (proof && (!worst || proof->compiled.verdict > worst->verdict)) worst = &proof->compiled;
  }
  if (!worst) return {};
  return {gpusim::name_of(worst->verdict), worst->place.file, worst->place.line, worst->reason,
          gpusim::to_text(*worst)};
}

}  // namespace

std::optional<Counters> count_launches(const std::function<void()>& launch, Proved* proved) {
  gpusim::enable_reports();
  // The reports of earlier launches stay, because a caller may still read them.
  const std::size_t earlier = gpusim::reports().size();
  if (proved) gpusim::prove_launches();
  launch();
  check_launch("counted kernel", HARNESS_WHERE);
  if (proved) {
    *proved = worst_of(gpusim::reports(), earlier);
    gpusim::prove_launches(false);
  }

  gpusim::Counters total;
  std::uint64_t blocks = 0;
  const auto& reports = gpusim::reports();
  for (std::size_t i = earlier; i < reports.size(); ++i) {
    total += reports[i].total;
    blocks += reports[i].blocks();
    counted_launches().push_back(reports[i]);
  }
  std::vector<Counter> list = {{"launches", static_cast<double>(reports.size() - earlier)},
                               {"blocks", static_cast<double>(blocks)}};
  for (const gpusim::CounterRow& row : gpusim::kCounters)
    if (row.is_in_json_of_programs()) list.push_back({counter_name(row), row.value(total)});
  return Counters(std::move(list));
}

void prepare_predictions() { gpusim::answer_for_machine(); }
void predict_profiled_launches() { gpusim::enable_predictions(); }

constexpr std::uint64_t kBlocksRun = 2048;  // blocks of a large grid that run; the others count as like them

std::optional<Predicted> predict_launches(const std::function<void()>& launch) {
  gpusim::enable_reports();
  gpusim::enable_predictions();
  gpusim::run_some_blocks(kBlocksRun);
  const std::size_t earlier = gpusim::reports().size();
  launch();
  check_launch("predicted kernel", HARNESS_WHERE);
  gpusim::run_some_blocks(0);
  gpusim::enable_predictions(false);

  Predicted all;
  double longest = 0;
  std::map<unsigned, double> milliseconds;  // for each GPU, because they work at the same time
  const auto& reports = gpusim::reports();
  for (std::size_t i = earlier; i < reports.size(); ++i) {
    const gpusim::Prediction& each = reports[i].prediction;
    const auto [own, is_first] = milliseconds.try_emplace(reports[i].gpu, 0);
    const double follows = is_first ? 0 : each.next_nanoseconds - each.launch_nanoseconds;
    own->second += (each.nanoseconds + follows) * 1e-6;
    all.milliseconds = std::max(all.milliseconds, own->second);
    all.machine = each.machine;
    all.compiler = reports[i].compiler;
    all.error = each.error;
    all.derived_from = each.derived_from;
    all.copy_gigabytes_per_second = each.copy_gigabytes_per_second;
    if (each.nanoseconds <= longest) continue;
    longest = each.nanoseconds;
    all.why = each.bottleneck;
    all.saving.clear();
    if (!each.savings.empty()) {
      all.saving = each.savings.front().cost;
      all.saved_part = each.savings.front().nanoseconds / each.nanoseconds;
    }
    for (const std::string& what : each.not_modelled) all.why += "; not modelled: " + what;
  }
  return all;
}

std::string profile_text(bool colour) {
  std::string text;
  for (const gpusim::Report& launch : counted_launches()) {
    const gpusim::Proof* proof = gpusim::proof_of(launch);
    text += "\n" + (proof ? gpusim::to_profile(launch, *proof, colour) : gpusim::to_profile(launch, colour));
  }
  return text;
}

std::string profile_json() {
  std::string json;
  for (const gpusim::Report& launch : counted_launches()) {
    const gpusim::Proof* proof = gpusim::proof_of(launch);
    json +=
        (json.empty() ? "[\n" : ",\n") + (proof ? gpusim::to_json(launch, *proof) : gpusim::to_json(launch));
  }
  return json.empty() ? "[]\n" : json + "]\n";
}

std::string trace_launches(const std::function<void()>& launch,
                           const std::function<void(const std::string&)>& at_end) {
  const gpusim::Trace trace;
  static std::function<void()> last_words;
  [[maybe_unused]] static const int registered = std::atexit([] {
    if (last_words) last_words();
  });
  if (at_end)
    last_words = [&] {
      const auto& launches = trace.launches();
      if (!launches.empty() && launches.back().is_by_schedule) at_end(trace.json());
    };
  launch();
  check_launch("traced kernel", HARNESS_WHERE);
  last_words = nullptr;
  return trace.json();
}

}  // namespace harness
// SPDX-License-Identifier: MIT
