#include "timing/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "timing/coalescing.h"
#include "timing/grid_time.h"
#include "timing/uneven_blocks.h"

namespace gpusim::timing {
namespace {

constexpr double kLeastPart = 0.05;  // of the launch's time, that is worth a line
// Of each run with a cost left out. They need not be as exact as the prediction: each is compared with a run as short as itself.
constexpr u64 kMostSteps = 150'000;

bool is_integer_division(const Instruction& in) {
  return (in.op == Op::div || in.op == Op::rem) && !is_float(in.type);
}

// Which costs the recorded steps have at all.
struct Present {
  bool uncoalesced = false, narrow = false, bank_conflicts = false, idle_lanes = false, local_memory = false,
       constant = false, atomics = false, barriers = false, doubles = false, divisions = false;
  double active_lanes = 0;  // of an instruction, on average
  double mean_width = 1;    // of coalesced accesses: width_part(), on average
};

Present costs_present(const LaunchRecord& record) {
  Present has;
  u64 lanes = 0, steps = 0, accesses = 0;
  double widths = 0;
  for (const BlockRecord& block : record.blocks)
    for (const WarpRecord& warp : block.warps)
      for (const Step& step : warp.steps) {
        const Instruction& in = record.launch.program->code[step.pc];
        lanes += step.lanes;
        ++steps;
        has.barriers |= is_block_barrier(in.shape);
        has.atomics |= is_atomic(in.shape);
        has.divisions |= is_integer_division(in);
        if (!is_load_or_store(in.shape)) {
          has.doubles |= in.type == Type::f64 && !is_atomic(in.shape);
          continue;
        }
        if (in.space == Space::constant) has.constant |= step.lines > 1;
        else if (in.space == Space::shared) has.bank_conflicts |= step.lines > step.ideal;
        else if (in.space == Space::local) has.local_memory = true;
        else if (is_of_global_memory(in, step)) {
          has.uncoalesced |= !is_coalesced(in, step);
          has.narrow |= width_part(in, step) < 1;
          widths += width_part(in, step);
          ++accesses;
        }
      }
  has.active_lanes = steps > 0 ? double(lanes) / double(steps) : kWarpSize;
  has.mean_width = accesses > 0 ? widths / double(accesses) : 1;
  has.idle_lanes = has.active_lanes < kWarpSize - 0.5;
  return has;
}

// The costs of the same program if it computed with floats, and converted none. What it loads and stores keeps its size.
ProgramCosts costs_with_floats(const Program& program, const Machine& machine) {
  Program of_floats = program;
  for (Instruction& in : of_floats.code) {
    if (is_load_or_store(in.shape) || is_atomic(in.shape)) continue;
    if (in.type == Type::f64) in.type = Type::f32;
    if (in.dest_type == Type::f64) in.dest_type = Type::f32;
  }
  ProgramCosts costs = costs_of(of_floats, machine);
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape == Shape::convert && (in.type == Type::f64 || in.dest_type == Type::f64))
      costs.cost[pc] = {};
  }
  return costs;
}

// The costs of the same program if a division were an addition.
ProgramCosts costs_without_divisions(const LaunchRecord& record, const Machine& machine) {
  ProgramCosts costs = *record.costs;
  const OperationTime& time = machine.int_add;
  for (u32 pc = 0; pc < costs.cost.size(); ++pc)
    if (is_integer_division(record.launch.program->code[pc]) && costs.cost[pc].slots > 0)
      costs.cost[pc] = {Unit::integer, 1, float(time.interval), float(time.latency)};
  return costs;
}

class Diagnosis {
 public:
  Diagnosis(const Machine& machine, const LaunchRecord& record, const Predicted& predicted)
      : machine_(machine),
        record_(record),
        predicted_(predicted),
        contended_(contended_nanoseconds(machine, record)),
        before_(std::max(predicted.running_nanoseconds, contended_)),
        usual_cycles_(cycles({})) {}

