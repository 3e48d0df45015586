#include "checking/races/missing_barrier.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "ptx/cfg.h"

namespace gpusim {
namespace {

const char* gerund(AccessKind kind) {
  return kind == AccessKind::load ? "reading" : kind == AccessKind::store ? "writing" : "updating";
}
// Whether a thread meets a barrier on its way; for threads of two warps, only the block's counts.
bool meets_barrier(const Program& program, u32 first, u32 last, bool one_warp = true) {
  return std::any_of(program.code.begin() + first, program.code.begin() + last, [&](const Instruction& in) {
    return is_block_barrier(in.shape) || (one_warp && in.shape == Shape::warp_barrier);
  });
}
// Whether what is stored at `store` is computed, between the two, from what is loaded at `load`.
bool is_made_of(const Program& program, u32 load, u32 store) {
  std::vector<FrameOffset> sources;
  const auto take = [&](const FrameOffset* first, const FrameOffset* last) {
    std::copy_if(first, last, std::back_inserter(sources), [](FrameOffset s) { return s != kNoOperand; });
  };
  const Instruction& write = program.code[store];
  take(std::begin(write.s) + 1, std::end(write.s));  // the first is the address
  for (u32 pc = store; pc-- > load;) {
    const Instruction& in = program.code[pc];
    if (std::ranges::find_first_of(in.d, sources) == std::end(in.d)) continue;
    if (pc == load) return true;
    if (!reads_addressed(in.shape)) take(std::begin(in.s), std::end(in.s));
  }
  return false;
}
// Whether a thread writes back at `store` what it has made of the element that it has read at `load`, with no barrier in
// between: mine[i] += 1.
bool is_update(const Program& program, u32 load, u32 store) {
  const Instruction &read = program.code[load], &write = program.code[store];
  return is_load_or_store(read.shape) && has_result(read.shape) && is_load_or_store(write.shape) &&
         writes_addressed(write.shape) && load < store && read.s[0] == write.s[0] &&
         read.offset == write.offset && !meets_barrier(program, load, store) &&
         ptx::leads_to(program, load, store) && is_made_of(program, load, store);
}
// Whether a thread writes back at `store` what it has made of an element that it has loaded, at whichever load.
bool ends_update(const Program& program, u32 store) {
  for (u32 pc = store;
       pc-- > 0 && !meets_barrier(program, pc, pc + 1) && program.code[pc].shape != Shape::leave;)
    if (is_update(program, pc, store)) return true;
  return false;
}

// The CUDA function that computes and stores the value atomically.
const char* atomic_for(const Program& program, u32 store) {
  const FrameOffset stored = program.code[store].s[1];
  for (u32 pc = store; pc-- > 0;) {
    const Instruction& in = program.code[pc];
    if (std::ranges::find(in.d, stored) == std::end(in.d)) continue;
    if (in.op == Op::or_) return "atomicOr";
    if (in.op == Op::and_) return "atomicAnd";
    if (in.op == Op::xor_) return "atomicXor";
    break;
  }
  return "atomicAdd";
}

}  // namespace

std::string lost_update(const Program& program, u32 x, u32 y) {
  const u32 store = writes_addressed(program.code[y].shape) ? y : x;
  return std::string(
             "each reads it, changes it and writes it back, so one of the changes is lost: make the update "
             "atomic (") +
         atomic_for(program, store) + "), or let only one thread update this element";
}

bool are_updates(const Program& program, u32 x, u32 y) {
  return is_update(program, x, y) || is_update(program, y, x) ||
         (program.code[x].shape == Shape::store && program.code[y].shape == Shape::store &&
          ends_update(program, x) && ends_update(program, y));
}
bool is_lost_update(const Program& program, u32 x, u32 y) {
  return !ptx::leads_to(program, x, x) && !ptx::leads_to(program, y, y) && are_updates(program, x, y);
}

std::string between_accesses(const Program& program, const RacingAccess& then, const RacingAccess& now,
                             bool one_warp) {
  if (then.kind == now.kind) return "the two writes";
  const auto said = [](const RacingAccess& first, const RacingAccess& second) {
    return std::string(gerund(first.kind)) + " and " + gerund(second.kind);
  };
  const bool on = ptx::leads_to(program, then.pc, now.pc), back = ptx::leads_to(program, now.pc, then.pc);
  if (on != back || !on) return back ? said(now, then) : said(then, now);
  const auto [first, second] = then.pc < now.pc ? std::pair(then, now) : std::pair(now, then);
  if (meets_barrier(program, first.pc, second.pc, one_warp))
    return said(second, first) + " in the next round of the loop";
  return second.kind == AccessKind::load
             ? said(first, second)
             : "the two, either within a round of the loop or before the next round";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
