#include "checking/races/shared_use.h"

#include <algorithm>
#include <bit>

#include "analysis/reachable.h"
#include "execution/device.h"
#include "ptx/names.h"

namespace gpusim {
namespace {

bool is_all_lanes(const Function& f, FrameOffset operand) {
  return std::ranges::any_of(f.constants, [operand](const Constant& c) {
    return c.frame == operand && c.base == Constant::Base::none && u32(c.value) == kAllLanes &&
           c.lane_stride == 0;
  });
}

}  // namespace

bool is_whole_warp(const Program& program, const Function& f, FrameOffset operand) {
  if (is_all_lanes(f, operand)) return true;
  bool found = false;
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    const Instruction& in = program.code[pc];
    if (std::ranges::find(in.d, operand) == std::end(in.d)) continue;
    if (in.shape != Shape::move || in.mode != kMovePlain || !is_all_lanes(f, in.s[0])) return false;
    found = true;
  }
  return found;
}

bool is_volatile_number(const Instruction& in) {
  return in.order == MemoryOrder::volatile_ && is_load_or_store(in.shape) && in.vector == 1 &&
         in.type != Type::f16 && in.type != Type::f32 && in.type != Type::f64;
}

bool is_flag_access(const Instruction& in) {
  return is_atomic(in.shape) || is_volatile_number(in) ||
         (is_load_or_store(in.shape) && in.order >= MemoryOrder::relaxed);
}

SharedUse shared_use(const LaunchInfo& launch) {
  const Program& program = *launch.program;
  SharedUse use;
  bool has_fences = false, has_flags = false, has_volatile_numbers = false;
  for (const u32 index : reachable_functions(program, launch.kernel->function)) {
    const Function& f = program.functions[index];
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      has_fences |= in.shape == Shape::fence;
      use.has_warp_syncs |= in.shape == Shape::warp_barrier;
      if (in.shape == Shape::warp_barrier) use.whole_warp_syncs_only &= is_whole_warp(program, f, in.s[0]);
      const bool is_atomic = gpusim::is_atomic(in.shape);
      use.partial_barriers |=
          in.shape == Shape::barrier_arrive || (is_block_barrier(in.shape) && in.s[1] != kNoOperand);
      if (in.shape == Shape::mbarrier) use.orders_threads = use.has_atomics = true;
      use.has_copies |= in.shape == Shape::async_copy;
      const bool may_be_shared = in.space == Space::shared || in.space == Space::generic;
      has_flags |= is_flag_access(in) && in.space != Space::local;
      if (!(reads_addressed(in.shape) || writes_addressed(in.shape)) || !may_be_shared) continue;
      const bool is_flag = !is_atomic && in.order >= MemoryOrder::relaxed;
      use.has_atomics |= is_atomic || is_flag;
      has_volatile_numbers |= is_volatile_number(in) && in.space == Space::shared;
      use.orders_threads |= is_flag || in.order > MemoryOrder::relaxed;
      use.unit_shift = std::min(use.unit_shift, u32(std::countr_zero(size_of(in.type) * in.vector)));
    }
  }
  use.volatile_flags = has_fences && has_volatile_numbers;
  use.has_atomics |= use.volatile_flags;
  use.orders_threads |= use.partial_barriers;
  use.orders_threads |= has_fences && has_flags;
  use.whole_warp_syncs_only &= !use.orders_threads;
  return use;
}

std::string shared_name(const LaunchInfo& launch, u64 address, u32 bytes) {
  const Program& program = *launch.program;
  for (const PlacedVariable& placed :
       place_shared(program, reachable_functions(program, launch.kernel->function))) {
    const Variable& v = program.variables[placed.variable];
    const u64 size = v.is_extern ? launch.dynamic_shared_bytes : v.size;
    const u64 at = address - placed.offset;  // wraps in front of the variable
    if (at >= size) continue;
    const std::string name = variable_name(v.name);
    if (size == bytes) return name;
    return name +
           (at % bytes == 0 ? "[" + std::to_string(at / bytes) + "]" : ", byte " + std::to_string(at) + ",");
  }
  return "byte " + std::to_string(address) + " of shared memory";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
