#include "gpusim/compared_numbers.h"

#include <algorithm>
#include <set>

#include "analysis/thresholds.h"
#include "checking/findings.h"
#include "execution/module.h"
#include "runtime/process.h"

namespace gpusim {
namespace {

// Those of all kernels that are registered. The caller holds the lock.
std::set<const Module*> all_modules() {
  std::set<const Module*> modules;
  for (const auto& [stub, symbol] : runtime::process().registry.kernels) {
    cudaError_t error = cudaSuccess;
    if (const runtime::LoadedKernel* kernel = runtime::find_kernel(stub, &error))
      modules.insert(kernel->module);
  }
  return modules;
}

// Each GPU has a module's copy of its own, and with it the sides that its threads took. The caller holds the lock.
std::set<const Module*> modules_of_all_gpus() {
  std::set<const Module*> modules;
  for (const auto& context : runtime::process().contexts)
    for (const auto& [image, loaded] : context->loaded.images)
      if (loaded.module) modules.insert(loaded.module);
  return modules;
}

}  // namespace

std::vector<ComparedNumber> compared_numbers() {
  const DeviceLock lock;
  std::vector<ComparedNumber> all;
  for (const Module* module : all_modules()) {
    const Program& program = module->program();
    for (const Function& f : program.functions) {
      if (!f.problems.empty()) continue;
      for (const Threshold& t : thresholds(program, f))
        all.push_back({f.name, f.is_kernel, place_of(program, t.pc), t.is_float, t.number, t.value});
    }
  }
  return all;
}

std::vector<BranchOnSize> branches_on_sizes() {
  const DeviceLock lock;
  std::vector<BranchOnSize> all;
  for (const Module* module : modules_of_all_gpus()) {
    const Program& program = module->program();
    const BranchSides& sides = static_cast<const LoadedModule*>(module)->branch_sides;
    for (const Function& f : program.functions) {
      if (!f.problems.empty()) continue;
      for (const u32 pc : branches_on_sizes(program, f))
        if (const u8 taken = sides.of(pc))
          all.push_back({f.name, place_of(program, pc), (taken & BranchSides::kJumps) != 0,
                         (taken & BranchSides::kStays) != 0});
    }
  }
  return all;
}

unsigned long long largest_number_in_code(unsigned long long most) {
  const DeviceLock lock;
  u64 largest = 0;
  for (const Module* module : all_modules())
    for (const Function& f : module->program().functions)
      for (const Constant& c : f.constants) {
        if (c.base != Constant::Base::none || c.bytes == 0) continue;
        const s64 value = c.bytes == 8 ? s64(c.value) : s64(s32(c.value));
        const u64 magnitude = value < 0 ? 0 - u64(value) : u64(value);
        if (magnitude <= most) largest = std::max(largest, magnitude);
      }
  return largest;
}

bool kernels_load_whole_numbers() {
  const DeviceLock lock;
  const auto loads_one = [](const Instruction& in) {
    if (in.shape == Shape::atomic) return true;
    return in.shape == Shape::load && in.space != Space::param && in.space != Space::local &&
           !is_float(in.type);
  };
  for (const Module* module : all_modules())
    if (std::ranges::any_of(module->program().code, loads_one)) return true;
  return false;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
