// Kernels that launch kernels.
#include <algorithm>

#include "execution/builtins.h"
#include "execution/calls.h"
#include "execution/module.h"

namespace gpusim {
namespace {

// ns::sum<128>: sum
std::string_view plain_name(std::string_view name) {
  name = name.substr(0, name.find('<'));
  const std::size_t colon = name.rfind(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

bool takes(const KernelInfo& kernel, const ChildRequest& request) {
  return std::ranges::equal(kernel.params, request.arguments, {}, &ParamInfo::size, &std::vector<u8>::size);
}

}  // namespace

std::string Calls::add_child(const ChildRequest& request) {
  const KernelInfo* kernel = nullptr;
  for (const KernelInfo& k : module_.kernels) {
    if (plain_name(k.pretty_name) != plain_name(request.kernel) || !takes(k, request)) continue;
    if (kernel && kernel->pretty_name != request.kernel && k.pretty_name != request.kernel)
      return "several kernels have this name and such parameters; launch it from the host";
    if (!kernel || k.pretty_name == request.kernel) kernel = &k;
  }
  if (!kernel)
    return "nothing else launches this kernel template, so there is none; launch it from the host, too";
  if (!kernel->unsupported.empty()) return kernel->unsupported;
  const u64 threads = request.block.count();
  const auto is_grid = [](const Dim3& d) {
    return d.x && d.y && d.z && d.y <= Limits::max_grid_y && d.z <= Limits::max_grid_z;
  };
  if (!is_grid(request.grid) || threads == 0 || threads > kernel->max_threads)
    return "a grid of " + std::to_string(request.grid.count()) + " blocks of " + std::to_string(threads) +
           " threads";
  if (request.shared_bytes + kernel->static_shared_bytes > Limits::static_shared_bytes)
    return std::to_string(request.shared_bytes) + " bytes of dynamic shared memory";
  Child child{kernel, {request.grid, request.block, u32(request.shared_bytes)}, request.is_tail, {}};
  child.params.resize(kernel->param_bytes);
  for (std::size_t k = 0; k < request.arguments.size(); ++k)
    std::ranges::copy(request.arguments[k], child.params.begin() + kernel->params[k].offset);
  children_.push_back(std::move(child));
  return "";
}

std::vector<Calls::Child> Calls::take_children() {
  // (Not std::ranges::, which clang 14 cannot compile from libstdc++ 12.)
  std::stable_partition(children_.begin(), children_.end(),
                        [](const Child& child) { return !child.is_tail; });
  return std::move(children_);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
