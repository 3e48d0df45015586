#include "timing/multiprocessor.h"

#include <algorithm>
#include <deque>
#include <queue>
#include <unordered_map>

#include "timing/barrier_cost.h"
#include "timing/coalescing.h"
#include "timing/memory_servers.h"
#include "timing/resident_warps.h"

namespace gpusim::timing {
namespace {

class Multiprocessor {
 public:
  Multiprocessor(const Machine& machine, const LaunchRecord& record, const Scenario& scenario)
      : m_(machine),
        record_(record),
        costs_(scenario.costs ? *scenario.costs : *record.costs),
        program_(*record.launch.program),
        scenario_(scenario),
        per_nanosecond_(double(scenario.active) / machine.derived.nanoseconds),
        memory_(machine, record, per_nanosecond_, scenario_, out_.busy) {
    out_.by_pc.resize(program_.code.size());
    const u64 threads = record.launch.block.count();
    dispatch_ = (threads > 768 ? m_.block_1024_threads_nanoseconds : m_.block_256_threads_nanoseconds) *
                per_nanosecond_ * scenario.block_start;
    for (u32 warps = 1; warps <= record.launch.warps_per_block; ++warps)
      barrier_costs_.push_back(barrier_cost(m_, warps));
    access_interval_ = m_.shared_load_one_scheduler_interval;
    // Measured with room for one block only: the time from one block to the next; the time for each further warp of a block; the
    // time before an access, beyond that of its instructions; and the time of a store at the end.
    const auto alone = [&](double nanoseconds) { return nanoseconds / m_.derived.nanoseconds; };
    const double nothing = alone(m_.alone_32_threads_nothing_nanoseconds);
    warp_start_ = (alone(m_.alone_1024_threads_nothing_nanoseconds) - nothing) / 31;
    turnover_ = (nothing - warp_start_) * scenario.block_start;
    warp_start_ *= scenario.block_start;
    store_end_ = alone(m_.alone_32_threads_store_nanoseconds) - nothing;
    const double address = m_.int_popc.latency + m_.int_mad.latency + m_.int_wide_latency;
    prologue_ =
        std::max(0.0, alone(m_.alone_32_threads_load_nanoseconds) - nothing - m_.l2_latency - address) *
        scenario.block_start;
  }

  MultiprocessorRun run() {
    const u64 resident = scenario_.resident > 0 ? scenario_.resident : std::max(1u, record_.occupancy.blocks);
    slots_.resize(std::min<u64>(resident, scenario_.blocks));
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) start_block(slot, 0);
    while (!ready_.empty()) {
      const Event next = ready_.top();
      ready_.pop();
      if (out_.steps >= scenario_.most_steps) {
        out_.whole = false;
        break;
      }
      const bool is_stale = next.warp == kNobody && next.time != wake_[next.scheduler];
      if (next.warp != kNobody) join_pool(next.warp, next.time);
      else if (!is_stale) wake_[next.scheduler] = kNever;
      if (!is_stale) issue_oldest(next.scheduler, next.time);
      if (ready_.empty()) open_barriers();
    }
    out_.cycles = out_.whole ? std::max(now_, memory_.free_at()) : now_;
    out_.busy[std::size_t(Server::issue)] /= kMostSchedulers;
    return std::move(out_);
  }

 private:
  using Warp = ResidentWarp;
  using Slot = ResidentBlock;
  using Event = IssueEvent;
  using Waiting = WaitingWarp;
  static constexpr double kNever = 1e300, kNearly = 0.5;  // cycles
  void start_block(std::size_t slot, double at) {
    const u64 turn = started_++;
    const BlockRecord& block =
        record_.recorded(scenario_.order ? (*scenario_.order)[turn] : turn % record_.blocks.size());
    at = std::max(at, dispatch_free_);
    dispatch_free_ = at + dispatch_;
    out_.busy[std::size_t(Server::dispatch)] += dispatch_;
    Slot& s = slots_[slot];
    s = {std::move(s.warps), u32(block.warps.size())};
    for (u32 k = 0; k < block.warps.size(); ++k) {
      if (k == s.warps.size()) {
        s.warps.push_back(u32(warps_.size()));
        warps_.emplace_back();
        warps_.back().scheduler = next_scheduler_++ % kMostSchedulers;
      }
      Warp& w = warps_[s.warps[k]];
      w.at = block.warps[k].steps.data();
      w.end = w.at + block.warps[k].steps.size();
      w.touched = &block.warps[k].touched;
      w.slot = slot;
      w.turn = turn;
      w.since = at + warp_start_ * k;
      w.free = w.since + prologue_;
      w.waits_at_barrier = w.has_stored = false;
      w.ready.assign(costs_.registers_named, 0);
      w.why.assign(costs_.registers_named, Wait::result);
    }
    for (const u32 number : std::vector<u32>(s.warps)) queue(number);
  }

