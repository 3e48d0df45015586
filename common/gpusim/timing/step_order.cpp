#include "timing/step_order.h"

#include <algorithm>

namespace gpusim::timing {
namespace {

// In loops that the compiler unrolls, kUnrolled rounds come together. First come the instructions that wait for nothing of the
// previous round, usually loads: each of them once for every round. Then the rest follows, round after round. One branch is left,
// and one copy of what counts the rounds.
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

// Of the rounds of a loop that waits for another thread, the last two: the one that is under way when the other thread writes, and the
// next. While blocks were recorded they ran one after the other, and a GPU runs them together, so how many rounds one of them waited
// says nothing.
void leave_last_polls(const ProgramCosts& costs, std::vector<Step>& steps) {
  if (std::ranges::none_of(steps, [&](const Step& step) { return costs.polls[costs.block[step.pc]]; }))
    return;
  std::vector<Step> out;
  out.reserve(steps.size());
  std::vector<std::size_t> rounds;  // where they begin in `out`
  for (const Step& step : steps) {
    const u32 block = costs.block[step.pc];
    if (out.empty() || costs.block[out.back().pc] != block) {
      rounds.assign(1, out.size());
    } else if (costs.polls[block] && step.pc <= out.back().pc) {  // one more
      if (rounds.size() == 2) {
        out.erase(out.begin() + std::ptrdiff_t(rounds[0]), out.begin() + std::ptrdiff_t(rounds[1]));
        rounds.pop_back();
      }
      rounds.push_back(out.size());
    }
    out.push_back(step);
  }
  steps = std::move(out);
}

}  // namespace

void find_polls(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  out.polls.assign(blocks.successors.size(), false);
  for (u32 b = 0; b < blocks.successors.size(); ++b) {
    if (std::ranges::count(blocks.successors[b], b) == 0) continue;
    bool reads = false, does_more = false;
    for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) {
      const Instruction& in = program.code[pc];
      reads |= in.shape == Shape::load && in.order != MemoryOrder::weak;
      does_more |= writes_addressed(in.shape) || in.shape == Shape::call ||
                   facts_of(in.shape).meets != ShapeFacts::Meets::nobody;
    }
    out.polls[b] = reads && !does_more;
  }
}

void order_steps(const ProgramCosts& costs, std::vector<Step>& steps) {
  leave_last_polls(costs, steps);
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