  std::vector<Saving> savings() {
    const Present has = costs_present(record_);
    if (has.uncoalesced) add_uncoalesced();
    if (has.narrow)
      add("narrow accesses: less than 16 bytes a lane",
          shortened_to(cycles({.left_out = Cost::narrow, .block_start = has.mean_width})));
    if (has.bank_conflicts) add("bank conflicts", Cost::bank_conflicts);
    if (has.idle_lanes)
      add("idle lanes: " + std::to_string(int(std::lround(has.active_lanes))) +
              " of 32 are active on average",
          Cost::idle_lanes);
    if (has.local_memory)
      add("local memory: spilled registers, or arrays with computed indices", Cost::local_memory);
    if (has.constant) add("constant memory: the lanes of a warp load from several addresses", Cost::constant);
    if (has.atomics) add("atomics", Cost::atomics);
    if (has.barriers) add("barriers", Cost::barriers);
    if (has.doubles) add("arithmetic on doubles", costs_with_floats(*record_.launch.program, machine_));
    if (has.divisions) add("integer division and remainders", costs_without_divisions(record_, machine_));
    add("starting blocks: many that do little", shortened_to(cycles({.block_start = 0})));
    add_few_warps();
    add_uneven_blocks();
    add_last_wave();
    add_idle_multiprocessors();
    add("the launch itself", predicted_.launch_nanoseconds);
    std::sort(savings_.begin(), savings_.end(),
              [](const Saving& a, const Saving& b) { return a.nanoseconds > b.nanoseconds; });
    return std::move(savings_);
  }

 private:
  double cycles(Scenario scenario, double more_blocks = 1) const {
    scenario.active = predicted_.active;
    scenario.most_steps = kMostSteps;
    return grid_time(machine_, record_, predicted_.blocks * more_blocks, scenario).cycles;
  }

  // Nanoseconds that a launch saves which takes so many cycles instead of the usual ones.
  double shortened_to(double cycles) const {
    return before_ - std::max(predicted_.running_nanoseconds * cycles / usual_cycles_, contended_);
  }

  void add(std::string cost, double nanoseconds) {
    if (nanoseconds >= kLeastPart * (before_ + predicted_.launch_nanoseconds))
      savings_.push_back({std::move(cost), nanoseconds});
  }

  void add(std::string cost, Cost left_out) {
    const double without = cycles({.left_out = left_out});
    add(std::move(cost), left_out == Cost::atomics
                             ? before_ - predicted_.running_nanoseconds * without / usual_cycles_
                             : shortened_to(without));
  }

  void add(std::string cost, const ProgramCosts& costs) {
    add(std::move(cost), shortened_to(cycles({.costs = &costs})));
  }

  void add_uncoalesced() {
    const std::vector<double> parts = needed_parts(record_);
    add("uncoalesced access to global memory",
        shortened_to(cycles({.left_out = Cost::uncoalesced, .needed_parts = &parts})));
  }

  // With as many warps as a multiprocessor takes, each of which has less to do.
  void add_few_warps() {
    const u64 warps = record_.launch.warps_per_block;
    const u64 resident = std::min<u64>(record_.occupancy.blocks, u64(std::ceil(predicted_.blocks)));
    const u64 full = std::max<u64>(1, u64(machine_.derived.warps) / warps);
    if (resident * 4 > full * 3) return;
    const double times = double(full) / double(resident);
    std::string cost = "too few warps: " + std::to_string(resident * warps) + " on a multiprocessor, ";
    cost += resident < record_.occupancy.blocks ? "the grid has no more"
                                                : "limited by " + std::string(record_.occupancy.limit);
    add(std::move(cost), shortened_to(cycles({.resident = full}, times) / times));
  }

  void add_uneven_blocks() {
    if (!are_uneven(record_)) return;
    char times[32];
    std::snprintf(times, sizeof times, "%.1f", longest_to_mean(record_));
    add("uneven blocks: one executes " + std::string(times) + " times as many instructions as the mean",
        Cost::uneven);
  }

  // The last blocks leave multiprocessors idle: compared with a grid that ends everywhere at the same time.
  void add_last_wave() {
    const double resident = std::max(1u, record_.occupancy.blocks);
    if (predicted_.blocks <= resident) return;
    const double one = cycles({}, resident / predicted_.blocks);
    const double two = cycles({}, 2 * resident / predicted_.blocks);
    const double even = one + (two - one) * (predicted_.blocks - resident) / resident;
    add("the tail: the last wave of blocks does not fill the GPU", shortened_to(even));
  }

  void add_idle_multiprocessors() {
    const double all = double(machine_.multiprocessors), busy = double(predicted_.active);
    if (busy < all)
      add("idle multiprocessors: " + std::to_string(predicted_.active) + " of " +
              std::to_string(machine_.multiprocessors) + " have a block",
          before_ * (1 - busy / all));
  }

  const Machine& machine_;
  const LaunchRecord& record_;
  const Predicted& predicted_;
  const double contended_, before_;
  const double usual_cycles_;
  std::vector<Saving> savings_;
};

}  // namespace

std::vector<Saving> diagnose(const Machine& machine, const LaunchRecord& record, const Predicted& predicted) {
  return Diagnosis(machine, record, predicted).savings();
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