  void end_warp(Warp& w, double at) {
    Slot& s = slots_[w.slot];
    now_ = std::max(now_, at);
    w.at = w.end = nullptr;
    if (--s.live > 0) {
      if (s.waiting == s.live) open_barrier(s);
      return;
    }
    if (started_ < scenario_.blocks) start_block(w.slot, at + turnover_ + (s.has_stored ? store_end_ : 0));
  }

  // What needs no instruction is done; the rest stands in line for the time when its operands are there.
  void queue(u32 number) {
    Warp& w = warps_[number];
    for (; w.at != w.end; ++w.at) {
      const u32 pc = w.at->pc;
      const IssueCost& cost = costs_.cost[pc];
      double operands = 0;
      Wait why = Wait::result;
      for (const RegisterNumber r : costs_.reads.of(pc))
        if (w.ready[r] > operands) operands = w.ready[r], why = w.why[r];
      if (cost.slots > 0) {
        w.waits_for = why;
        const double time = std::max(w.free, operands);
        ready_.push({time, w.scheduler, number});
        return;
      }
      for (const RegisterNumber r : costs_.writes.of(pc)) w.ready[r] = float(operands), w.why[r] = why;
    }
    end_warp(w, w.free);
  }

  void spend(u32 pc, Wait why, double cycles) {
    if (cycles > 0) out_.by_pc[pc].on[std::size_t(why)] += cycles;
  }

  // A warp of the oldest block goes first; of one block's warps, the one that has waited longest. Measured on an H200, of warps that
  // all have the same to do: of four blocks of 256 threads, the first ends after 27 % of the time, the second after 51 %, the third
  // after 76 %. The warps of one block of 1024 threads end together.
  void join_pool(u32 number, double time) {
    std::vector<Waiting>& pool = pool_[warps_[number].scheduler];
    const auto younger = [&](u64 turn, const Waiting& other) { return turn < warps_[other.warp].turn; };
    pool.insert(std::upper_bound(pool.begin(), pool.end(), warps_[number].turn, younger), {number, time});
  }
  void look_again(u32 scheduler, double time) {
    if (time >= wake_[scheduler]) return;
    wake_[scheduler] = time;
    ready_.push({time, scheduler, kNobody});
  }
  void issue_oldest(u32 scheduler, double time) {
    std::vector<Waiting>& pool = pool_[scheduler];
    if (pool.empty()) return;
    if (scheduler_free_[scheduler] > time) return look_again(scheduler, scheduler_free_[scheduler]);
    double next = kNever;
    for (std::size_t k = 0; k < pool.size(); ++k) {
      const auto [free, why] = accepted_at(pool[k].warp, time);
      if (free <= time + kNearly) {
        const Waiting chosen = pool[k];
        pool.erase(pool.begin() + std::ptrdiff_t(k));
        advance(chosen, time);
        if (!pool.empty()) look_again(scheduler, scheduler_free_[scheduler]);
        return;
      }
      pool[k].why = why;
      next = std::min(next, free);
    }
    look_again(scheduler, next);
  }

  // When the unit or the queue takes the warp's next instruction, and which it is.
  std::pair<double, Wait> accepted_at(u32 number, double time) const {
    const Warp& w = warps_[number];
    const Instruction& in = program_.code[w.at->pc];
    const Unit unit = costs_.cost[w.at->pc].unit;
    const double* const free = unit_free_[w.scheduler];
    if (unit == Unit::sums)
      return {std::min(free[u32(Unit::multiply)], free[u32(Unit::integer)]), Wait::unit};
    if (unit != Unit::none && u32(unit) < kSchedulerUnits) return {free[u32(unit)], Wait::unit};
    const bool is_barrier = in.shape == Shape::barrier;
    if (u32(unit) < kSchedulerUnits && !is_barrier) return {time, Wait::issue};
    double room = is_barrier ? 0.0 : memory_.room_at(in, *w.at);
    if (is_barrier || unit == Unit::shared) room = std::max(room, access_free_[w.scheduler]);
    return {room, Wait::queue};
  }

