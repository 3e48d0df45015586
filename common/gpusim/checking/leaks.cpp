#include "checking/leaks.h"

#include <algorithm>
#include <vector>

#include "analysis/parameters.h"

namespace gpusim {
namespace {

struct KindRow {
  MemoryKind kind;
  const char *from, *release;
};
constexpr KindRow kKinds[] = {
    {MemoryKind::device, "cudaMalloc", "cudaFree"},
    {MemoryKind::pinned, "cudaMallocHost or cudaHostRegister", "cudaFreeHost or cudaHostUnregister"},
    {MemoryKind::managed, "cudaMallocManaged", "cudaFree"},
};

// The program's own variables are no leaks, but have a number too.
bool is_variable(const Allocation& a) {
  return a.kind == MemoryKind::module_variable || a.kind == MemoryKind::constant;
}

}  // namespace

// A warning: the driver frees everything when a process ends, so results and exit status are right.
void report_leaks(const Memory& memory, Findings& findings) {
  const auto& live = memory.allocations();
  // In the order in which the program has allocated. Addresses of managed memory differ from run to run.
  std::vector<const Allocation*> in_order;
  for (const auto& [base, allocation] : live) in_order.push_back(&allocation);
  std::ranges::sort(in_order, {}, &Allocation::serial);
  for (const Allocation* const leaked : in_order)
    for (const KindRow& row : kKinds) {
      if (leaked->kind != row.kind) continue;
      const auto placed_earlier =
          std::ranges::count_if(live, [&, serial = leaked->serial](const auto& other) {
            return is_variable(other.second) && other.second.serial < serial;
          });
      Finding f;
      f.check = "leak";
      f.severity = Severity::warning;
      f.message = bytes_name(leaked->size) + " from " + row.from + " (allocation #" +
                  std::to_string(leaked->serial - u64(placed_earlier)) + ") " +
                  (leaked->size == 1 ? "was" : "were") + " never freed: call " + row.release;
      findings.report(std::move(f));
    }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
