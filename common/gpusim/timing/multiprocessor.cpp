#include "timing/multiprocessor.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <numeric>
#include <queue>
#include <unordered_map>

namespace gpusim::timing {
namespace {

constexpr u32 kMostSchedulers = 4;
// Cycles of work that a queue in front of a unit or a cache takes before a warp must wait to add to it.
constexpr double kUnitQueue = 32, kMemoryQueue = 400;

// What a block of so many warps takes from the last one's arrival at a barrier to the next instruction; and what each warp of
// another block that waits at a barrier at the same time adds to it.
struct BarrierCost {
  double alone = 0, for_each_other = 0;
  double window = 0;  // cycles
};
BarrierCost barrier_cost(const Machine& machine, u32 warps) {
  const OperationTime* const by_warps[] = {&machine.barrier_1_warps,  &machine.barrier_2_warps,
                                           &machine.barrier_4_warps,  &machine.barrier_8_warps,
                                           &machine.barrier_16_warps, &machine.barrier_32_warps};
  const auto measured = [&](u32 count) {  // a power of two
    const OperationTime& time = *by_warps[std::countr_zero(count)];
    const double blocks = std::min(double(machine.blocks_per_multiprocessor), machine.derived.warps / count);
    const double alone = time.latency, full = time.interval * blocks;
    const double handed_over =
        machine.shared_load_one_scheduler_interval * ((count - 1) / kMostSchedulers);  // one after the other
    return BarrierCost{alone - handed_over, std::max(0.0, full - alone) / ((blocks - 1) * count), full};
  };
  const u32 fewer = std::bit_floor(std::clamp(warps, 1u, 32u));
  const BarrierCost from = measured(fewer);
  if (fewer == 32) return from;
  const BarrierCost to = measured(2 * fewer);
  const double part = double(warps - fewer) / fewer;
  return {from.alone + part * (to.alone - from.alone),
          from.for_each_other + part * (to.for_each_other - from.for_each_other),
          from.window + part * (to.window - from.window)};
}

class Multiprocessor {
 public:
  Multiprocessor(const Machine& machine, const LaunchRecord& record, u64 blocks, u64 active, u64 most_steps)
      : m_(machine),
        record_(record),
        costs_(*record.costs),
        program_(*record.launch.program),
        blocks_(blocks),
        most_steps_(most_steps) {
    out_.by_pc.resize(program_.code.size());
    const double cycles = double(active) / m_.derived.nanoseconds;  // of this one for a ns of what all share
    l2_sector_ = m_.derived.l2_sector * cycles;
    l2_line_ = m_.derived.l2_line * cycles;
    l2_store_sector_ = m_.derived.l2_store_sector * cycles;
    l2_store_line_ = m_.derived.l2_store_line * cycles;
    dram_read_ = m_.derived.dram_read * cycles;
    dram_write_ = m_.derived.dram_write * cycles;
    per_nanosecond_ = cycles;
    const u64 threads = record.launch.block.count();
    dispatch_ =
        (threads > 768 ? m_.block_1024_threads_nanoseconds : m_.block_256_threads_nanoseconds) * cycles;
    for (u32 warps = 1; warps <= record.launch.warps_per_block; ++warps)
      barrier_costs_.push_back(barrier_cost(m_, warps));
    shared_pass_ = m_.shared_load_stride32_interval / 32;
    access_interval_ = m_.shared_load_one_scheduler_interval;
    // What changing from one block to the next takes, measured where there is room for one only; each more of its warps;
    // what an access takes before it is made, beyond what its instructions do; a store before the end.
    const auto alone = [&](double nanoseconds) { return nanoseconds / m_.derived.nanoseconds; };
    const double nothing = alone(m_.alone_32_threads_nothing_nanoseconds);
    warp_start_ = (alone(m_.alone_1024_threads_nothing_nanoseconds) - nothing) / 31;
    turnover_ = nothing - warp_start_;
    store_end_ = alone(m_.alone_32_threads_store_nanoseconds) - nothing;
    const double address = m_.int_popc.latency + m_.int_mad.latency + m_.int_wide_latency;
    prologue_ =
        std::max(0.0, alone(m_.alone_32_threads_load_nanoseconds) - nothing - m_.l2_latency - address);
    setup_mix();
  }