  void advance(const Waiting& waiting, double start) {
    const u32 number = waiting.warp;
    Warp& w = warps_[number];
    const Step& step = *w.at;
    const u32 pc = step.pc;
    const Instruction& in = program_.code[pc];
    const bool is_predicated = costs_.predicated[pc] > 0;
    IssueCost cost = costs_.cost[pc];
    double slots = cost.slots;
    if (is_predicated) slots = step.lines ? costs_.predicated[pc] : 0;
    const double part = part_of(in, step);  // of its time that it takes in this scenario
    const bool adds = adds_in_a_loop(in) && step.touched != kNoLines && !leaves_out(Cost::atomics);
    if (adds) slots = kSlotsOfHalf;
    slots *= part;
    cost.interval *= float(part);
    double& scheduler = scheduler_free_[w.scheduler];
    if (cost.unit == Unit::sums) cost.unit = freer_unit(w.scheduler);
    if (cost.unit != Unit::none && u32(cost.unit) < kSchedulerUnits) {
      double& unit = unit_free_[w.scheduler][u32(cost.unit)];
      unit = std::max(unit, start) + cost.interval;
    }
    if (in.shape == Shape::barrier || cost.unit == Unit::shared) {
      double& handing_over = access_free_[w.scheduler];
      handing_over = std::max(start, handing_over) + access_interval_;
    }
    spend_until(w, pc, waiting.since, waiting.why, start);
    scheduler = start + slots;
    out_.busy[std::size_t(Server::issue)] += slots;
    w.free = start + std::max(slots, is_predicated ? 0.0 : 1.0);
    spend(pc, Wait::issue, slots);
    if (cost.held > slots) {
      spend(pc, Wait::result, cost.held - slots);
      w.free = start + cost.held;
    }
    w.since = w.free;
    ++out_.steps;
    now_ = std::max(now_, w.free);
    if (adds) return add(number, w, step, start);
    double result = start + cost.latency * (leaves_out(Cost::idle_lanes) ? part : 1);
    Wait why = Wait::result;
    if (u32(cost.unit) >= kSchedulerUnits) {
      result = lines_there(in, step, w, memory_.access(in, step, first_line(w, step), start, now_, why));
      if (in.shape != Shape::store) result = start + (result - start) * part;
      if (in.shape == Shape::store && in.space != Space::shared)
        w.has_stored = slots_[w.slot].has_stored = true;
    }
    for (const RegisterNumber r : costs_.writes.of(pc)) w.ready[r] = float(result), w.why[r] = why;

    if (is_block_barrier(in.shape) && !leaves_out(Cost::barriers)) return arrive(w, start);
    if (jumps(in.shape) && !is_predicated && w.at + 1 != w.end && w.at[1].pc != pc + 1) {
      w.free += cost.latency;
      spend(pc, Wait::fetch, w.free - w.since);
      w.since = w.free;
    } else if (in.shape == Shape::fence) {
      if (w.has_stored) w.free = start + m_.fence_latency;
      w.has_stored = false;
      spend(pc, Wait::memory, w.free - w.since);
      w.since = w.free;
    }
    ++w.at;
    queue(number);
  }

  // Half a round of a loop that adds.
  void add(u32 number, Warp& w, const Step& step, double start) {
    const double window = m_.shared_latency + m_.fp32_add.latency;  // from a load to the swap
    const double round = m_.shared_add_float_same_latency / kWarpSize;
    Addition& addition = w.addition;
    if (addition.left.empty())
      addition.left.assign(w.touched->begin() + step.touched, w.touched->begin() + step.touched + step.lines);
    const bool swaps = addition.has_read;
    const double passed = memory_.pass_shared(start, swaps ? kPassesOfSwap : kPassesOfLoad);
    addition.has_read = !swaps;
    if (!swaps) addition.read = passed;
    const bool is_done = swaps && slots_[w.slot].swapped.swap(addition, passed);
    const double next = passed + (swaps ? round - window : window);
    spend(step.pc, Wait::shared, next - w.free);
    w.free = w.since = next;
    w.waits_for = Wait::shared;
    if (!is_done) return ready_.push({next, w.scheduler, number});
    for (const RegisterNumber r : costs_.writes.of(step.pc))
      w.ready[r] = float(next), w.why[r] = Wait::shared;
    ++w.at;
    queue(number);
  }

  u64 first_line(const Warp& w, const Step& step) const {
    return step.touched < w.touched->size() && is_load_or_store(program_.code[step.pc].shape)
               ? (*w.touched)[step.touched].line
               : 0;
  }

  bool leaves_out(Cost cost) const { return scenario_.left_out == cost; }

  Unit freer_unit(u32 scheduler) const {
    const double* const free = unit_free_[scheduler];
    return free[u32(Unit::multiply)] < free[u32(Unit::integer)] ? Unit::multiply : Unit::integer;
  }

  double part_of(const Instruction& in, const Step& step) const {
    if (leaves_out(Cost::idle_lanes)) return double(step.lanes) / kWarpSize;
    if (leaves_out(Cost::narrow)) return width_part(in, step);
    return 1;
  }

