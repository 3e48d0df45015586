#include "jit/divergence.h"

#include <optional>

namespace gpusim {
namespace {

constexpr u32 kMostOfWays = 200;  // of both ways; each branch has its own machine code for them
constexpr u32 kDeepest = 5;       // branches in branches

class Ways {
 public:
  Ways(const LoadedModule& m, const Function& f) : m_(m), f_(f) {}

  // How many warp instructions lanes that part at the branch execute until they are together again, at most; nothing: too many,
  // or not by native code.
  std::optional<u32> of_branch(u32 pc, u32 depth = 0) const {
    const Instruction& in = m_.code.code[pc];
    if (in.guard == kNoOperand || in.target <= pc || in.reconverge <= pc || depth == kDeepest) return {};
    const std::optional<u32> one = to(pc + 1, in.reconverge, depth),
                             other = to(in.target, in.reconverge, depth);
    if (!one || !other || *one + *other > kMostOfWays) return {};
    return *one + *other;
  }

  // Calls visit(pc) for each instruction of the branch's ways.
  template <class F> void for_each(u32 branch, F visit) const {
    const Instruction& in = m_.code.code[branch];
    for (const u32 begin : {branch + 1, in.target})
      for (u32 pc = begin; pc != in.reconverge;) {
        visit(pc);
        if (m_.code.code[pc].shape == Shape::branch && m_.code.code[pc].guard != kNoOperand)
          for_each(pc, visit);
        if (next(pc) == kNoReconvergence) break;
        pc = next(pc);
      }
  }

 private:
  // Behind the instruction, and what parts there; kNoReconvergence: the lanes have left.
  u32 next(u32 pc) const {
    const Instruction& in = m_.code.code[pc];
    if (is_exit(in)) return kNoReconvergence;
    if (in.shape != Shape::branch) return pc + 1;
    return in.guard == kNoOperand ? in.target : in.reconverge;
  }

  std::optional<u32> to(u32 pc, u32 end, u32 depth) const {
    u32 count = 0;
    while (pc != end) {
      if (pc >= f_.end || ++count > kMostOfWays) return {};
      const Instruction& in = m_.code.code[pc];
      if (!is_of_some_lanes(m_, pc) && !(is_exit(in) && end == kNoReconvergence)) return {};
      if (in.shape == Shape::branch && in.guard != kNoOperand) {
        const std::optional<u32> inner = of_branch(pc, depth + 1);
        if (!inner) return {};
        if (in.reconverge == kNoReconvergence && end != kNoReconvergence) return {};
        count += *inner;
      }
      if (next(pc) <= pc) return {};
      pc = next(pc);
    }
    return count;
  }

  const LoadedModule& m_;
  const Function& f_;
};

}  // namespace

bool is_exit(const Instruction& in) { return in.op == Op::exit && in.guard == kNoOperand; }

bool is_of_some_lanes(const LoadedModule& m, u32 pc) {
  const Instruction& in = m.code.code[pc];
  const bool moves =
      m.row_move[pc] && in.order == MemoryOrder::weak && in.space != Space::local && in.space != Space::param;
  return m.lane_function[pc] || in.shape == Shape::branch || moves;
}

Divergence find_divergence(const LoadedModule& m, const Function& f) {
  const std::size_t size = m.code.code.size() + 1;
  Divergence divergence{std::vector<u32>(size), std::vector<bool>(size)};
  const Ways ways(m, f);
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    if (m.code.code[pc].shape != Shape::branch) continue;
    const std::optional<u32> most = ways.of_branch(pc);
    if (!most || *most == 0) continue;
    divergence.most[pc] = *most;
    ways.for_each(pc, [&](u32 inner) { divergence.is_of_parts[inner] = true; });
  }
  return divergence;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
