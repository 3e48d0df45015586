#include "analysis/limits.h"

#include <algorithm>

#include "analysis/reachable.h"
#include "base/grouped.h"
#include "ptx/names.h"

namespace gpusim {
namespace {

// Bytes. (PTX ISA, "Kernel Function Parameters": 32,764 from sm_70 on.)
constexpr u64 kStaticShared = 48 * 1024, kConstant = 64 * 1024, kParameters = 32764;

// "tile (40,000 bytes) and 3 more"; the largest is named.
std::string variables_text(const Program& p, std::vector<u32> variables) {
  std::ranges::stable_sort(variables, std::ranges::greater{}, [&](u32 v) { return p.variables[v].size; });
  const Variable& largest = p.variables[variables.front()];
  return variable_name(largest.name) + " has " + grouped(largest.size) +
         (variables.size() > 1 ? ", and there are " + std::to_string(variables.size() - 1) + " more variables"
                               : "");
}
Diagnostic at_function(const Program& p, const Function& f, std::string what) {
  return {f.begin < f.end ? p.where(p.lines[f.begin]) : "", f.ptx_line, std::move(what)};
}

void check_shared(const Program& p, u32 kernel, std::vector<Diagnostic>& found) {
  u64 bytes = 0;
  std::vector<u32> variables;
  for (const auto& [variable, offset] : place_shared(p, reachable_functions(p, kernel))) {
    if (p.variables[variable].is_extern) continue;
    bytes = u64(offset) + p.variables[variable].size;
    variables.push_back(variable);
  }
  if (bytes > kStaticShared)
    found.push_back(at_function(p, p.functions[kernel],
                                "kernel '" + kernel_name(p.functions[kernel].name) +
                                    "' uses too much static shared memory: " + grouped(bytes) +
                                    " bytes, and there are " + grouped(kStaticShared) + " (" +
                                    variables_text(p, variables) + "); more needs extern __shared__"));
}

void check_parameters(const Program& p, const Function& kernel, std::vector<Diagnostic>& found) {
  if (kernel.params.empty()) return;
  const ParamVar &first = kernel.params.front(), &last = kernel.params.back();
  const u64 bytes = u64(last.frame) + last.size - first.frame;
  if (bytes > kParameters)
    found.push_back(at_function(p, kernel,
                                "the parameters of kernel '" + kernel_name(kernel.name) + "' need " +
                                    grouped(bytes) + " bytes, and there are " + grouped(kParameters) +
                                    ": pass a pointer"));
}

// By index: whether a function, or another variable's initial value, names it.
std::vector<bool> used_variables(const Program& p) {
  std::vector<bool> used(p.variables.size());
  for (const Function& f : p.functions)
    for (const Constant& c : f.constants)
      if (c.base == Constant::Base::variable) used[c.variable] = true;
  for (const Variable& v : p.variables)
    for (const Variable::Pointer& pointer : v.pointers) {
      const auto target = std::ranges::find(p.variables, pointer.symbol, &Variable::name);
      if (target != p.variables.end()) used[std::size_t(target - p.variables.begin())] = true;
    }
  return used;
}

// Those that something uses: clang makes constants of the host's constant arrays, too, which nvcc does not.
void check_constants(const Program& p, std::vector<Diagnostic>& found) {
  u64 bytes = 0;
  std::vector<u32> variables;
  const std::vector<bool> used = used_variables(p);
  for (u32 v = 0; v < p.variables.size(); ++v) {
    if (p.variables[v].space != Space::constant || p.variables[v].is_extern || !used[v]) continue;
    bytes = align_up(bytes, p.variables[v].align) + p.variables[v].size;
    variables.push_back(v);
  }
  if (bytes > kConstant)
    found.push_back({"", p.variables[variables.front()].ptx_line,
                     "the file uses too much constant memory: " + grouped(bytes) + " bytes, and there are " +
                         grouped(kConstant) + " (" + variables_text(p, variables) + ")"});
}

}  // namespace

std::vector<Diagnostic> check_limits(const Program& p) {
  std::vector<Diagnostic> found;
  for (u32 f = 0; f < p.functions.size(); ++f) {
    if (!p.functions[f].is_kernel) continue;
    check_shared(p, f, found);
    check_parameters(p, p.functions[f], found);
  }
  check_constants(p, found);
  return found;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
