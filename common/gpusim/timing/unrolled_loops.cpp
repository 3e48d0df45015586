// Loops of which the compiler does several rounds at a time: which they are, and what that changes in their instructions.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "ptx/cfg.h"
#include "timing/alignment.h"
#include "timing/issue_costs.h"
#include "timing/longer_loops.h"

namespace gpusim::timing {
namespace {

// A loop that is one basic block, of which the compiler does several rounds at a time.
class UnrolledLoop {
 public:
  // `pcs`: of a round, in order. `moves`: what counts is a sum that is moved to its place afterwards.
  UnrolledLoop(const Program& program, ProgramCosts& out, std::vector<u32> pcs, bool moves)
      : program_(program), out_(out), pcs_(std::move(pcs)), moves_(moves) {
    for (const u32 pc : pcs_)
      for (const RegisterNumber r : out.writes.of(pc)) ++writers_[r];
  }

  void fill() {
    find_folded();
    find_overlapping();
    if (counts_constants_) find_wide();
  }
  // Of a loop of several basic blocks, from one number to another, several rounds follow each other: but for the first, nothing is
  // left of what counts them. `others`: what else is in the loop, and not in each round.
  void thin_out(const std::vector<u32>& others) {
    for (const u32 pc : others)
      for (const RegisterNumber r : out_.writes.of(pc)) ++writers_[r];
    find_folded();
    std::unordered_set<RegisterNumber> known;
    for (const u32 pc : pcs_) {
      const bool counts = out_.folded[pc] || is_counter(pc);
      const auto read = out_.reads.of(pc);
      const ShapeFacts& facts = facts_of(program_.code[pc].shape);
      const bool asks =
          (facts.flow == ShapeFacts::Flow::jump || facts.result == ShapeFacts::Result::predicate) &&
          !read.empty() && std::ranges::all_of(read, [&](RegisterNumber r) { return known.contains(r); });
      if (!counts && !asks) continue;
      for (const RegisterNumber r : out_.writes.of(pc)) known.insert(r);
      IssueCost& cost = out_.cost[pc];
      for (float* each : {&cost.slots, &cost.interval, &cost.latency}) *each /= float(kUnrolled);
    }
  }
  // By a constant, or by what does not change in the loop: it can be counted before it begins.
  bool is_counted() {
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      if (in.op != Op::add || size_of(in.type) != 8 || in.d[0] != in.s[0]) continue;
      for (const u32 load : pcs_)
        if (is_global_load(program_.code[load]) && program_.code[load].s[0] == in.d[0]) return true;
    }
    if (counts_to_invariant()) return true;
    // Or it counts from one number to another, both written in the code.
    std::unordered_set<RegisterNumber> counts;
    for (const u32 pc : pcs_) {
      const auto read = out_.reads.of(pc);
      if (is_counter(pc)) counts.insert({out_.writes.of(pc)[0], read[0]});
      if (read.size() != 1 || !counts.contains(read[0])) continue;
      if (program_.code[pc].shape == Shape::compare) return counts_constants_ = true;
      if (program_.code[pc].shape == Shape::convert)
        for (const RegisterNumber r : out_.writes.of(pc)) counts.insert(r);
    }
    return false;
  }
  // From one number to another, as is_counted() has found.
  bool counts_constants() const { return counts_constants_; }

