#include "runtime/machine.h"

#include <algorithm>
#include <utility>

#include "base/sizes.h"
#include "runtime/process.h"
#include "timing/issue_costs.h"
#include "timing/occupancy.h"

namespace gpusim::runtime {
namespace {

struct FunctionRegisters {
  std::vector<u32> allotted, least;  // by function
};

// The last module's are kept, because programs ask for the same module repeatedly.
const FunctionRegisters& registers_by_function(const Program& program) {
  static const Program* last = nullptr;
  static std::size_t size = 0;
  static FunctionRegisters registers;
  if (last != &program || size != program.code.size()) {
    timing::ProgramCosts costs = timing::costs_of(program, *process().machine);
    registers = {std::move(costs.registers), std::move(costs.least_registers)};
    last = &program;
    size = program.code.size();
  }
  return registers;
}

}  // namespace

void answer_for(timing::Machine machine) {
  Capacity capacity;
  capacity.multiprocessors = u32(machine.multiprocessors);
  capacity.threads = u32(machine.threads_per_multiprocessor);
  capacity.blocks = u32(machine.blocks_per_multiprocessor);
  capacity.registers = u32(machine.registers_per_multiprocessor);
  capacity.shared_bytes = u32(machine.shared_bytes_per_multiprocessor);
  capacity.shared_bytes_of_block = u32(machine.shared_bytes_per_block);
  for (const auto& context : process().contexts) context->gpu.device.capacity = capacity;
  process().machine = std::move(machine);
}

u32 resident_blocks(const LoadedKernel& kernel, u64 threads, u64 dynamic_shared_bytes) {
  const u64 shared_bytes = plus(kernel.info->static_shared_bytes, dynamic_shared_bytes);
  const u32 fit = blocks_per_sm(device().capacity, threads, shared_bytes);
  if (!process().machine || fit == 0) return fit;
  return std::min(
      fit,
      timing::occupancy_of(*process().machine, threads, shared_bytes, registers_of(kernel, threads)).blocks);
}

u32 registers_of(const LoadedKernel& kernel, u64 threads) {
  if (!process().machine) return std::min(kernel.info->registers, kMostRegisters);
  const u32 needed = registers_by_function(kernel.module->program()).allotted[kernel.info->function];
  return timing::allotted_registers(*process().machine, needed, *kernel.info, threads);
}

u32 least_registers_of(const LoadedKernel& kernel) {
  const Program& program = kernel.module->program();
  if (!process().machine || program.functions[kernel.info->function].bounds_threads) return 0;
  return registers_by_function(program).least[kernel.info->function];
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
