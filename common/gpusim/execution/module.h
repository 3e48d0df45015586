// A module in the device: its program, bound to functions and placed in memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/unset_registers.h"
#include "execution/builtins.h"
#include "execution/device.h"
#include "execution/native_code.h"
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
  std::vector<LaneFunction> lane_function;      // by pc; null: the executor's own business
  std::vector<RowMover> row_move;               // by pc; null: neither a load nor a store
  std::vector<u32> straight_run;                // by pc (analysis/straight.h)
  std::vector<AtomicFunction> atomic_function;  // by pc; null: not an atomic
  std::vector<bool> may_put_off;            // by pc: atomics that matter to those only who look there later
  std::vector<HostFunction> host_function;  // by Program::calls; null: the module's own function
  std::vector<HostLanesFunction> host_lanes_function;  // by Program::calls; null where there is none
  std::vector<bool> acts;                              // by Program::calls: acts_by_itself()
  std::vector<KernelInfo> kernels;
  std::vector<SharedLayout> shared;  // by kernel
  std::vector<Module::Variable> placed;
  Memory* memory = nullptr;
  u64 first_code_address = 0;  // of the module's first function; the others follow

  // Even, as C++ needs it: the lowest bit of a pointer to a member says whether that is virtual.
  static constexpr u64 kFunctionBytes = 16;
  u64 address_of(u32 function) const { return first_code_address + function * kFunctionBytes; }
  std::optional<u32> function_at(u64 address) const;  // nothing: none whose address is taken begins there

  ~LoadedModule() override;
  const Program& program() const override { return code; }
  const KernelInfo* kernel(std::string_view mangled_name) const override;
  const Module::Variable* variable(std::string_view name) const override;

  // What a NativeCompiler knows of functions.
  mutable std::map<const Function*, std::shared_ptr<NativeKernel>> native_kernels;
  mutable std::map<const Function*, double> interpreted_seconds;  // of those that it has not compiled

  // What a kernel's frame must get back before another block has it, or null: looked for when a launch first asks. (No two
  // launches of a module run at the same time.)
  const std::vector<FrameBytes>* unset_registers(const Function& kernel) const;

  // Whether blocks of a kernel may run at the same time, as far as its code says, or a launch has shown (launch/parallel_launch.h).
  bool may_run_in_parallel(const KernelInfo&) const;
  void must_run_alone(const KernelInfo& kernel) const { may_share_out_[&kernel] = false; }
  // analysis/block_independence.h; a launch that is like the kernel's one before is not looked at again.
  bool are_blocks_apart(const LaunchInfo&) const;

 private:
  struct Apart {
    Dim3 grid, block;
    std::vector<u8> params;
    bool blocks_are_independent;
  };
  mutable std::map<const KernelInfo*, Apart> apart_;
  mutable std::map<const KernelInfo*, bool> may_share_out_;  // of those that were asked about
  mutable std::map<const Function*, std::optional<std::vector<FrameBytes>>> unset_registers_;
};

}  // namespace gpusim
