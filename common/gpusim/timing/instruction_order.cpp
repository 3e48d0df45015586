// Basic blocks, the order in which ptxas issues the instructions of one, and the registers that this takes.
#include <algorithm>
#include <queue>
#include <utility>

#include "ptx/cfg.h"
#include "timing/issue_costs.h"

namespace gpusim::timing {
namespace {

bool ends_block(const Instruction& in) {
  return in.shape == Shape::branch || in.shape == Shape::branch_table || in.shape == Shape::leave ||
         in.shape == Shape::call;
}

// Accesses that must not change places. Reads may, and accesses of different spaces.
struct Memory {
  bool touches = false, writes = false, orders_all = false;
  Space space = Space::global;
};
Memory memory_of(const Instruction& in) {
  switch (in.shape) {
    case Shape::load:
      return {in.space != Space::param && in.space != Space::constant, false, in.order != MemoryOrder::weak,
              in.space};
    case Shape::store: return {true, true, in.order != MemoryOrder::weak, in.space};
    case Shape::atomic:
    case Shape::reduction:
    case Shape::async_copy:
    case Shape::async_group:
    case Shape::mbarrier:
    case Shape::matrix_load:
    case Shape::fence:
    case Shape::barrier_arrive:
    case Shape::barrier:
    case Shape::barrier_red:
    case Shape::warp_barrier:
    case Shape::clock:
    case Shape::sleep:
    case Shape::call: return {true, true, true, Space::generic};
    default: return {};
  }
}
bool must_follow(const Memory& earlier, const Memory& later) {
  if (!earlier.touches || !later.touches) return false;
  if (earlier.orders_all || later.orders_all) return true;
  const bool may_meet =
      earlier.space == later.space || earlier.space == Space::generic || later.space == Space::generic;
  return may_meet && (earlier.writes || later.writes);
}

class BlockOrder {
 public:
  BlockOrder(const Program& program, const Machine& machine, ProgramCosts& out, u32 begin, u32 end)
      : program_(program), out_(out), begin_(begin), count_(end - begin), after_(count_), before_(count_, 0) {
    connect_registers();
    connect_memory();
    for (u32 k = 0; k < count_; ++k)
      if (out.predicated[begin + k] > 0)
        for (u32 body = k + 1; begin + body < program.code[begin + k].target && body < count_; ++body)
          connect(k, body);
    if (count_ > 0 && ends_block(program.code[end - 1]))
      for (u32 k = 0; k + 1 < count_; ++k) connect(k, count_ - 1);
    latency_.resize(count_);
    for (u32 k = 0; k < count_; ++k) latency_[k] = latency(machine, begin + k);
  }

  // The longest way to the end first, of those whose operands are there; else the one whose operands come first.
  void fill() {
    std::vector<double> height(count_, 0), ready(count_, 0);
    for (u32 k = count_; k-- > 0;)
      for (const u32 next : after_[k]) height[k] = std::max(height[k], height[next] + latency_[k]);
    for (u32 k = 0; k < count_; ++k) height[k] = std::max(height[k], latency_[k]);
    using Entry = std::pair<double, s64>;  // height or time; minus k: the earlier one first
    std::priority_queue<Entry> now;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> later;
    for (u32 k = 0; k < count_; ++k)
      if (before_[k] == 0) now.push({height[k], -s64(k)});
    double time = 0;
    for (u32 turn = 0; turn < count_; ++turn) {
      if (now.empty()) time = std::max(time, later.top().first);
      while (!later.empty() && later.top().first <= time) {
        const u32 k = u32(later.top().second);
        later.pop();
        now.push({height[k], -s64(k)});
      }
      const u32 k = u32(-now.top().second);
      now.pop();
      out_.position[begin_ + k] = turn;
      time += out_.cost[begin_ + k].slots;
      for (const u32 next : after_[k]) {
        ready[next] = std::max(ready[next], time + latency_[k]);
        if (--before_[next] == 0) later.push({ready[next], s64(next)});
      }
    }
  }

