#include "timing/prediction.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "execution/device.h"
#include "timing/diagnosis.h"
#include "timing/grid_time.h"
#include "timing/step_order.h"
#include "timing/swap_contention.h"

namespace gpusim::timing {
namespace {

constexpr u64 kMostSteps = 3'000'000;  // of a run: a second, at worst

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

// What is busy most, and the part of the time that it is.
std::pair<std::size_t, double> busiest_of(const MultiprocessorRun& run) {
  const auto most = std::max_element(run.busy.begin(), run.busy.end());
  return {std::size_t(most - run.busy.begin()), run.cycles > 0 ? *most / run.cycles : 0};
}
constexpr double kBusy = 0.75;  // of the time: then it decides

// What is busy nearly all the time; else what the warps do most of theirs.
std::string bottleneck_of(const MultiprocessorRun& run, const Spent& spent, double launch_share,
                          double blocks_of_each, const LaunchRecord& record) {
  if (launch_share > 0.5) return percent(launch_share) + " of the time is the launch itself";
  constexpr const char* kServed[] = {"the schedulers' instruction slots",
                                     "the multiprocessors' pass through shared memory and L1 cache",
                                     "the multiprocessors' pass through constant memory",
                                     "the multiprocessors' way to the L2 cache",
                                     "the L2 cache",
                                     "the memory's bandwidth",
                                     "atomics on one address",
                                     "stores of many warps to one word",
                                     "starting blocks"};
  const auto [busiest, busy] = busiest_of(run);
  if (busy > kBusy)
    return std::string(kServed[busiest]) + ": busy " + percent(std::min(busy, 1.0)) + " of the time";
  std::size_t most = 0;
  for (std::size_t k = 0; k < kWaits; ++k)
    if (spent.on[k] > spent.on[most]) most = k;
  std::string text = percent(spent.on[most] / std::max(spent.total(), 1.0)) + " of the warps' time is " +
                     name_of(Wait(most));
  const u64 blocks = std::min<u64>(record.occupancy.blocks, u64(std::ceil(blocks_of_each)));
  text += "; " + std::to_string(blocks * record.launch.warps_per_block) + " warps on a multiprocessor, ";
  return text + (blocks < record.occupancy.blocks ? "because the grid has no more"
                                                  : "by their " + std::string(record.occupancy.limit));
}

}  // namespace

Prediction predict(const Machine& machine, LaunchRecord record) {
  Prediction out;
  out.machine = machine.name();
  out.occupancy = record.occupancy;
  if (record.occupancy.blocks == 0) {
    out.not_modelled.push_back("a block has no room on a multiprocessor of this GPU");
    return out;
  }
  if (record.blocks.empty()) return out;
  // The first block of a multiprocessor finds nothing there, but where there are few they are the whole launch.
  const bool are_many = double(record.launch.grid.count()) >
                        2 * double(machine.multiprocessors) * double(record.occupancy.blocks);
  const std::vector<Touched> already_there = are_many ? read_by_several(record) : std::vector<Touched>();
  for (std::vector<BlockRecord>* blocks : {&record.blocks, &record.longest})
    for (BlockRecord& block : *blocks) {
      pass_l1(record, block, already_there);
      for (WarpRecord& warp : block.warps) order_steps(*record.costs, warp.steps);
    }

  const double sms = double(machine.multiprocessors);
  const double grid = double(record.launch.grid.count());
  const double blocks = std::max(1.0, grid / sms);
  const u64 active = u64(std::min(grid, sms));
  const GridTime time = grid_time(machine, record, blocks, {.active = active, .most_steps = kMostSteps});
  double cycles = time.cycles;

  u64 recorded = 0, sectors = 0;
  bool is_cut = false;
  for (const BlockRecord& block : record.blocks) is_cut |= !block.whole;
  for (const BlockRecord& block : record.blocks)
    for (const WarpRecord& warp : block.warps) {
      recorded += warp.steps.size();
      for (const Step& step : warp.steps) sectors += step.memory;
    }
  constexpr double kSectorBytes = 32;
  out.memory_bytes = kSectorBytes * double(sectors) * grid / double(record.blocks.size());
  if (is_cut) {  // the recorded part stands for the whole
    const double of_block = double(record.steps_run) / double(record.blocks_run);
    const double longer = of_block / (double(recorded) / double(record.blocks.size()));
    cycles *= longer;
    out.memory_bytes *= longer;
  }
  out.launch_nanoseconds = machine.derived.launch;
  const double all = grid / double(record.blocks_run);
  const double nanoseconds =
      std::max(cycles * machine.derived.nanoseconds, contended_nanoseconds(machine, record));
  out.nanoseconds = nanoseconds + out.launch_nanoseconds;
  out.savings = diagnose(machine, record,
                         {cycles * machine.derived.nanoseconds, out.launch_nanoseconds, blocks, active});
  out.is_at_limit = out.savings.empty() && busiest_of(time.run).second > kBusy;

  Spent spent;
  for (const Spent& each : time.run.by_pc) spent += each;
  out.share.resize(time.run.by_pc.size());
  for (std::size_t pc = 0; pc < out.share.size(); ++pc)
    out.share[pc] = time.run.by_pc[pc].total() / std::max(spent.total(), 1.0);
  out.bottleneck = bottleneck_of(time.run, spent, out.launch_nanoseconds / out.nanoseconds, blocks, record);
  const auto has = [&](auto is) {
    return std::any_of(record.launch.program->code.begin(), record.launch.program->code.end(),
                       [&](const Instruction& in) { return is(in.shape); });
  };
  if (has([](Shape s) { return s == Shape::async_copy; }))
    out.not_modelled.push_back("waits for asynchronous copies");
  const auto swaps = [&](const auto& each) {
    const Program& program = *record.launch.program;
    return program.code[each.first].op == Op::atom_cas &&
           !swaps_until_it_succeeds(program, *record.costs, each.first);
  };
  if (std::any_of(record.contended.begin(), record.contended.end(), swaps))
    out.not_modelled.push_back("how often a compare-and-swap fails and is made again");
  if (has(meets_whole_warp)) out.not_modelled.push_back("tensor cores");
  std::set<std::string_view> functions;
  for (u32 pc = 0; pc < u32(out.share.size()); ++pc)
    if (out.share[pc] > 0)
      if (const auto name = unknown_call(*record.launch.program, machine, pc); !name.empty())
        functions.insert(name);
  for (const std::string_view name : functions)
    out.not_modelled.push_back("what " + std::string(name) + " takes: counted as a call of ten instructions");
  if (record.polls > 0) out.not_modelled.push_back("how long blocks wait for each other");
  if (all > 1.0) out.not_modelled.push_back("blocks that did not run: taken to be like those that did");
  return out;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
