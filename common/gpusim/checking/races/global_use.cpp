#include "checking/races/global_use.h"

#include <algorithm>
#include <unordered_set>

#include "checking/races/shared_use.h"
#include "execution/device.h"
#include "ptx/cfg.h"
#include "ptx/program.h"
#include "ptx/shapes.h"

namespace gpusim {
namespace {

// Follows the values that atomicCAS expects back through moves to loads, within a function.
void find_guesses(const Program& program, const Function& f, GlobalUse& use) {
  std::vector<FrameOffset> expected;
  const auto known = [&](FrameOffset at) { return std::ranges::find(expected, at) != expected.end(); };
  for (u32 pc = f.begin; pc < f.end; ++pc)
    if (program.code[pc].op == Op::atom_cas) expected.push_back(program.code[pc].s[1]);
  for (std::size_t before = 0; before != expected.size();) {
    before = expected.size();
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.op == Op::mov && in.mode == kMovePlain && known(in.d[0]) && !known(in.s[0]))
        expected.push_back(in.s[0]);
    }
  }
  for (u32 pc = f.begin; pc < f.end; ++pc)
    use.access[pc].is_guess = program.code[pc].shape == Shape::load && known(program.code[pc].d[0]);
}

// Follows what comparisons compare back to where it comes from, within a function.
void find_decisions(const Program& program, const Function& f, GlobalUse& use) {
  std::unordered_set<FrameOffset> decides;
  const auto is_moved_or_computed = [](const Instruction& in) {
    return facts_of(in.shape).reads == ShapeFacts::Memory::nothing && in.shape != Shape::call;
  };
  const auto add_sources = [&](const Instruction& in) {
    for (const FrameOffset source : in.s)
      if (source != kNoOperand) decides.insert(source);
  };
  const auto has_deciding_result = [&](const Instruction& in) {
    return std::ranges::any_of(in.d, [&](FrameOffset d) { return d != kNoOperand && decides.contains(d); });
  };
  for (u32 pc = f.begin; pc < f.end; ++pc)
    if (facts_of(program.code[pc].shape).result == ShapeFacts::Result::predicate)
      add_sources(program.code[pc]);
  for (std::size_t before = 0; before != decides.size();) {
    before = decides.size();
    for (u32 pc = f.begin; pc < f.end; ++pc)
      if (is_moved_or_computed(program.code[pc]) && has_deciding_result(program.code[pc]))
        add_sources(program.code[pc]);
  }
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    const Instruction& in = program.code[pc];
    AccessUse& access = use.access[pc];
    if (is_atomic(in.shape) && has_deciding_result(in)) {
      use.draws_tickets = true;
      const bool takes = in.op == Op::atom_cas || in.op == Op::atom_exch;
      if (takes && ptx::leads_to(program, pc, pc)) use.locks.push_back(pc);
    }
    if (in.shape == Shape::load)
      access.is_taken_as_found = (access.is_volatile || access.is_strong) && !has_deciding_result(in);
  }
}

}  // namespace

GlobalUse global_use(const LaunchInfo& launch) {
  const Program& program = *launch.program;
  GlobalUse use;
  bool has_fences = false;
  use.fence.resize(program.code.size());
  use.access.resize(program.code.size());
  const auto look_at = [&](const Function& f) {
    bool calls = false;
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      calls |= in.shape == Shape::call;
      has_fences |= in.shape == Shape::fence || in.order > MemoryOrder::relaxed;
      use.has_shared_flags |= is_flag_access(in) && in.space != Space::global && in.space != Space::local;
      use.has_warp_syncs |= in.shape == Shape::warp_barrier;
      use.orders_partly |= in.shape == Shape::fence || in.order > MemoryOrder::relaxed ||
                           (in.shape == Shape::warp_barrier && !is_whole_warp(program, f, in.s[0]));
      if (in.shape == Shape::fence)
        use.fence[pc] = in.block_scope    ? FenceScope::block
                        : in.system_scope ? FenceScope::system
                                          : FenceScope::device;
      const bool is_copy = in.shape == Shape::async_copy;  // its own space is that which it writes
      if (!may_access_global(in) || size_of(in.type) == 0) continue;
      // A copy may read a part of what it writes, byte by byte.
      const u32 bytes = !is_copy ? size_of(in.type) * in.vector : in.s[2] == kNoOperand ? 4 * in.vector : 1;
      use.smallest_access = std::min(use.smallest_access, bytes);
      AccessUse& access = use.access[pc];
      access.element_bytes = u8(size_of(in.type));
      access.is_volatile = in.order == MemoryOrder::volatile_;
      access.is_flag = is_volatile_number(in);
      access.is_strong = in.order >= MemoryOrder::relaxed || is_atomic(in.shape);
      access.block_scope = in.block_scope;
      access.system_scope = in.system_scope || access.is_volatile;
    }
    find_guesses(program, f, use);
    find_decisions(program, f, use);
    return calls;
  };
  // A kernel that calls something might call anything.
  if (look_at(program.functions[launch.kernel->function]))
    for (const Function& f : program.functions) look_at(f);
  if (!has_fences)
    for (AccessUse& access : use.access) access.is_flag = false;
  use.has_shared_flags &= has_fences;
  return use;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
