#include "counts.h"

#include <gpusim/report.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "counted_once.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "large_grids.h"
#include "measurements.h"
#include "quoted_line.h"
#include "thresholds.h"

namespace judge {
namespace {

using gpusim::Counters;

constexpr int kBlocks = 4;  // full ones; every block counts the same
constexpr int kManyBlocks = 37;
constexpr std::size_t kLargeGrid = std::size_t(1) << 28;  // elements, of which chosen blocks get theirs
constexpr std::size_t kLinesShown = 3;                    // the worst

struct Row {
  Count count;
  const char* name;
  const char* sentence;  // completes "it …" in the verdict, # being the number
  std::function<double(const Counters&)> of;
  std::function<double(const Counters&)> among = {};  // of a mean: of / among. Else: of / blocks
};

const Row kRows[] = {
    {Count::global_load_requests, "global load requests", "reads global memory # times a block",
     [](auto& c) { return c.global.load.requests; }},
    {Count::global_load_sectors, "global load sectors", "reads # sectors of global memory a block",
     [](auto& c) { return c.global.load.sectors; }},
    {Count::global_store_requests, "global store requests", "writes global memory # times a block",
     [](auto& c) { return c.global.store.requests; }},
    {Count::global_store_sectors, "global store sectors", "writes # sectors of global memory a block",
     [](auto& c) { return c.global.store.sectors; }},
    {Count::global_atomics, "global atomics", "makes # atomic requests to global memory a block",
     [](auto& c) { return c.global.atomics; }},
    {Count::shared_load_requests, "shared load requests", "reads shared memory # times a block",
     [](auto& c) { return c.shared.load.requests; }},
    {Count::shared_store_requests, "shared store requests", "writes shared memory # times a block",
     [](auto& c) { return c.shared.store.requests; }},
    {Count::bank_conflicts, "bank conflicts", "has # bank conflicts a block",
     [](auto& c) { return c.shared.bank_conflicts(); }},
    {Count::local_requests, "local requests", "accesses local memory # times a block",
     [](auto& c) { return c.local.load.requests + c.local.store.requests; }},
    {Count::barriers, "waits at barriers", "makes warps wait at a barrier # times a block",
     [](auto& c) { return c.barriers; }},
    {Count::warp_syncs, "__syncwarp", "calls __syncwarp # times a block",
     [](auto& c) { return c.warp_syncs; }},
    {Count::shuffles, "shuffles", "shuffles # times a block", [](auto& c) { return c.shuffles; }},
    {Count::branches, "branches", "executes # conditional branches a block",
     [](auto& c) { return c.branches; }},
    {Count::divergent_branches, "divergent branches", "has # divergent branches a block",
     [](auto& c) { return c.divergent_branches; }},
    {Count::warp_instructions, "warp instructions", "issues # warp instructions a block",
     [](auto& c) { return c.warp_instructions; }},
    {Count::active_lanes, "active lanes", "keeps # of 32 lanes active",
     [](auto& c) { return c.thread_instructions; }, [](auto& c) { return c.warp_instructions; }},
    {Count::sectors_per_load_request, "sectors a load request", "reads # sectors of global memory a request",
     [](auto& c) { return c.global.load.sectors; }, [](auto& c) { return c.global.load.requests; }},
    {Count::loads_in_flight, "loads in flight", "waits for a load with # in flight",
     [](auto& c) { return c.global.loads_awaited; }, [](auto& c) { return c.global.load_waits; }},
};

const Row& row_of(Count count) { return *std::ranges::find(kRows, count, &Row::count); }

// A block's count, or the mean; 0 where there is nothing to take a mean of.
double value_of(const Row& row, const Counters& c, double blocks) {
  const double among = row.among ? row.among(c) : blocks;
  return among == 0 ? 0 : row.of(c) / among;
}

// By how much a source line moves the kernel beyond the limit. A block's count has no share for each line: there every
// line that counts is to blame for what it counts.
double blame(const Row& row, const Limit& limit, const Counters& line) {
  const double beyond = row.of(line) - (row.among ? limit.value * row.among(line) : 0);
  return limit.at_most ? beyond : -beyond;
}

// 95, 15,488, as the pages write them; or 63.5 when blocks differ.
std::string number(double value) {
  constexpr double kWholeFrom = 1000;  // no digit behind the point says anything more
  char text[32];
  if (value < kWholeFrom) {
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
  }
  std::snprintf(text, sizeof text, "%.0f", value);
  std::string digits = text;
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t place = text.find(what);
  return place == std::string::npos ? text : text.replace(place, what.size(), by);
}

// "kernels.cuh:24: 94 global load requests    in[i] += in[i + len];", a line each for the source lines to blame, worst first.
std::string responsible_lines(const gpusim::Report& report, const Row& row, const Limit& limit,
                              double blocks) {
  std::vector<const gpusim::LineReport*> lines;
  for (const gpusim::LineReport& line : report.lines)
    if (line.line > 0 && blame(row, limit, line.counters) > 0) lines.push_back(&line);
  std::ranges::stable_sort(lines, std::greater(),
                           [&](auto* line) { return blame(row, limit, line->counters); });
  if (lines.size() > kLinesShown) lines.resize(kLinesShown);
  std::string text;
  for (const gpusim::LineReport* line : lines)
    text += "\n" + quoted_line(line->file, line->line,
                               number(value_of(row, line->counters, blocks)) + " " + row.name);
  return text;
}

// The limits for `blocks` blocks, the last of which may lack elements. It has less to do, so what is asked of the others
// holds. But where the input ends, once for the whole launch, a warp splits as a lane asks whether it has an element, and
// who loads four elements at once loads up to three by themselves. And lanes without an element are not active: a mean
// says nothing there.
std::vector<Limit> where_the_input_ends(const std::vector<Limit>& limits, int blocks) {
  std::vector<Limit> asked;
  for (Limit limit : limits) {
    if (row_of(limit.count).among || !limit.at_most) continue;
    if (limit.count == Count::divergent_branches) limit.value += 1.0 / blocks;
    if (limit.count == Count::global_load_requests || limit.count == Count::global_load_sectors)
      limit.value += 3.0 / blocks;
    asked.push_back(limit);
  }
  return asked;
}

// An atomic writes, and it reads: whoever loads or stores by atomics does not do so less often. As many as there may be
// stores count as these only, `stores` to global memory and `shared_stores`: a result may be left by an atomic.
void count_as_load_and_store(Counters& c, double stores, double shared_stores) {
  const auto beyond = [](std::uint64_t atomics, double as_stores) {
    return std::uint64_t(std::max(0.0, double(atomics) - as_stores));
  };
  c.global.store.requests += c.global.atomics;
  c.global.store.sectors += c.global.atomics;  // one each, or more
  c.global.load.requests += beyond(c.global.atomics, stores);
  c.global.load.sectors += beyond(c.global.atomics, stores);
  c.shared.store.requests += c.shared.atomics;
  c.shared.load.requests += beyond(c.shared.atomics, shared_stores);
}

// Where a limit on atomics stands among the limits, that is the one for them.
void count_atomics_as_others(gpusim::Report& report, double blocks, const std::vector<Limit>& limits) {
  const auto allowed = [&](Count count) {
    const auto limit = std::ranges::find(limits, count, &Limit::count);
    return limit == limits.end() ? 0.0 : limit->value * blocks;
  };
  if (std::ranges::find(limits, Count::global_atomics, &Limit::count) != limits.end()) return;
  count_as_load_and_store(report.total, allowed(Count::global_store_requests),
                          allowed(Count::shared_store_requests));
  for (gpusim::LineReport& line : report.lines) count_as_load_and_store(line.counters, 0, 0);
}

// Takes away what threads do to the words by which they wait for each other.
void take_away_flags(gpusim::Report& report, std::uint64_t blocks_run, const std::function<void()>& launch) {
  const auto take = [](std::uint64_t& count, double flags) {
    count -= std::min(count, std::uint64_t(flags));
  };
  const auto take_from = [&](Counters& c, const FlagTraffic& flags, double blocks) {
    take(flags.is_shared ? c.shared.load.requests : c.global.load.requests, flags.loads * blocks);
    take(flags.is_shared ? c.shared.store.requests : c.global.store.requests, flags.stores * blocks);
    take(flags.is_shared ? c.shared.atomics : c.global.atomics, flags.atomics * blocks);
  };
  const std::uint64_t last = report.blocks() - 1;
  for (const std::uint64_t block : std::set<std::uint64_t>{0, last}) {
    const double like_it = block == last ? 1 : double(blocks_run - 1);  // all but the last are like the first
    for (const FlagTraffic& flags : flag_traffic(block, launch)) {
      take_from(report.total, flags, like_it);
      for (gpusim::LineReport& line : report.lines)
        if (line.line == flags.line && line.file == flags.file) take_from(line.counters, flags, like_it);
    }
  }
}

// What the last of the kernels that `launch` starts counts. If it starts none, the host has done the work: reports that.
std::optional<gpusim::Report> counted(const std::string& kernel, const std::function<void()>& launch) {
  gpusim::enable_reports();
  const std::size_t before = gpusim::reports().size();
  launch();
  check_launch(kernel + ", counted");
  const bool has_launched = gpusim::reports().size() > before;
  gpusim::enable_reports(false);
  if (has_launched) return gpusim::last_report();
  if (goal().empty())
    judge::report({Kind::unimproved, "it launches no kernel, so nothing is counted: " + kernel, "", kernel});
  return std::nullopt;
}

bool counts_accesses(const Limit& limit) {
  using enum Count;
  const auto all = {global_load_requests, global_store_requests, global_atomics, shared_load_requests,
                    shared_store_requests};
  return std::ranges::find(all, limit.count) != all.end();
}

// What a launch counted, with `blocks_run` blocks of its grid.
struct Counted {
  gpusim::Report report;
  std::uint64_t blocks_run;
  const std::function<void()>& launch;
};

// Whether what was counted in `blocks` blocks, or other units, keeps the limits.
bool keeps(const std::string& kernel, const Counted& counted, double blocks, const std::vector<Limit>& limits,
           const std::string& each) {
  gpusim::Report report = counted.report;
  count_atomics_as_others(report, blocks, limits);
  const auto goes_beyond = [&](const Limit& limit) {
    const Row& row = row_of(limit.count);
    return counts_accesses(limit) && limit.at_most && value_of(row, report.total, blocks) > limit.value;
  };
  if (std::ranges::any_of(limits, goes_beyond)) {
    report = counted.report;
    take_away_flags(report, counted.blocks_run, counted.launch);
    count_atomics_as_others(report, blocks, limits);
  }
  bool kept = true;
  for (const Limit& limit : limits) {
    const Row& row = row_of(limit.count);
    const double value = value_of(row, report.total, blocks);
    const Measurement measured{kernel,      row.name, row.among ? "" : each, value, limit.at_most,
                               limit.value, goal()};
    note(measured);
    if (measured.kept()) continue;
    kept = false;
    if (!goal().empty()) continue;
    const std::string sentence = replaced(replaced(row.sentence, "#", number(value)), "a block", each);
    const std::string here = limit.page == limit.value ? "" : "; here " + number(limit.value) + " would do";
    const std::string message = "it " + sentence + " (this chapter asks for " +
                                (limit.at_most ? "" : "at least ") + number(limit.page) + here +
                                "): " + kernel + responsible_lines(report, row, limit, blocks);
    judge::report({Kind::unimproved, message, "", kernel});
  }
  return kept;
}

// The same in a grid of kLargeGrid elements, which is too large to run: they are 0, and chosen blocks run.
bool keeps_in_a_large_grid(const SumKernel& kernel, const std::vector<Limit>& limits, std::size_t unit,
                           const std::string& each, const std::vector<std::uint64_t>& chosen) {
  const std::size_t units = kLargeGrid / unit, n = units * unit;
  const OnlyBlocks only(chosen);
  harness::DeviceBuffer<float> d_in(n, harness::Guards::none);
  harness::DeviceBuffer<float> d_sums(kernel.count_of(static_cast<int>(n)), harness::Guards::none);
  d_in.fill_zero();
  const std::string name = kernel.name + std::string(", n = ") + std::to_string(n);
  const std::function<void()> launch = [&] {
    kernel.launch(d_in.data(), d_sums.data(), static_cast<int>(n));
  };
  const std::optional<gpusim::Report> report = counted(name, launch);
  if (!report) return false;
  const std::uint64_t blocks = report->blocks();
  const auto run = std::ranges::count_if(chosen, [&](std::uint64_t b) { return b < blocks; });
  return keeps(name, {*report, std::uint64_t(run), launch}, double(run) * double(units) / double(blocks),
               limits, each);
}

}  // namespace

bool check_counts(const SumKernel& kernel, const std::vector<Limit>& limits, int unit,
                  const std::string& each) {
  if (is_as_shipped(kernel.name)) return leave_out(kernel.name), true;
  if (unit == 0) unit = kernel.per_sum;
  const auto keeps_with = [&](int n, const std::vector<Limit>& asked, const std::string& how) {
    harness::DeviceBuffer<float> d_in(harness::uniform_floats(n, 2));
    harness::DeviceBuffer<float> d_sums(kernel.count_of(n));
    return check_counts(
        kernel.name + how, (n - 1) / unit + 1, [&] { kernel.launch(d_in.data(), d_sums.data(), n); }, asked,
        each);
  };
  const bool keeps_all = keeps_with(kBlocks * unit, limits, "");
  if (!keeps_all || !goal().empty()) return keeps_all;
  for (const int n : {unit, kManyBlocks * unit})
    if (!keeps_with(n, limits, ", n = " + std::to_string(n))) return false;
  const std::size_t per_block = std::size_t(unit), blocks = kLargeGrid / per_block;
  bool keeps_large = keeps_in_a_large_grid(kernel, limits, per_block, each, blocks_to_run(blocks, per_block));
  // Blocks beyond a number by themselves: what only those do is not to vanish in the mean of others.
  for (const Threshold& t : thresholds(1, kLargeGrid - per_block - 1))
    for (const std::size_t block : {t.last + 1, t.last / per_block + 1})
      if (keeps_large && block < blocks)
        keeps_large = keeps_in_a_large_grid(kernel, limits, per_block, each, {block});
  if (draws_tiles(kernel.name)) reload_kernels();
  if (!keeps_large) return false;
  constexpr std::size_t kMostCounted = 1 << 20;
  for (const std::size_t n : sizes_around_thresholds(std::size_t(unit), kMostCounted, std::size_t(unit)))
    if (!keeps_with(int(n), limits, ", n = " + std::to_string(n))) return false;
  // One element more than full blocks hold, one less, and half a block: alone and after others.
  for (const int n : {1, unit / 2 + 1, unit - 1, 2 * unit + 1, 3 * unit + unit / 2 + 1, kBlocks * unit - 1})
    if (!keeps_with(n, where_the_input_ends(limits, (n - 1) / unit + 1), ", n = " + std::to_string(n)))
      return false;
  return true;
}

int launches_in(const std::function<void()>& launch) {
  gpusim::enable_reports();
  const std::size_t before = gpusim::reports().size();
  launch();
  const std::size_t after = gpusim::reports().size();
  gpusim::enable_reports(false);
  return static_cast<int>(after - before);
}

bool check_counts(const std::string& kernel, int blocks, const std::function<void()>& launch,
                  const std::vector<Limit>& limits, const std::string& each) {
  const std::optional<gpusim::Report> report = counted(kernel, launch);
  return report && keeps(kernel, {*report, report->blocks(), launch}, blocks, limits, each);
}

bool check_counts_once(const std::string& kernel, int blocks, const std::function<void()>& launch,
                       const std::vector<Limit>& limits, const std::string& each) {
  static std::map<std::string, gpusim::Report> reports;
  auto known = reports.find(kernel);
  if (known == reports.end()) {
    const std::optional<gpusim::Report> report = counted(kernel, launch);
    if (!report) return false;
    known = reports.emplace(kernel, *report).first;
  }
  return keeps(kernel, {known->second, known->second.blocks(), launch}, blocks, limits, each);
}

bool check_launches(const std::string& what, int at_most, const std::function<void()>& launch) {
  gpusim::clear_reports();
  gpusim::enable_reports();
  launch();
  check_launch(what + ", counted");
  gpusim::enable_reports(false);
  const std::vector<gpusim::Report>& launches = gpusim::reports();
  if (launches.size() <= std::size_t(at_most)) return true;
  std::string names;
  for (const gpusim::Report& launch : launches) names += (names.empty() ? "" : ", ") + launch.kernel;
  judge::report({Kind::unimproved,
                 "it takes " + std::to_string(launches.size()) + " launches (this chapter asks for " +
                     std::to_string(at_most) + "): " + what + "\n" + names,
                 "", what});
  return false;
}

bool check_grid(const std::string& what, int blocks, const std::function<void()>& launch) {
  const std::optional<gpusim::Report> report = counted(what, launch);
  if (!report) return false;
  const std::uint64_t launched = report->blocks();
  if (launched == std::uint64_t(blocks)) return true;
  judge::report({Kind::unimproved,
                 "it launches " + std::to_string(launched) + " of the " + std::to_string(blocks) +
                     " blocks that the caller asks for: " + what,
                 "", what});
  return false;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
