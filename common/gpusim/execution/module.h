// A module in the device: its program, bound to functions and placed in memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/unset_registers.h"
#include "execution/branch_sides.h"
#include "execution/builtins.h"
#include "execution/device.h"
#include "lanes/lane_ops.h"
#include "ptx/program.h"

namespace gpusim {

// Where a kernel's static shared variables lie: one offset per Program::variables entry, then the total.
struct SharedLayout {
  std::vector<u32> offset;
  u32 static_bytes = 0;
};

struct LoadedModule : Module {
  Program code;
  std::vector<LaneFunction> lane_function;      // by pc; null: the executor executes the instruction itself
  std::vector<RowMover> row_move;               // by pc; null: neither a load nor a store
  std::vector<u32> straight_run;                // by pc (analysis/straight.h)
  std::vector<AtomicFunction> atomic_function;  // by pc; null: not an atomic
  std::vector<bool>
      may_defer;  // by pc: an atomic whose old value the kernel ignores, so it can be applied later
  std::vector<HostFunction> host_function;             // by Program::calls; null: the module's own function
  std::vector<HostLanesFunction> host_lanes_function;  // by Program::calls; null where there is none
  std::vector<bool> acts;  // by Program::calls: acts_by_itself() of the host's function
  std::vector<KernelInfo> kernels;
  std::vector<SharedLayout> shared;  // by kernel
  std::vector<Module::Variable> placed;
  mutable BranchSides branch_sides;  // by pc
  Memory* memory = nullptr;
  u64 first_code_address = 0;  // of the module's first function; the others follow

  // Even, because C++ uses the lowest bit of a pointer to a member function to say that the function is virtual.
  static constexpr u64 kFunctionBytes = 16;
  u64 address_of(u32 function) const { return first_code_address + function * kFunctionBytes; }
  std::optional<u32> function_at(
      u64 address) const;  // nothing: no function whose address is taken begins there

  ~LoadedModule() override;
  const Program& program() const override { return code; }
  const KernelInfo* kernel(std::string_view mangled_name) const override;
  const Module::Variable* variable(std::string_view name) const override;

  // The bytes of a kernel's frame that must be reset before another block uses it; null: the whole frame. Worked out when a launch
  // first asks. (No two launches of a module run at the same time.)
  const std::vector<FrameBytes>* unset_registers(const Function& kernel) const;

  // Whether blocks of a kernel may run at the same time, as far as its code or an earlier launch shows (launch/parallel_launch.h).
  bool may_run_in_parallel(const KernelInfo&) const;
  void must_run_alone(const KernelInfo& kernel) const { may_share_out_[&kernel] = false; }
  // See analysis/block_independence.h. A launch with the same arguments as the one before gets the same answer.
  bool are_blocks_apart(const LaunchInfo&) const;

 private:
  struct Apart {
    Dim3 grid, block;
    std::vector<u8> params;
    bool blocks_are_independent;
  };
  mutable std::map<const KernelInfo*, Apart> apart_;
  mutable std::map<const KernelInfo*, bool> may_share_out_;  // for kernels asked about so far
  mutable std::map<const Function*, std::optional<std::vector<FrameBytes>>> unset_registers_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