  // The time from w.since to `until`: up to w.free nothing, then for operands, then for `why`.
  void spend_until(Warp& w, u32 pc, double operands_there, Wait why, double until) {
    const double operands = std::clamp(operands_there, w.since, until);
    spend(pc, w.waits_for, operands - w.since);
    spend(pc, why, until - operands);
    w.since = until;
  }

  // A warp that finds a line in the L1 cache for which another one of its block has asked waits for it as that one does.
  double lines_there(const Instruction& in, const Step& step, const Warp& w, double result) {
    const bool is_cached = in.shape == Shape::load && in.order == MemoryOrder::weak &&
                           in.space != Space::shared && in.space != Space::local;
    if (!is_cached || step.touched == kNoLines) return result;
    std::unordered_map<u64, double>& comes = slots_[w.slot].comes;
    double last = result;
    for (u32 k = step.touched; k < step.touched + step.lines; ++k) {
      const u64 line = (*w.touched)[k].line;
      if (step.sectors > 0) comes[line] = result;
      else if (const auto found = comes.find(line); found != comes.end())
        last = std::max(last, found->second);
    }
    return last;
  }

  void arrive(Warp& w, double start) {
    Slot& s = slots_[w.slot];
    s.arrival = std::max(s.arrival, start);
    arrivals_.push_back({start, std::size_t(w.slot)});
    w.waits_at_barrier = true;
    if (++s.waiting == s.live) open_barrier(s);
  }
  void open_barrier(Slot& s) {
    const BarrierCost& cost = barrier_costs_[s.waiting - 1];
    while (arrivals_.front().first < s.arrival - cost.window) arrivals_.pop_front();
    u32 others = 0;
    for (const auto& [time, slot] : arrivals_) others += slot != std::size_t(&s - slots_.data());
    const double opens = s.arrival + cost.alone + others * cost.for_each_other;
    s.waiting = 0;
    s.arrival = 0;
    for (const u32 number : std::vector<u32>(s.warps)) {
      Warp& w = warps_[number];
      if (!w.waits_at_barrier || w.at == w.end) continue;
      w.waits_at_barrier = false;
      spend(w.at->pc, Wait::barrier, opens - w.since);
      w.free = w.since = opens;
      const u32 pc = w.at->pc;
      for (const RegisterNumber r : costs_.writes.of(pc)) w.ready[r] = float(opens), w.why[r] = Wait::barrier;
      ++w.at;
      queue(number);
    }
  }
  // Nobody can go on: parts of warps wait at barriers that the record has in another order.
  void open_barriers() {
    for (Slot& s : slots_)
      if (s.waiting > 0) return open_barrier(s);
  }

  const Machine& m_;
  const LaunchRecord& record_;
  const ProgramCosts& costs_;
  const Program& program_;
  const Scenario scenario_;
  u64 started_ = 0;
  u32 next_scheduler_ = 0;
  double dispatch_, access_interval_, store_end_, prologue_, warp_start_, turnover_;
  std::vector<BarrierCost> barrier_costs_;  // by warps that meet, less one
  std::deque<std::pair<double, std::size_t>> arrivals_;
  std::vector<Warp> warps_;
  std::vector<Slot> slots_;
  std::priority_queue<Event> ready_;
  std::vector<Waiting> pool_[kMostSchedulers];                       // the oldest first
  double wake_[kMostSchedulers] = {kNever, kNever, kNever, kNever};  // when it looks again
  double scheduler_free_[kMostSchedulers] = {};
  double unit_free_[kMostSchedulers][kSchedulerUnits] = {};
  double access_free_[kMostSchedulers] =
      {};  // to hand over the next access to shared memory, or arrival at a barrier
  double now_ = 0, dispatch_free_ = 0;
  MultiprocessorRun out_;
  const double per_nanosecond_;  // cycles of this multiprocessor for a nanosecond of what all share
  MemoryServers memory_;
};

}  // namespace

const char* name_of(Wait wait) {
  switch (wait) {
    case Wait::issue: return "issuing instructions";
    case Wait::unit: return "waiting for arithmetic units";
    case Wait::result: return "waiting for results of arithmetic";
    case Wait::shared: return "waiting for shared memory";
    case Wait::constant: return "waiting for constant memory";
    case Wait::memory: return "waiting for memory";
    case Wait::barrier: return "waiting at barriers";
    case Wait::atomic: return "waiting for atomics";
    case Wait::queue: return "waiting for room in the queues to memory";
    default: return "jumping";
  }
}

MultiprocessorRun run_blocks(const Machine& machine, const LaunchRecord& record, const Scenario& scenario) {
  return Multiprocessor(machine, record, scenario).run();
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
