#include "runtime/launch_limits.h"

#include "base/sizes.h"
#include "runtime/machine.h"
#include "runtime/process.h"

using namespace gpusim;

namespace gpusim::runtime {
namespace {

constexpr u64 kLocalBytes = 512 * 1024;  // per thread (CUDA C++ Programming Guide, technical specifications)

// "gridDim.y = 70000; gridDim.y ends at 65535": the first of the three sizes that is 0 or too large, or empty.
std::string wrong_size(const char* name, dim3 size, u32 most_x, u32 most_y, u32 most_z) {
  const struct {
    char dimension;
    u32 value, most;
  } all[] = {{'x', size.x, most_x}, {'y', size.y, most_y}, {'z', size.z, most_z}};
  for (const auto& [dimension, value, most] : all) {
    const std::string what = std::string(name) + "." + dimension;
    if (value == 0) return what + " = 0; a launch needs at least 1";
    if (value > most)
      return what + " = " + std::to_string(value) + "; " + what + " ends at " + std::to_string(most);
  }
  return "";
}

}  // namespace

cudaError_t check_limits(const LoadedKernel& kernel, dim3 grid, dim3 block, size_t shared_bytes,
                         std::string* why) {
  const u64 threads = u64(block.x) * block.y * block.z;
  const auto refused = [&](cudaError_t error, const std::string& with) {
    *why = kernel.info->pretty_name + " is launched with " + with;
    return error;
  };
  const std::string of_grid =
      wrong_size("gridDim", grid, Limits::max_grid_x, Limits::max_grid_y, Limits::max_grid_z);
  if (!of_grid.empty()) return refused(cudaErrorInvalidConfiguration, of_grid);
  if (threads > Limits::max_threads_per_block)
    return refused(cudaErrorInvalidConfiguration, std::to_string(threads) +
                                                      " threads per block; a GPU takes at most " +
                                                      std::to_string(Limits::max_threads_per_block));
  const std::string of_block =
      wrong_size("blockDim", block, Limits::max_block_x, Limits::max_block_y, Limits::max_block_z);
  if (!of_block.empty()) return refused(cudaErrorInvalidConfiguration, of_block);
  if (threads > kernel.info->max_threads)
    return refused(cudaErrorInvalidValue,
                   std::to_string(threads) + " threads per block, but its __launch_bounds__ allow only " +
                       std::to_string(kernel.info->max_threads) + ": raise them, or launch smaller blocks");
  if (shared_bytes > kernel.dynamic_shared_limit)
    return refused(cudaErrorInvalidValue, std::to_string(shared_bytes) +
                                              " bytes of dynamic shared memory, and may have " +
                                              std::to_string(kernel.dynamic_shared_limit) +
                                              ": cudaFuncSetAttribute allows more, up to what the GPU has");
  const u64 registers = device().capacity.registers, room = registers / align_up(threads, kWarpSize);
  if (const u32 least = room < kMostRegisters ? least_registers_of(kernel) : 0; least > room)
    return refused(
        cudaErrorLaunchOutOfResources,
        std::to_string(threads) + " threads per block, each with at least " + std::to_string(least) +
            " registers, but a multiprocessor has only " + std::to_string(registers) + ", " +
            std::to_string(room) +
            " per thread: launch fewer threads, or let the compiler keep values in memory with __launch_bounds__(" +
            std::to_string(threads) + ")");
  return cudaSuccess;
}

std::string too_large(const KernelInfo& kernel) {
  const auto excess = [&](const char* what, u64 bytes, u64 limit) {
    return "kernel " + kernel.pretty_name + " has " + std::to_string(bytes) + " bytes of " + what +
           "; a GPU has " + std::to_string(limit);
  };
  if (kernel.static_shared_bytes > Limits::static_shared_bytes)
    return excess("static shared memory", kernel.static_shared_bytes, Limits::static_shared_bytes) +
           " (more needs extern __shared__)";
  if (kernel.local_bytes > kLocalBytes)
    return excess("local memory a thread", kernel.local_bytes, kLocalBytes);
  return "";
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
