// Basic blocks, the order in which ptxas issues the instructions of one, and the registers that this takes.
#include <algorithm>
#include <optional>
#include <tuple>

#include "ptx/cfg.h"
#include "timing/issue_costs.h"

namespace gpusim::timing {
namespace {

// Accesses that must not change places. Reads may, and accesses of different spaces. A load of what nothing writes (.nc) may go past
// stores and atomics, too.
struct Memory {
  bool touches = false, writes = false, orders_all = false;
  Space space = Space::global;
  bool orders_constants = false, is_constant = false;
};
Memory memory_of(const Instruction& in) {
  const bool orders_constants = !is_atomic(in.shape);
  if (orders_memory(in.shape) || has_slow_path(in))
    return {true, true, true, Space::generic, orders_constants};
  const bool writes = facts_of(in.shape).writes != ShapeFacts::Memory::nothing;
  if (!writes && facts_of(in.shape).reads == ShapeFacts::Memory::nothing) return {};
  const bool is_constant = in.space == Space::param || in.space == Space::constant;
  return {writes || !is_constant, writes, in.order != MemoryOrder::weak, in.space, true, in.read_only};
}
bool must_follow(const Memory& earlier, const Memory& later) {
  if (!earlier.touches || !later.touches) return false;
  if (earlier.is_constant || later.is_constant) {
    const Memory& other = earlier.is_constant ? later : earlier;
    return other.orders_all && other.orders_constants;
  }
  if (earlier.orders_all || later.orders_all) return true;
  const bool may_meet =
      earlier.space == later.space || earlier.space == Space::generic || later.space == Space::generic;
  return may_meet && (earlier.writes || later.writes);
}

class BlockOrder {
 public:
  // `room`: for so many registers.
  BlockOrder(const Program& program, const Machine& machine, const Liveness& live, ProgramCosts& out,
             u32 block, u32 begin, u32 end, u32 room)
      : program_(program),
        out_(out),
        begin_(begin),
        count_(end - begin),
        room_(s32(room)),
        after_(count_),
        before_(count_, 0),
        made_(count_, 0),
        reads_(count_) {
    connect_registers(live, live.in[block], live.out[block]);
    connect_memory();
    for (u32 k = 0; k < count_; ++k)
      if (out.predicated[begin + k] > 0)
        for (u32 body = k + 1; begin + body < program.code[begin + k].target && body < count_; ++body)
          connect(k, body);
    if (count_ > 0 && ends_basic_block(program.code[end - 1].shape))
      for (u32 k = 0; k + 1 < count_; ++k) connect(k, count_ - 1);
    latency_.resize(count_);
    for (u32 k = 0; k < count_; ++k) latency_[k] = latency(machine, begin + k);
    find_addresses();
  }

  // Returns how many registers are taken at most.
  u32 fill() {
    s32 most = taken_;
    std::vector<double> height(count_, 0), ready(count_, 0);
    for (u32 k = count_; k-- > 0;)
      for (const u32 next : after_[k]) height[k] = std::max(height[k], height[next] + latency_[k]);
    for (u32 k = 0; k < count_; ++k) height[k] = std::max(height[k], latency_[k]);
    std::vector<u32> free;  // all that come before have been issued
    for (u32 k = 0; k < count_; ++k)
      if (before_[k] == 0) free.push_back(k);
    double time = 0;
    for (u32 turn = 0; turn < count_; ++turn) {
      const u32 k = next_of(free, height, ready, time);
      time = std::max(time, ready[k]);
      free.erase(std::find(free.begin(), free.end(), k));
      issue(k);
      most = std::max(most, taken_);
      out_.position[begin_ + k] = turn;
      time += out_.cost[begin_ + k].slots;
      for (const u32 next : after_[k]) {
        ready[next] = std::max(ready[next], time + latency_[k]);
        if (--before_[next] == 0) free.push_back(next);
      }
    }
    return u32(most);
  }