  MultiprocessorRun run() {
    const u32 resident = std::max(1u, record_.occupancy.blocks);
    slots_.resize(std::min<u64>(resident, blocks_));
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) start_block(slot, 0);
    while (!ready_.empty()) {
      const Entry next = ready_.top();
      ready_.pop();
      if (out_.steps >= most_steps_) {
        out_.whole = false;
        break;
      }
      advance(next.warp, next.time, next.reserved);
      if (ready_.empty()) open_barriers();
    }
    double end = now_;
    for (const double free : {l1_free_, port_free_, l2_free_, dram_free_, atomics_free_})
      end = std::max(end, out_.whole ? free : now_);
    out_.cycles = end;
    out_.busy[std::size_t(Server::issue)] /= kMostSchedulers;
    return std::move(out_);
  }

 private:
  struct Entry {
    double time;
    u32 warp;
    bool reserved;  // the unit, from then on
    bool operator<(const Entry& other) const {
      return time != other.time ? time > other.time : warp > other.warp;
    }
  };
  struct Warp {
    const Step* at = nullptr;
    const Step* end = nullptr;
    const std::vector<Touched>* touched = nullptr;
    std::size_t slot = 0;
    u32 scheduler = 0;
    double free = 0;                // when it may issue again
    double since = 0;               // what it waits for, it has waited for since then
    Wait waits_for = Wait::result;  // until its operands are there
    bool waits_at_barrier = false, has_stored = false;
    std::vector<float> ready;  // by register: when
    std::vector<Wait> why;     // and what for, until then
  };
  struct MemoryCost {
    double read = 0, write = 0, far = 0, apart = 0;
  };
  struct Slot {
    std::vector<u32> warps;
    u32 live = 0, waiting = 0;
    double arrival = 0;  // of the last one at the barrier
    bool has_stored = false;
    std::unordered_map<u64, double> comes = {};  // when the L1 cache has lines that it had not, by line
  };

  void setup_mix() {
    u64 reads = 0, writes = 0;
    for (const BlockRecord& block : record_.blocks)
      for (const auto& warp : block.warps)
        for (const Step& step : warp.steps)
          (program_.code[step.pc].shape == Shape::load ? reads : writes) += step.memory;
    memory_costs_.resize(record_.memory_use.size());
    if (reads + writes == 0) return;
    const double share = double(reads) / double(reads + writes);
    const double turns = 1 + (m_.derived.turns - 1) * 4 * share * (1 - share);
    dram_read_ *= turns;
    dram_write_ *= turns;
    setup_memory_costs();
  }

  // Of each instruction: cycles of the memory for a sector, by how many of its lines lie alone in their pages, and how many of the
  // sectors that it writes have to be read before.
  void setup_memory_costs() {
    // What stays in the L2 cache until the launch ends has not to be read by then.
    const double written = double(record_.lines_written) * (1 << kLineShift) *
                           double(record_.launch.grid.count()) / double(std::max<u64>(record_.blocks_run, 1));
    const double leaves = std::max(0.0, 1 - double(m_.l2_bytes) / std::max(written, 1.0));
    for (u32 pc = 0; pc < record_.memory_use.size(); ++pc) {
      const MemoryUse& use = record_.memory_use[pc];
      MemoryCost& cost = memory_costs_[pc];
      const auto between = [](double from, double to, double part) { return from + part * (to - from); };
      cost.far = use.lines ? double(use.far) / double(use.lines) : 0;
      cost.apart = use.pages ? 1 - double(use.accesses) / double(use.pages) : 0;
      cost.read = between(dram_read_, m_.derived.far_read * per_nanosecond_, cost.far);
      cost.write = between(dram_write_, m_.derived.far_write * per_nanosecond_, cost.far * leaves);
      const double in_part = use.stored ? double(use.in_part) / double(use.stored) : 0;
      cost.write +=
          in_part * leaves *
          between(dram_read_ * 2, (m_.derived.part_write - m_.derived.far_write) * per_nanosecond_, cost.far);
    }
  }