 private:
  // A number that goes up or down by a constant and is compared with one that does not change. Unsigned numbers may wrap around
  // before they get there, unless they take each number on the way.
  bool counts_to_invariant() const {
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      if (in.shape != Shape::compare || is_float(in.type)) continue;
      const auto compared = out_.reads.of(pc);
      for (const u32 counter : pcs_) {
        if (!is_counter(counter) || compared.size() != 2) continue;
        const RegisterNumber after = out_.writes.of(counter)[0], before = out_.reads.of(counter)[0];
        const bool is_first = compared[0] == after || compared[0] == before;
        const bool is_second = compared[1] == after || compared[1] == before;
        if (is_first == is_second || changes(compared[is_first ? 1 : 0])) continue;
        const s64 step = added(counter);
        if (is_signed(in.type) || step == 1 || step == -1) return true;
      }
    }
    return false;
  }
  bool is_counter(u32 pc) const {
    const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
    const Instruction& in = program_.code[pc];
    return in.op == Op::add && !is_float(in.type) && written.size() == 1 && read.size() == 1 &&
           (read[0] == written[0] || (moves_ && is_moved(written[0], read[0])));
  }
  bool is_moved(RegisterNumber from, RegisterNumber to) const {
    return std::any_of(pcs_.begin(), pcs_.end(), [&](u32 pc) {
      const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
      return program_.code[pc].shape == Shape::move && written.size() == 1 && read.size() == 1 &&
             read[0] == from && written[0] == to;
    });
  }
  bool changes(RegisterNumber r) const { return writers_.contains(r); }
  // Advances by an amount that does not change, so nothing waits long for it.
  bool is_step(u32 pc) const {
    const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
    const Instruction& in = program_.code[pc];
    return in.op == Op::add && !is_float(in.type) && written.size() == 1 && writers_.at(written[0]) == 1 &&
           std::all_of(read.begin(), read.end(),
                       [&](RegisterNumber r) { return r == written[0] || !changes(r); });
  }
  bool is_address(RegisterNumber r) const {  // and nothing else
    for (const u32 pc : pcs_) {
      const auto read = out_.reads.of(pc);
      const bool reads = std::find(read.begin(), read.end(), r) != read.end();
      if (reads && !is_load_or_store(program_.code[pc].shape)) return false;
    }
    return true;
  }

  // Finds what becomes a constant in each round, or the constant part of an address: registers that advance by a number, values
  // computed from these alone, and their sums with unchanging values.
  void find_folded() {
    std::unordered_set<RegisterNumber> known;
    for (const u32 pc : pcs_)
      if (is_counter(pc)) known.insert(out_.writes.of(pc)[0]);
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
      if (written.size() != 1 || read.empty() || is_load_or_store(in.shape) || is_float(in.type)) continue;
      const auto is_known = [&](RegisterNumber r) { return known.contains(r); };
      const bool all = std::all_of(read.begin(), read.end(), is_known);
      const bool offset = in.op == Op::add && std::any_of(read.begin(), read.end(), is_known) &&
                          std::all_of(read.begin(), read.end(),
                                      [&](RegisterNumber r) { return is_known(r) || !changes(r); }) &&
                          is_address(written[0]);
      // By a constant: a wide product, a shift, a product to be taken off.
      const bool divides = (in.op == Op::div || in.op == Op::rem) && size_of(in.type) <= 4;
      if (divides && !all && counts_constants_ && is_known(read.back()))
        out_.cost[pc] = {Unit::multiply, 3, 6, out_.cost[pc].latency / 8};
      if (!all && !offset) continue;
      out_.folded[pc] = true;
      if (all) known.insert(written[0]);
    }
  }

  // The number that it adds, if it is written in the code; else 0.
  s64 added(u32 pc) const {
    for (const Function& f : program_.functions) {
      if (pc < f.begin || pc >= f.end) continue;
      for (const Constant& c : f.constants)
        if (c.frame == program_.code[pc].s[1] && c.base == Constant::Base::none) return s64(c.value);
    }
    return 0;
  }

  // Loads of shared memory that go on from word to word, round by round: four rounds, or two of two words, become one
  // wide load, as in merge_shared_loads().
  void find_wide() {
    constexpr u64 kWide = 16;
    std::optional<Alignment> alignment;            // most loops load nothing that asks for it
    std::unordered_map<RegisterNumber, s64> step;  // of a round
    for (const u32 pc : pcs_)
      if (is_counter(pc)) step[out_.writes.of(pc)[0]] = added(pc);
    std::map<std::pair<RegisterNumber, s64>, std::vector<u32>>
        words;  // by address register, and multiple of its step
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      const auto read = out_.reads.of(pc), written = out_.writes.of(pc);
      if (out_.folded[pc] && in.op == Op::add && written.size() == 1 && !step.contains(written[0]))
        for (const RegisterNumber r : read) step[written[0]] += step.contains(r) ? step[r] : 0;
      if (in.shape != Shape::load || in.space != Space::shared || in.vector != 1 || size_of(in.type) != 4 ||
          read.size() != 1 || !step.contains(read[0]))
        continue;
      if (!alignment) alignment.emplace(program_, *program_.function_at(pc));
      if (alignment->in_first_round(pcs_, in.s[0]) < kWide) continue;
      const s64 bytes = step[read[0]], place = s64(s32(in.offset));
      if (bytes == 4 || bytes == 8)
        words[{read[0], (place - (place % bytes + bytes) % bytes) / bytes}].push_back(pc);
    }
    for (const auto& [at, loads] : words)
      if (s64(loads.size()) * 4 == step[at.first])
        for (const u32 pc : loads) {
          out_.passes[pc] = 0.5f;
          out_.cost[pc].slots /= 4;
        }
  }

  // Finds what does not wait for results of the previous round. Rounds do not overlap at all if a load would have to overtake a
  // store to the same kind of memory, or an instruction with a slow path. Nor is a load issued before it is known whether it is
  // executed at all.
  void find_overlapping() {
    std::unordered_set<RegisterNumber> left_behind;  // by the round before, until written
    bool loads[256] = {}, loads_any = false, may_meet = false;
    for (const u32 pc : pcs_)
      if (program_.code[pc].shape == Shape::load && !program_.code[pc].read_only)
        loads[u8(program_.code[pc].space)] = loads_any = true;
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      may_meet |= has_slow_path(in);
      if (in.shape == Shape::store || is_atomic(in.shape))
        may_meet |=
            loads[u8(in.space)] || loads[u8(Space::generic)] || (in.space == Space::generic && loads_any);
      if (!out_.folded[pc] && !is_step(pc))
        for (const RegisterNumber r : out_.writes.of(pc)) left_behind.insert(r);
    }
    if (may_meet) return;
    // A register that is written before it is read holds nothing of the round before.
    std::unordered_set<RegisterNumber> seen;
    for (const u32 pc : pcs_) {
      for (const RegisterNumber r : out_.reads.of(pc)) seen.insert(r);
      for (const RegisterNumber r : out_.writes.of(pc))
        if (seen.insert(r).second) left_behind.erase(r);
    }
    u32 waiting_to = 0;  // the end of what a branch that waits may leave out
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      const auto read = out_.reads.of(pc);
      const bool reads_left =
          std::any_of(read.begin(), read.end(), [&](RegisterNumber r) { return left_behind.contains(r); });
      if (in.shape == Shape::branch && reads_left) waiting_to = std::max(waiting_to, in.target);
      const bool waits = in.shape == Shape::store || is_atomic(in.shape) || in.shape == Shape::branch ||
                         reads_left || pc < waiting_to;
      out_.overlaps[pc] = !waits;
      for (const RegisterNumber r : out_.writes.of(pc))
        if (waits) left_behind.insert(r);
    }
  }

  const Program& program_;
  ProgramCosts& out_;
  const std::vector<u32> pcs_;
  const bool moves_;
  std::unordered_map<RegisterNumber, u32> writers_;
  bool counts_constants_ = false;
};

