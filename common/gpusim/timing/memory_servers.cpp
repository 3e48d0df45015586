#include "timing/memory_servers.h"

#include <algorithm>
#include <cmath>

#include "counting/sectors.h"
#include "timing/coalescing.h"

namespace gpusim::timing {
namespace {

// Cycles of work that a queue in front of a unit or a cache takes before a warp must wait to add to it.
constexpr double kUnitQueue = 32, kMemoryQueue = 400;

// Neither the L2 cache answers for all lines equally fast nor memory for all of its pages, and a warp waits for the slowest one.
// Measured on an H200, of warps that load a line each from a page of their own: a tenth waits less than 600 cycles, half less than 750
// and nine tenths less than 940. That is about a logistic distribution. What one takes is drawn by its number, so that each run draws
// the same. Returns how many cycles longer than the mean the slowest of `count` takes.
double slowest(double spread, double count, u64 number) {
  constexpr double kLeast = 0.02;
  u64 drawn = number * 0x9e3779b97f4a7c15u;
  drawn = (drawn ^ drawn >> 29) * 0x94d049bb133111ebu;
  drawn ^= drawn >> 32;
  const double one = (double(drawn & 0xffffff) + 0.5) / double(1 << 24);
  const double of_all = std::clamp(std::pow(one, 1 / std::max(count, 1.0)), kLeast, 1 - kLeast / 8);
  return spread * std::log(of_all / (1 - of_all));
}

}  // namespace

MemoryServers::MemoryServers(const Machine& machine, const LaunchRecord& record, double per_nanosecond,
                             const Scenario& scenario, std::array<double, kServers>& busy)
    : m_(machine),
      record_(record),
      costs_(*record.costs),
      per_nanosecond_(per_nanosecond),
      scenario_(scenario),
      busy_(busy) {
  shared_pass_ = m_.shared_load_stride32_interval / 32;
  l2_sector_ = m_.derived.l2_sector * per_nanosecond;
  l2_line_ = m_.derived.l2_line * per_nanosecond;
  l2_store_sector_ = m_.derived.l2_store_sector * per_nanosecond;
  l2_store_line_ = m_.derived.l2_store_line * per_nanosecond;
  dram_read_ = m_.derived.dram_read * per_nanosecond;
  dram_write_ = m_.derived.dram_write * per_nanosecond;
  setup_mix();
}

// Reads and writes in turn cost the memory more than either alone.
void MemoryServers::setup_mix() {
  u64 reads = 0, writes = 0;
  for (const BlockRecord& block : record_.blocks)
    for (const auto& warp : block.warps)
      for (const Step& step : warp.steps)
        (record_.launch.program->code[step.pc].shape == Shape::load ? reads : writes) += step.memory;
  memory_costs_.resize(record_.memory_use.size());
  if (reads + writes == 0) return;
  const double share = double(reads) / double(reads + writes);
  const double turns = 1 + (m_.derived.turns - 1) * 4 * share * (1 - share);
  dram_read_ *= turns;
  dram_write_ *= turns;
  setup_memory_costs();
}

// The memory's cycles for a sector, for each instruction. They depend on how many of its lines are alone in their pages, and on
// how many of the sectors that it writes must be read first.
void MemoryServers::setup_memory_costs() {
  // What stays in the L2 cache until the launch ends has not to be read by then.
  const double written = double(record_.sectors_written) * kSectorBytes *
                         double(record_.launch.grid.count()) / double(std::max<u64>(record_.blocks_run, 1));
  const double leaves = std::max(0.0, 1 - double(m_.l2_bytes) / std::max(written, 1.0));
  for (u32 pc = 0; pc < record_.memory_use.size(); ++pc) {
    const MemoryUse& use = record_.memory_use[pc];
    MemoryCost& cost = memory_costs_[pc];
    const auto between = [](double from, double to, double part) { return from + part * (to - from); };
    const bool is_scattered = !leaves_out(Cost::uncoalesced);
    cost.far = is_scattered && use.lines ? double(use.far) / double(use.lines) : 0;
    cost.read = between(dram_read_, m_.derived.far_read * per_nanosecond_, cost.far);
    cost.write = between(dram_write_, m_.derived.far_write * per_nanosecond_, cost.far * leaves);
    // Measured: memory delivers what is missing of a sector as soon as somebody writes a part of it, and both of a pair.
    const double filled = is_scattered && use.stored ? double(use.filled) / double(use.stored) : 0;
    cost.write +=
        filled *
        between(dram_read_, (m_.derived.part_write - m_.derived.far_write) / 2 * per_nanosecond_, cost.far);
  }
}

double MemoryServers::serve(double& free, Server server, double from, double cost) {
  free = std::max(free, from) + cost;
  busy_[std::size_t(server)] += cost;
  return free;
}

double MemoryServers::room_at(const Instruction& in, const Step& step) const {
  if (leaves_out(Cost::local_memory) && in.space == Space::local) return 0;
  if (leaves_out(Cost::atomics) && is_atomic(in.shape)) return 0;
  if (in.space == Space::constant) return step.lines > 1 ? constant_free_ - kUnitQueue : 0;
  double room = l1_free_ - kUnitQueue;
  if (in.space == Space::shared) return room;
  if (step.sectors > 0)
    room = std::max({room, port_free_ - kMemoryQueue, l2_free_ - kMemoryQueue, dram_free_ - kMemoryQueue});
  if (is_atomic(in.shape)) room = std::max(room, atomics_free_ - kMemoryQueue);
  if (one_word_store(step) > 0) room = std::max(room, one_word_free_ - kMemoryQueue);
  return room;
}

double MemoryServers::free_at() const {
  return std::max(
      {l1_free_, constant_free_, port_free_, l2_free_, dram_free_, atomics_free_, one_word_free_});
}

double MemoryServers::pass_shared(double start, u32 passes) {
  return serve(l1_free_, Server::shared, start, passes * shared_pass_);
}

double MemoryServers::shared_access(const Instruction& in, const Step& step, double start) {
  const u16 wavefronts = leaves_out(Cost::bank_conflicts) && step.ideal > 0 ? step.ideal : step.lines;
  double passes = std::max<double>(wavefronts, 1) * shared_pass_ * costs_.passes[step.pc];
  double latency = m_.shared_latency;
  if (is_atomic(in.shape)) {
    passes = step.lines * m_.shared_add_same_interval / kWarpSize;
    latency = m_.shared_atomic_latency;
  }
  return serve(l1_free_, Server::shared, start, passes) + latency - shared_pass_;
}

double MemoryServers::access(const Instruction& in, const Step& step, u64 line, double start, double now,
                             Wait& why) {
  if (in.space == Space::constant) return constant_access(step, start, why);
  why = in.space == Space::shared ? Wait::shared : is_atomic(in.shape) ? Wait::atomic : Wait::memory;
  if (leaves_out(Cost::atomics) && is_atomic(in.shape)) return start;
  if (leaves_out(Cost::local_memory) && in.space == Space::local) return start;
  if (in.space == Space::shared) return shared_access(in, step, start);
  if (is_atomic(in.shape)) return global_atomic(in, step, start);
  if (leaves_out(Cost::uncoalesced) && in.space != Space::local)
    return global_access(in, as_in_scenario(step), line, start, now);
  return global_access(in, step, line, start, now);
}

// A word whose address is written in the code is an operand of the instruction that needs it. Several words come one after the
// other.
double MemoryServers::constant_access(const Step& step, double start, Wait& why) {
  why = Wait::constant;
  const bool is_operand = costs_.reads.of(step.pc).empty();
  if (step.lines <= 1 || leaves_out(Cost::constant))
    return start + (is_operand ? m_.int_add.latency : m_.constant_latency);
  constexpr double kAddresses = 32;  // that were measured
  return serve(constant_free_, Server::constant, start,
               step.lines * m_.constant_32_addresses_interval / kAddresses) +
         m_.constant_latency;
}

// The step if its lanes' bytes lay next to each other.
Step MemoryServers::as_in_scenario(const Step& step) const {
  Step out = step;
  const double part = (*scenario_.needed_parts)[step.pc];
  const auto at_least_one = [](double value) { return u16(std::max(1.0, std::round(value))); };
  if (step.sectors > 0) {
    out.sectors = at_least_one(step.sectors * part);
    out.memory = std::min(step.memory, out.sectors);
    out.missed_lines = std::min<u16>(step.missed_lines, (out.sectors + kSectorsInLine - 1) / kSectorsInLine);
  }
  out.passes = std::min<u16>(step.passes, (step.ideal + kSectorsInLine - 1) / kSectorsInLine);
  return out;
}

double MemoryServers::global_access(const Instruction& in, const Step& step, u64 line, double start,
                                    double now) {
  const bool is_store = in.shape == Shape::store;
  const double request = m_.derived.l1_request * (leaves_out(Cost::narrow) ? width_part(in, step) : 1);
  const double looked_up =
      serve(l1_free_, Server::shared, start, std::max(request, step.passes * m_.derived.l1_pass));
  double result = looked_up + m_.l1_latency - m_.derived.l1_request;
  if (step.sectors == 0) return result;
  if (const double waits = one_word_store(step); waits > 0)
    serve(one_word_free_, Server::one_word, start, waits);
  const double sectors = step.sectors, lines = step.missed_lines;
  const double port = std::max(sectors * (is_store ? m_.derived.sm_store_sector : m_.derived.sm_sector),
                               lines * (is_store ? m_.derived.sm_store_line : m_.derived.sm_line));
  const double l2 = std::max(sectors * (is_store ? l2_store_sector_ : l2_sector_),
                             lines * (is_store ? l2_store_line_ : l2_line_));
  // The last line's turn: a warp waits for all.
  const double others = lines > 1 ? 1 - 1 / lines : 0;
  const double at_l2 = std::max(serve(port_free_, Server::port, start, port) - port * (1 - others),
                                serve(l2_free_, Server::l2, start, l2) - l2 * (1 - others));
  result = std::max(result, at_l2 + m_.l2_latency + slowest(m_.derived.l2_spread, lines, line));
  const double pages = std::min<u32>(step.pages, std::max<u32>(step.memory, step.awaited));
  const double from_memory = m_.dram_latency + std::max(0.0, pages - 1) * m_.derived.page_turn +
                             slowest(m_.derived.dram_spread, pages, OpenPages::page_of(line));
  if (step.awaited != 0) result = std::max(result, at_l2 + from_memory);
  if (step.memory == 0) return result;
  const MemoryCost& cost = memory_costs_[step.pc];
  const double dram = step.memory * (is_store ? cost.write : cost.read);
  const double at_dram = serve(dram_free_, Server::dram, start, dram) - dram;
  return std::max(result, std::max(at_dram, at_l2) + from_memory + crowd(now));
}

// Stores of many warps to one word come one after the other. Measured on an H200, of warps that set a flag while they follow the edges of a
// graph: each adds 0.92 ns to the launch (0.87 to 1.19 in six launches of 1008 to 147,817 of them), whatever else they store, and
// nothing if each block has a flag of its own. There an atomic without a result takes 0.733 ns of a word.
double MemoryServers::one_word_store(const Step& step) const {
  constexpr double kByAtomic = 0.92 / 0.733;
  constexpr u64 kFew = 100;  // of a word
  const auto found = record_.stored.find(step.pc);
  if (found == record_.stored.end() || found->second.most < kFew) return 0;
  const double share = double(found->second.most) / double(found->second.count);
  return share * kByAtomic * m_.global_red_int.one_word * per_nanosecond_;
}

// Memory answers later when much is asked of it, before all of it is taken.
double MemoryServers::crowd(double now) const {
  constexpr double kMost = 0.9;
  const double taken = now > 0 ? std::min(busy_[std::size_t(Server::dram)] / now, kMost) : 0;
  return m_.derived.crowd * taken / (1 - taken);
}

double MemoryServers::global_atomic(const Instruction& in, const Step& step, double start) {
  const bool of_floats = is_float(in.type);
  const AtomicTime& time = !costs_.unread[step.pc] ? m_.global_atomic_int
                           : of_floats             ? m_.global_red_float
                                                   : m_.global_red_int;
  double share = 0;  // of this instruction's operations that meet on one address
  double lines = 1;  // as many of which would be as busy as the one on which most meet
  if (const auto found = record_.contended.find(step.pc); found != record_.contended.end()) {
    share = double(found->second.most) / double(found->second.operations);
    lines = double(found->second.operations) / double(std::max<u64>(found->second.most_on_line, 1));
  }
  const double one = (of_floats ? m_.global_red_float : time).one_word;
  const double same_warp = time.word_per_warp * (step.lines > 1);
  // Where lanes do not fill their sectors: what was measured at random words of as many lines.
  const bool is_filled = step.touched != 0;
  const double met = is_filled ? time.one_line / lines : time.random(lines);
  const double cost =
      std::max(step.sectors * std::max({time.own_words, share * one, same_warp, met}) * per_nanosecond_,
               is_filled ? step.missed_lines * l2_store_line_ : 0.0);
  return serve(atomics_free_, Server::atomics, start, cost) + m_.global_atomic_latency;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
