#include "timing/grid_time.h"

#include <algorithm>
#include <cmath>

#include "timing/swap_contention.h"
#include "timing/uneven_blocks.h"

namespace gpusim::timing {

GridTime grid_time(const Machine& machine, const LaunchRecord& record, double blocks, Scenario scenario) {
  const u64 resident = scenario.resident > 0 ? scenario.resident : std::max(1u, record.occupancy.blocks);
  const u64 most_steps = scenario.most_steps;
  u64 steps = 0;
  for (const BlockRecord& block : record.blocks)
    for (const WarpRecord& warp : block.warps) steps += warp.steps.size();
  const double steps_of_block = std::max(1.0, double(steps) / double(record.blocks.size()));
  const auto run = [&](u64 count, u64 most) {
    scenario.blocks = count;
    scenario.most_steps = most;
    return run_blocks(machine, record, scenario);
  };

  const u64 whole = u64(std::ceil(blocks));
  const u64 affordable = u64(double(most_steps) / steps_of_block);
  const u64 rounds = std::clamp<u64>(affordable / (3 * resident), 1, 4);
  const auto run_loaded = [&](const LoadedMultiprocessor& loaded) {
    u64 steps_of_order = 0;
    for (const u32 k : loaded.order)
      for (const WarpRecord& warp : record.recorded(k).warps) steps_of_order += warp.steps.size();
    scenario.order = &loaded.order;
    GridTime made;
    made.run = run(loaded.order.size(), 2 * most_steps);
    scenario.order = nullptr;
    made.cycles = made.run.cycles * loaded.longer;
    if (!made.run.whole) made.cycles *= double(steps_of_order) / double(std::max<u64>(made.run.steps, 1));
    return made;
  };
  const double sms = double(machine.multiprocessors);
  const bool may_be_uneven = scenario.left_out != Cost::uneven && scenario.resident == 0 &&
                             blocks == std::max(1.0, double(record.launch.grid.count()) / sms);
  GridTime time;
  if (whole <= 3 * rounds * resident) {
    if (const auto loaded = may_be_uneven ? most_loaded(record, u64(sms), resident) : std::nullopt)
      return run_loaded(*loaded);
    // All blocks of the grid run at once: it ends with the slowest multiprocessor. Each group of recorded blocks stands for one.
    const bool at_once = whole <= resident && may_be_uneven;
    const u64 groups =
        at_once ? std::clamp<u64>(record.blocks.size() / whole, 1, std::max<u64>(affordable / whole, 1)) : 1;
    for (u64 group = 0; group < groups; ++group) {
      std::vector<u32> order(whole);
      for (u64 k = 0; k < whole; ++k) order[k] = u32((group * whole + k) % record.blocks.size());
      scenario.order = &order;
      MultiprocessorRun made = run(whole, 2 * most_steps);
      scenario.order = nullptr;
      if (group == 0 || made.cycles > time.run.cycles) time.run = std::move(made);
    }
    time.cycles = time.run.cycles;
    if (!time.run.whole)
      time.cycles *= steps_of_block * double(whole) / double(std::max<u64>(time.run.steps, 1));
    return time;
  }
  const u64 few = rounds * resident, many = 2 * few;
  const MultiprocessorRun short_run = run(few, most_steps);
  time.run = run(many, 2 * most_steps);
  const double round = std::max(time.run.cycles - short_run.cycles, 0.0) / double(many - few);
  // Blocks go to whoever has room, so that all multiprocessors end within about one block of each other.
  time.cycles = time.run.cycles + round * (blocks + 0.5 - double(many));
  if (!time.run.whole || !short_run.whole)
    time.cycles = time.run.cycles * steps_of_block * blocks / double(std::max<u64>(time.run.steps, 1));
  if (const auto longest = may_be_uneven ? longest_block(record) : std::nullopt) {
    const GridTime alone = run_loaded(*longest);
    if (alone.cycles > time.cycles) return alone;
  }
  return time;
}

double contended_nanoseconds(const Machine& machine, const LaunchRecord& record) {
  const double all = double(record.launch.grid.count()) / double(record.blocks_run);
  double longest = swapping_nanoseconds(machine, record);
  for (const auto& [pc, contention] : record.contended) {
    const Instruction& in = record.launch.program->code[pc];
    const double one = (is_float(in.type) ? machine.global_red_float : machine.global_atomic_int).one_word;
    longest = std::max(longest, double(contention.most) * all * one);
  }
  return longest;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