// Of the part of a loop that a condition guards; a jump at its end goes.
float slots_guarded(const Program& program, const BasicBlocks& blocks, const ProgramCosts& costs, u32 body) {
  const u32 end = blocks.start[body + 1];
  const bool jumps = program.code[end - 1].shape == Shape::branch;
  return slots_predicated(program, costs, blocks.start[body], end - jumps);
}

// A loop with one part that a condition guards, a load mostly: its blocks in the order in which a round comes to them. ptxas
// predicates the part, so that the round is one block. (Newer versions of clang unroll such a loop by two. Then all parts but
// the last are branches over a few instructions, which fill_predicated() has found.)
std::vector<u32> guarded_round(const Program& program, const BasicBlocks& blocks, const ProgramCosts& costs,
                               const std::vector<u32>& predecessors, u32 head) {
  const auto is_jump = [&](u32 b) {
    const Instruction& in = program.code[blocks.start[b]];
    return blocks.start[b + 1] == blocks.start[b] + 1 && in.shape == Shape::branch && in.guard == kNoOperand;
  };
  const auto& ways = blocks.successors[head];
  for (u32 k = 0; k < 2 && ways.size() == 2; ++k) {
    const u32 tail = ways[k];
    std::vector<u32> round{head, ways[1 - k]};
    if (is_jump(round.back())) round.push_back(blocks.successors[round.back()][0]);
    const u32 body = round.back();
    const auto& back = blocks.successors[tail];
    const bool is_round =
        body != tail && tail != head && blocks.successors[body] == std::vector<u32>{tail} &&
        predecessors[tail] == 2 && back.size() == 2 && (back[0] == head || back[1] == head) &&
        std::all_of(round.begin() + 1, round.end(), [&](u32 b) { return predecessors[b] == 1; });
    if (!is_round) continue;
    if (slots_guarded(program, blocks, costs, body) > kMostPredicated) continue;
    round.push_back(tail);
    return round;
  }
  return {};
}

