#include "analysis/reachable.h"

#include <algorithm>

#include "ptx/parser.h"

namespace gpusim {

std::vector<u32> reachable_functions(const Program& p, u32 function) {
  std::vector<u32> found{function};
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Function& f = p.functions[found[k]];
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      if (p.code[pc].shape != Shape::call) continue;
      const CallSite& site = p.calls[p.code[pc].target];
      const auto reach = [&](u32 callee) {
        if (std::ranges::find(found, callee) == found.end()) found.push_back(callee);
      };
      if (site.function >= 0) reach(u32(site.function));
      if (!site.by_address) continue;
      for (const u32 callee : p.address_taken)
        if (site.fits(p.functions[callee])) reach(callee);
    }
  }
  return found;
}

std::vector<PlacedVariable> place_shared(const Program& p, const std::vector<u32>& functions) {
  std::vector<bool> used(p.variables.size());
  for (const u32 f : functions)
    for (const Constant& c : p.functions[f].constants)
      if (c.base == Constant::Base::shared) used[c.variable] = true;
  std::vector<PlacedVariable> placed;
  u64 at = 0;
  for (u32 v = 0; v < p.variables.size(); ++v) {
    if (!used[v] || p.variables[v].is_extern) continue;
    at = align_up(at, p.variables[v].align);
    placed.push_back({v, u32(at)});
    at += p.variables[v].size;
  }
  for (u32 v = 0; v < p.variables.size(); ++v)
    if (used[v] && p.variables[v].is_extern)
      placed.push_back({v, u32(align_up(at, std::max(p.variables[v].align, 16u)))});
  return placed;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