 private:
  // The next instruction. Among those whose results fit into registers, the one with the longest way to the end if its operands
  // are ready, otherwise the one whose operands are ready first. If no result fits, the one that needs the fewest registers.
  u32 next_of(const std::vector<u32>& free, const std::vector<double>& height,
              const std::vector<double>& ready, double time) const {
    using Key = std::tuple<s32, double, double, u32>;
    std::optional<Key> least;
    for (const u32 k : free) {
      const s32 more = growth(k);
      const bool has_room = more <= 0 || taken_ + more <= room_;
      const Key key(has_room ? 0 : more, std::max(ready[k], time), -height[k], k);
      if (!least || key < *least) least = key;
    }
    return std::get<u32>(*least);
  }
  void connect(u32 from, u32 to) {
    if (from == to || (!after_[from].empty() && after_[from].back() == to)) return;
    after_[from].push_back(to);
    ++before_[to];
  }
  // A value lives from the instruction that makes it to the last one that reads it, or beyond the block.
  struct Value {
    s32 width = 0;
    u32 made_by = kNobody;
    u32 readers = 0;  // still to be issued
    bool stays = false;
  };
  static constexpr u32 kNobody = 0xffffffffu;
  void connect_registers(const Liveness& live, const std::vector<RegisterNumber>& in,
                         const std::vector<RegisterNumber>& lives_on) {
    // Names are dense within a block once sorted.
    std::vector<RegisterNumber> names = in;
    for (u32 k = 0; k < count_; ++k) {
      for (const RegisterNumber r : out_.reads.of(begin_ + k)) names.push_back(r);
      for (const RegisterNumber r : out_.writes.of(begin_ + k)) names.push_back(r);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::vector<u32> writer_of(names.size(), kNobody), value_of(names.size());
    std::vector<std::vector<u32>> readers_of(names.size());
    const auto index = [&](RegisterNumber r) {
      return std::size_t(std::lower_bound(names.begin(), names.end(), r) - names.begin());
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
      value_of[i] = u32(values_.size());
      values_.push_back({live.width[names[i]]});
    }
    for (const RegisterNumber r : in) taken_ += live.width[r];
    for (u32 k = 0; k < count_; ++k) {
      for (const RegisterNumber r : out_.reads.of(begin_ + k)) {
        const std::size_t i = index(r);
        if (writer_of[i] != kNobody) connect(writer_of[i], k);
        readers_of[i].push_back(k);
        std::vector<u32>& values = reads_[k];
        if (std::find(values.begin(), values.end(), value_of[i]) != values.end()) continue;
        values.push_back(value_of[i]);
        ++values_[value_of[i]].readers;
      }
      for (const RegisterNumber r : out_.writes.of(begin_ + k)) {
        const std::size_t i = index(r);
        for (const u32 reader : readers_of[i]) connect(reader, k);
        if (writer_of[i] != kNobody) connect(writer_of[i], k);
        readers_of[i].clear();
        writer_of[i] = k;
        if (program_.code[begin_ + k].guard != kNoOperand) continue;  // the value before is not gone
        value_of[i] = u32(values_.size());
        values_.push_back({live.width[r], k});
      }
    }
    for (const RegisterNumber r : lives_on)
      if (const std::size_t i = index(r); i < names.size() && names[i] == r)
        values_[value_of[i]].stays = true;
  }
  // Once an address is being computed, the result of its load will need registers. They are set aside at that point, and hold the
  // address as well.
  void find_addresses() {
    constexpr s32 kAddress = 2;
    load_.assign(count_, kNobody);
    for (u32 k = count_; k-- > 0;) {
      if (program_.code[begin_ + k].shape == Shape::load) load_[k] = k;
      else if (computes_lanes(program_.code[begin_ + k].shape))
        for (const u32 next : after_[k]) load_[k] = std::min(load_[k], load_[next]);
    }
    std::vector<bool> is_of_address(values_.size());
    for (u32 v = 0; v < values_.size(); ++v) {
      const u32 k = values_[v].made_by;
      is_of_address[v] = k != kNobody && load_[k] != kNobody && load_[k] != k && !values_[v].stays;
    }
    for (u32 k = 0; k < count_; ++k)
      for (const u32 v : reads_[k])
        if (is_of_address[v] && load_[k] != load_[values_[v].made_by]) is_of_address[v] = false;
    for (u32 v = 0; v < values_.size(); ++v) {
      if (is_of_address[v]) values_[v].width = 0;
      if (values_[v].made_by != kNobody && (values_[v].readers > 0 || values_[v].stays))
        made_[values_[v].made_by] += values_[v].width;
    }
    set_aside_.assign(count_, 0);
    for (u32 k = 0; k < count_; ++k)
      if (load_[k] == k) set_aside_[k] = std::max(made_[k], kAddress);
    is_begun_.assign(count_, false);
  }
  // By how many registers more are taken once `k` has been issued.
  s32 growth(u32 k) const {
    s32 more = made_[k];
    for (const u32 value : reads_[k])
      if (values_[value].readers == 1 && !values_[value].stays) more -= values_[value].width;
    const u32 load = load_[k];
    if (load == kNobody) return more;
    if (load == k) return more - (is_begun_[k] ? set_aside_[k] : 0);
    return more + (is_begun_[load] ? 0 : set_aside_[load]);
  }
  void issue(u32 k) {
    taken_ += growth(k);
    if (load_[k] != kNobody) is_begun_[load_[k]] = true;
    for (const u32 value : reads_[k]) --values_[value].readers;
  }
  void connect_memory() {
    std::vector<std::pair<u32, Memory>> accesses;
    for (u32 k = 0; k < count_; ++k) {
      const Memory memory = memory_of(program_.code[begin_ + k]);
      if (!memory.touches) continue;
      for (const auto& [earlier, what] : accesses)
        if (must_follow(what, memory)) connect(earlier, k);
      if (memory.orders_all && memory.orders_constants) accesses.clear();  // what comes later comes after it
      accesses.push_back({k, memory});
    }
  }
  double latency(const Machine& machine, u32 pc) const {
    const Instruction& in = program_.code[pc];
    if (reads_addressed(in.shape) && has_result(in.shape)) {
      if (in.space == Space::shared) return machine.shared_latency;
      if (in.space != Space::param && in.space != Space::constant) return machine.l2_latency;
    }
    return out_.cost[pc].latency;
  }

  const Program& program_;
  ProgramCosts& out_;
  const u32 begin_, count_;
  const s32 room_;
  s32 taken_ = 0;  // registers
  std::vector<std::vector<u32>> after_;
  std::vector<u32> before_;
  std::vector<double> latency_;
  std::vector<s32> made_;                // by instruction: registers of what it writes
  std::vector<std::vector<u32>> reads_;  // by instruction: numbers of values
  std::vector<Value> values_;
  std::vector<u32> load_;  // by instruction: the load that it is or of whose address it is a part, or kNobody
  std::vector<s32> set_aside_;  // by load: registers, as soon as one works out its address
  std::vector<bool> is_begun_;  // by load
};

}  // namespace

bool is_turned_branch(const Program& program, u32 pc) {
  const Instruction& in = program.code[pc];
  if (in.shape != Shape::branch || in.guard == kNoOperand || in.target != pc + 2) return false;
  if (pc + 2 >= program.code.size()) return false;
  const Instruction& jump = program.code[pc + 1];
  return jump.shape == Shape::branch && jump.guard == kNoOperand && jump.target <= pc;
}

bool jumps_to_next(const Instruction& in, u32 pc) {
  return in.shape == Shape::branch && in.guard == kNoOperand && in.target == pc + 1;
}

BasicBlocks basic_blocks(const Program& program, const std::vector<float>& predicated) {
  const u32 size = u32(program.code.size());
  std::vector<bool> leads(size + 1, false);
  for (const Function& f : program.functions) leads[f.begin] = leads[f.end] = true;
  for (u32 pc = 0; pc < size; ++pc) {
    if (predicated[pc] > 0 || jumps_to_next(program.code[pc], pc)) continue;
    ptx::for_targets(program, program.code[pc], [&](u32 target) { leads[target] = true; });
    if (ends_basic_block(program.code[pc].shape) && !is_turned_branch(program, pc)) leads[pc + 1] = true;
  }
  BasicBlocks blocks;
  std::vector<u32>& number = blocks.of;
  number.assign(size + 1, 0);
  leads[0] = true;
  for (u32 pc = 0; pc < size; ++pc) {
    if (leads[pc]) blocks.start.push_back(pc);
    number[pc] = u32(blocks.start.size() - 1);
  }
  blocks.start.push_back(size);
  blocks.successors.resize(blocks.start.size() - 1);
  std::vector<bool> ends_function(size + 1, false);
  for (const Function& f : program.functions) ends_function[f.end] = true;
  for (u32 b = 0; b + 1 < blocks.start.size(); ++b) {
    const u32 end = blocks.start[b + 1];
    const Instruction& last = program.code[end - 1];
    if (predicated[end - 1] > 0) {  // its body leads somewhere else: it ends here all the same
      blocks.successors[b] = {number[program.code[end - 1].target]};
      if (number[end] != blocks.successors[b][0]) blocks.successors[b].push_back(number[end]);
      continue;
    }
    ptx::for_targets(program, last, [&](u32 target) { blocks.successors[b].push_back(number[target]); });
    const bool is_turned = end - blocks.start[b] >= 2 && is_turned_branch(program, end - 2);
    if ((is_turned || ptx::falls_through(last)) && !ends_function[end])
      blocks.successors[b].push_back(number[end]);
  }
  return blocks;
}

// Before ptxas lets a kernel have fewer blocks on a multiprocessor, it recomputes values that it might keep, above all addresses.
// How many registers that frees depends on the code: 10 in chapter 12's `collect`, which has 8 addresses.
constexpr u32 kComputedAnew = 12;

void fill_positions(const Program& program, const Machine& machine, const BasicBlocks& blocks,
                    const Liveness& live, ProgramCosts& out) {
  out.position.assign(program.code.size(), 0);
  for (const Function& f : program.functions) {
    for (const u32 registers : registers_by_blocks(f, machine)) {
      const u32 room = registers - std::min(registers, kOwnRegisters);
      u32 most = 0;
      for (u32 b = blocks.of[f.begin]; f.begin < f.end && b <= blocks.of[f.end - 1]; ++b)
        most = std::max(
            most,
            BlockOrder(program, machine, live, out, b, blocks.start[b], blocks.start[b + 1], room).fill());
      if (most <= room + kComputedAnew) break;
    }
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