// Of the round's jumps only the one back to its beginning is left; the part that is guarded takes its slots either way.
void predicate(const Program& program, const BasicBlocks& blocks, const std::vector<u32>& round,
               ProgramCosts& out) {
  const auto last_of = [&](u32 b) { return blocks.start[b + 1] - 1; };
  for (std::size_t k = 1; k + 1 < round.size(); ++k)
    if (program.code[last_of(round[k])].shape == Shape::branch) out.cost[last_of(round[k])] = {};
  const u32 body = round[round.size() - 2];
  out.predicated[last_of(round[0])] = std::max(slots_guarded(program, blocks, out, body), 0.1f);
}

// nvcc unrolls such loops too, if they are short and count from one number to another.
void thin_out_longer(const Program& program, const BasicBlocks& blocks, const Function& f, u32 most,
                     const std::function<bool(u32)>& stands_alone, ProgramCosts& out) {
  if (f.begin == f.end) return;
  const LongerLoops loops(blocks, blocks.of[f.begin]);
  loops.for_each([&](const WayBack& way, const std::vector<u32>& inside) {
    std::vector<u32> always, others;
    for (const u32 b : inside) {
      if (out.unrolled[b]) return;
      std::vector<u32>& pcs = loops.dominates(b, way.last) ? always : others;
      for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) pcs.push_back(pc);
    }
    if (always.size() + others.size() > most || std::ranges::any_of(always, stands_alone) ||
        std::ranges::any_of(others, stands_alone))
      return;
    if (std::ranges::binary_search(program.nounroll, blocks.start[way.first])) return;
    UnrolledLoop loop(program, out, always, false);
    if (loop.is_counted() && loop.counts_constants()) loop.thin_out(others);
  });
}

}  // namespace

// If the addresses in a loop advance by unchanging amounts, its rounds can be counted before it begins, and nvcc unrolls it.
// clang advances an address by itself only in loops that it could count. A loop in which warps meet, or
// in which an atomic's result is needed, is not unrolled.
void find_unrolled(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  constexpr u32 kMostInstructions = 32;
  const u32 count = u32(blocks.successors.size());
  out.unrolled.assign(count, false);
  out.loop.resize(count);
  std::iota(out.loop.begin(), out.loop.end(), 0u);
  out.folded.assign(program.code.size(), false);
  out.overlaps.assign(program.code.size(), false);
  std::vector<u32> predecessors(count, 0);
  for (const auto& successors : blocks.successors)
    for (const u32 next : successors) ++predecessors[next];
  const auto stands_alone = [&](u32 pc) {
    const Instruction& in = program.code[pc];
    if (is_atomic(in.shape)) return !out.unread[pc] || adds_in_a_loop(in);
    return facts_of(in.shape).unroll == ShapeFacts::Unroll::alone ||
           (in.shape == Shape::load && in.order != MemoryOrder::weak);
  };
  // The rest of a number of rounds that is not known would be a second place where the lanes of a warp meet.
  const auto meets_others = [&](u32 pc) {
    return facts_of(program.code[pc].shape).meets != ShapeFacts::Meets::nobody;
  };
  for (u32 b = 0; b < count; ++b) {
    const auto& next = blocks.successors[b];
    const bool is_one_block = std::find(next.begin(), next.end(), b) != next.end();
    const std::vector<u32> round =
        is_one_block ? std::vector<u32>{b} : guarded_round(program, blocks, out, predecessors, b);
    std::vector<u32> pcs;
    for (const u32 each : round)
      for (u32 pc = blocks.start[each]; pc < blocks.start[each + 1]; ++pc) pcs.push_back(pc);
    if (pcs.empty() || pcs.size() > kMostInstructions || std::any_of(pcs.begin(), pcs.end(), stands_alone))
      continue;
    if (std::binary_search(program.nounroll.begin(), program.nounroll.end(), pcs.front())) continue;
    UnrolledLoop loop(program, out, pcs, !is_one_block);
    if (!loop.is_counted() || (!loop.counts_constants() && std::any_of(pcs.begin(), pcs.end(), meets_others)))
      continue;
    for (const u32 each : round) {
      out.unrolled[each] = true;
      out.loop[each] = b;
    }
    loop.fill();
    if (!is_one_block) predicate(program, blocks, round, out);
  }
  for (const Function& f : program.functions)
    thin_out_longer(program, blocks, f, kMostInstructions, stands_alone, out);
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