 private:
  void connect(u32 from, u32 to) {
    if (from == to || (!after_[from].empty() && after_[from].back() == to)) return;
    after_[from].push_back(to);
    ++before_[to];
  }
  void connect_registers() {
    // Names are dense within a block once sorted.
    std::vector<RegisterNumber> names;
    for (u32 k = 0; k < count_; ++k) {
      for (const RegisterNumber r : out_.reads.of(begin_ + k)) names.push_back(r);
      for (const RegisterNumber r : out_.writes.of(begin_ + k)) names.push_back(r);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    constexpr u32 kNobody = 0xffffffffu;
    std::vector<u32> writer_of(names.size(), kNobody);
    std::vector<std::vector<u32>> readers_of(names.size());
    const auto index = [&](RegisterNumber r) {
      return std::size_t(std::lower_bound(names.begin(), names.end(), r) - names.begin());
    };
    for (u32 k = 0; k < count_; ++k) {
      for (const RegisterNumber r : out_.reads.of(begin_ + k)) {
        const std::size_t i = index(r);
        if (writer_of[i] != kNobody) connect(writer_of[i], k);
        readers_of[i].push_back(k);
      }
      for (const RegisterNumber r : out_.writes.of(begin_ + k)) {
        const std::size_t i = index(r);
        for (const u32 reader : readers_of[i]) connect(reader, k);
        if (writer_of[i] != kNobody) connect(writer_of[i], k);
        readers_of[i].clear();
        writer_of[i] = k;
      }
    }
  }
  void connect_memory() {
    std::vector<std::pair<u32, Memory>> accesses;
    for (u32 k = 0; k < count_; ++k) {
      const Memory memory = memory_of(program_.code[begin_ + k]);
      if (!memory.touches) continue;
      for (const auto& [earlier, what] : accesses)
        if (must_follow(what, memory)) connect(earlier, k);
      if (memory.orders_all) accesses.clear();  // what comes later comes after it
      accesses.push_back({k, memory});
    }
  }
  double latency(const Machine& machine, u32 pc) const {
    const Instruction& in = program_.code[pc];
    if (in.shape == Shape::load || in.shape == Shape::atomic) {
      if (in.space == Space::shared) return machine["shared_latency"];
      if (in.space != Space::param && in.space != Space::constant) return machine["l2_latency"];
    }
    return out_.cost[pc].latency;
  }

  const Program& program_;
  ProgramCosts& out_;
  const u32 begin_, count_;
  std::vector<std::vector<u32>> after_;
  std::vector<u32> before_;
  std::vector<double> latency_;
};

}  // namespace

bool is_turned_branch(const Program& program, u32 pc) {
  const Instruction& in = program.code[pc];
  if (in.shape != Shape::branch || in.guard == kNoOperand || in.target != pc + 2) return false;
  if (pc + 2 >= program.code.size()) return false;
  const Instruction& jump = program.code[pc + 1];
  return jump.shape == Shape::branch && jump.guard == kNoOperand && jump.target <= pc;
}

BasicBlocks basic_blocks(const Program& program, const std::vector<float>& predicated) {
  const u32 size = u32(program.code.size());
  std::vector<bool> leads(size + 1, false);
  for (const Function& f : program.functions) leads[f.begin] = leads[f.end] = true;
  for (u32 pc = 0; pc < size; ++pc) {
    if (predicated[pc] > 0) continue;
    ptx::for_targets(program, program.code[pc], [&](u32 target) { leads[target] = true; });
    if (ends_block(program.code[pc]) && !is_turned_branch(program, pc)) leads[pc + 1] = true;
  }
  BasicBlocks blocks;
  std::vector<u32> number(size + 1, 0);
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

void fill_positions(const Program& program, const Machine& machine, const BasicBlocks& blocks,
                    ProgramCosts& out) {
  out.position.assign(program.code.size(), 0);
  out.block.assign(program.code.size(), 0);
  for (u32 b = 0; b + 1 < blocks.start.size(); ++b) {
    for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) out.block[pc] = b;
    BlockOrder(program, machine, out, blocks.start[b], blocks.start[b + 1]).fill();
  }
}

}  // namespace gpusim::timing