  void start_block(std::size_t slot, double at) {
    const BlockRecord& block = record_.blocks[started_++ % record_.blocks.size()];
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
    if (started_ < blocks_) start_block(w.slot, at + turnover_ + (s.has_stored ? store_end_ : 0));
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
        ready_.push({time, number, false});
        return;
      }
      for (const RegisterNumber r : costs_.writes.of(pc)) w.ready[r] = float(operands), w.why[r] = why;
    }
    end_warp(w, w.free);
  }

  void spend(u32 pc, Wait why, double cycles) {
    if (cycles > 0) out_.by_pc[pc].on[std::size_t(why)] += cycles;
  }

  void advance(u32 number, double time, bool reserved) {
    Warp& w = warps_[number];
    const Step& step = *w.at;
    const u32 pc = step.pc;
    const Instruction& in = program_.code[pc];
    const IssueCost& cost = costs_.cost[pc];
    double slots = cost.slots;
    const bool is_predicated = costs_.predicated[pc] > 0;
    if (is_predicated) slots = step.lines ? costs_.predicated[pc] : 0;
    double& scheduler = scheduler_free_[w.scheduler];
    double start = std::max(time, scheduler);
    if (!reserved && cost.unit != Unit::none && u32(cost.unit) < kSchedulerUnits) {
      double& unit = unit_free_[w.scheduler][u32(cost.unit)];
      const double from = std::max(time, unit);
      unit = std::max(from, start) + cost.interval;
      if (from > start + 0.5) {  // others may go first
        spend_until(w, pc, time, Wait::unit, from);
        ready_.push({from, number, true});
        return;
      }
    }
    const bool is_barrier = in.shape == Shape::barrier;
    if (!reserved && (u32(cost.unit) >= kSchedulerUnits || is_barrier)) {
      double room = is_barrier ? 0.0 : unit_room(in, step);
      if (is_barrier || cost.unit == Unit::shared) {
        double& handing_over = access_free_[w.scheduler];
        room = std::max(room, handing_over);
        handing_over = std::max(start, room) + access_interval_;
      }
      if (room > start + 0.5) {
        spend_until(w, pc, time, Wait::queue, room);
        ready_.push({room, number, true});
        return;
      }
    }
    if (!reserved) spend_until(w, pc, time, Wait::issue, start);
    else spend(pc, Wait::issue, start - w.since);
    scheduler = start + slots;
    out_.busy[std::size_t(Server::issue)] += slots;
    w.free = start + std::max(slots, is_predicated ? 0.0 : 1.0);
    w.since = w.free;
    spend(pc, Wait::issue, slots);
    ++out_.steps;
    now_ = std::max(now_, w.free);
    double result = start + cost.latency;
    Wait why = Wait::result;
    if (u32(cost.unit) >= kSchedulerUnits) result = lines_there(in, step, w, access(in, step, start, why, w));
    for (const RegisterNumber r : costs_.writes.of(pc)) w.ready[r] = float(result), w.why[r] = why;

    if (is_block_barrier(in.shape)) return arrive(w, start);
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

  // The time from w.since to `until`: up to w.free nothing, then for operands, then for `why`.
  void spend_until(Warp& w, u32 pc, double operands_there, Wait why, double until) {
    const double operands = std::clamp(operands_there, w.since, until);
    spend(pc, w.waits_for, operands - w.since);
    spend(pc, why, until - operands);
    w.since = until;
  }

  double serve(double& free, Server server, double from, double cost) {
    free = std::max(free, from) + cost;
    out_.busy[std::size_t(server)] += cost;
    return free;
  }

  // When the queues have room for another access.
  double unit_room(const Instruction& in, const Step& step) const {
    double room = l1_free_ - kUnitQueue;
    if (in.space == Space::shared) return room;
    if (step.sectors > 0)
      room = std::max({room, port_free_ - kMemoryQueue, l2_free_ - kMemoryQueue, dram_free_ - kMemoryQueue});
    if (is_atomic(in.shape)) room = std::max(room, atomics_free_ - kMemoryQueue);
    return room;
  }

  double access(const Instruction& in, const Step& step, double start, Wait& why, Warp& w) {
    const bool is_atomic = gpusim::is_atomic(in.shape);
    const bool is_store = in.shape == Shape::store;
    if (in.space == Space::shared) {
      why = Wait::shared;
      double passes = std::max<double>(step.lines, 1) * shared_pass_ * costs_.passes[step.pc];
      double latency = m_.shared_latency;
      if (is_atomic) {
        const bool loops = is_float(in.type);  // ptxas makes compare-and-swap of it
        passes = step.lines * (loops ? m_.shared_add_float_same_interval : m_.shared_add_same_interval) /
                 kWarpSize;
        latency = loops ? passes : m_.shared_atomic_latency;
      }
      return serve(l1_free_, Server::shared, start, passes) + latency - shared_pass_;
    }
    if (is_atomic) return global_atomic(in, step, start, why);
    why = Wait::memory;
    w.has_stored |= is_store;
    slots_[w.slot].has_stored |= is_store;
    const double looked_up = serve(l1_free_, Server::shared, start,
                                   std::max(m_.derived.l1_request, step.passes * m_.derived.l1_pass));
    double result = looked_up + m_.l1_latency - m_.derived.l1_request;
    if (step.sectors == 0) return result;
    const double sectors = step.sectors, lines = step.missed_lines;
    const double port = std::max(sectors * (is_store ? m_.derived.sm_store_sector : m_.derived.sm_sector),
                                 lines * (is_store ? m_.derived.sm_store_line : m_.derived.sm_line));
    const double l2 = std::max(sectors * (is_store ? l2_store_sector_ : l2_sector_),
                               lines * (is_store ? l2_store_line_ : l2_line_));
    // The last line's turn: a warp waits for all.
    const double others = lines > 1 ? 1 - 1 / lines : 0;
    const double at_l2 = std::max(serve(port_free_, Server::port, start, port) - port * (1 - others),
                                  serve(l2_free_, Server::l2, start, l2) - l2 * (1 - others));
    result = std::max(result, at_l2 + m_.l2_latency);
    if (step.memory == 0) return result;
    const MemoryCost& cost = memory_costs_[step.pc];
    const double dram = step.memory * (is_store ? cost.write : cost.read);
    const double at_dram = serve(dram_free_, Server::dram, start, dram) - dram;
    const double late = cost.apart * m_.derived.far_latency;  // the slowest one's
    return std::max(result, std::max(at_dram, at_l2) + m_.dram_latency + late + crowd());
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

  // Memory answers later when much is asked of it, before all of it is taken.
  double crowd() const {
    constexpr double kMost = 0.9;
    const double taken = now_ > 0 ? std::min(out_.busy[std::size_t(Server::dram)] / now_, kMost) : 0;
    return m_.derived.crowd * taken / (1 - taken);
  }

  double global_atomic(const Instruction& in, const Step& step, double start, Wait& why) {
    why = Wait::atomic;
    const bool of_floats = is_float(in.type);
    const AtomicTime& time = has_result(in.shape) ? m_.global_atomic_int
                             : of_floats          ? m_.global_red_float
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
  const u64 blocks_, most_steps_;
  u64 started_ = 0;
  u32 next_scheduler_ = 0;
  double l2_sector_, l2_line_, l2_store_sector_, l2_store_line_, dram_read_, dram_write_, per_nanosecond_;
  double dispatch_, shared_pass_, access_interval_, store_end_, prologue_, warp_start_, turnover_;
  std::vector<MemoryCost> memory_costs_;    // by pc
  std::vector<BarrierCost> barrier_costs_;  // by warps that meet, less one
  std::deque<std::pair<double, std::size_t>> arrivals_;
  std::vector<Warp> warps_;
  std::vector<Slot> slots_;
  std::priority_queue<Entry> ready_;
  double scheduler_free_[kMostSchedulers] = {};
  double unit_free_[kMostSchedulers][kSchedulerUnits] = {};
  double access_free_[kMostSchedulers] =
      {};  // to hand over the next access to shared memory, or arrival at a barrier
  double now_ = 0, l1_free_ = 0, port_free_ = 0, l2_free_ = 0, dram_free_ = 0, atomics_free_ = 0,
         dispatch_free_ = 0;
  MultiprocessorRun out_;
};

// Of the loops that the compiler unrolls kUnrolled rounds come together: first, an instruction of each round in turn, what
// waits for nothing of the round before, which are the loads mostly; then the rest, round after round. One branch is left, and
// one of what counts the rounds.
void unroll(const ProgramCosts& costs, std::vector<Step>& steps) {
  const auto is_unrolled = [&](const Step& step) { return costs.unrolled[costs.block[step.pc]]; };
  if (std::none_of(steps.begin(), steps.end(), is_unrolled)) return;
  const auto loop_of = [&](const Step& step) { return costs.loop[costs.block[step.pc]]; };
  std::vector<Step> out;
  out.reserve(steps.size());
  for (std::size_t at = 0; at < steps.size();) {
    std::size_t round = 1;  // steps of one
    while (at + round < steps.size() && steps[at + round].pc != steps[at].pc &&
           loop_of(steps[at + round]) == loop_of(steps[at]))
      ++round;
    const std::size_t last = at + (kUnrolled - 1) * round;
    const bool is_whole = is_unrolled(steps[at]) && last + round <= steps.size() &&
                          steps[last].pc == steps[at].pc &&
                          steps[last + round - 1].pc == steps[at + round - 1].pc;
    if (!is_whole) {
      out.insert(out.end(), steps.begin() + std::ptrdiff_t(at), steps.begin() + std::ptrdiff_t(at + round));
      at += round;
      continue;
    }
    const auto add = [&](u32 k, std::size_t i) {  // the i-th step of the k-th round
      const Step& step = steps[at + k * round + i];
      const bool is_left_out = i + 1 == round || costs.folded[step.pc];
      if (k + 1 == kUnrolled || !is_left_out) out.push_back(step);
    };
    const auto overlaps = [&](std::size_t i) { return costs.overlaps[steps[at + i].pc]; };
    for (std::size_t i = 0; i < round; ++i)
      for (u32 k = 0; overlaps(i) && k < kUnrolled; ++k) add(k, i);
    for (u32 k = 0; k < kUnrolled; ++k)
      for (std::size_t i = 0; i < round; ++i)
        if (!overlaps(i)) add(k, i);
    at += kUnrolled * round;
  }
  steps = std::move(out);
}

}  // namespace

const char* name_of(Wait wait) {
  switch (wait) {
    case Wait::issue: return "issuing instructions";
    case Wait::unit: return "waiting for arithmetic units";
    case Wait::result: return "waiting for results of arithmetic";
    case Wait::shared: return "waiting for shared memory";
    case Wait::memory: return "waiting for memory";
    case Wait::barrier: return "waiting at barriers";
    case Wait::atomic: return "waiting for atomics";
    case Wait::queue: return "waiting for room in the queues to memory";
    default: return "jumping";
  }
}

double Spent::total() const { return std::accumulate(on.begin(), on.end(), 0.0); }
Spent& Spent::operator+=(const Spent& other) {
  for (std::size_t k = 0; k < kWaits; ++k) on[k] += other.on[k];
  return *this;
}

MultiprocessorRun run_blocks(const Machine& machine, const LaunchRecord& record, u64 blocks, u64 active,
                             u64 most_steps) {
  return Multiprocessor(machine, record, blocks, active, most_steps).run();
}

void order_steps(const ProgramCosts& costs, std::vector<Step>& steps) {
  const auto end_of_run = [&](std::size_t first) {  // of steps that follow each other in one basic block
    std::size_t last = first + 1;
    while (last < steps.size() && costs.block[steps[last].pc] == costs.block[steps[first].pc] &&
           steps[last].pc > steps[last - 1].pc)
      ++last;
    return last;
  };
  for (std::size_t first = 0; first < steps.size();) {
    const std::size_t last = end_of_run(first);
    std::sort(steps.begin() + std::ptrdiff_t(first), steps.begin() + std::ptrdiff_t(last),
              [&](const Step& a, const Step& b) { return costs.position[a.pc] < costs.position[b.pc]; });
    first = last;
  }
  unroll(costs, steps);
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
