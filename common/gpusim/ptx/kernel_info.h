// What is known of a kernel once its PTX has been read, and the limits that every kernel has.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"

namespace gpusim {

// Limits that all GPUs have had since compute capability 8.0 (CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability").
struct Limits {
  static constexpr u32 max_threads_per_block = 1024;
  static constexpr u32 max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
  static constexpr u32 max_grid_x = 0x7fffffff, max_grid_y = 65535, max_grid_z = 65535;
  static constexpr u32 static_shared_bytes = 48 * 1024;
};

struct ParamInfo {
  u32 offset = 0, size = 0;  // bytes, in the kernel's parameter buffer
};

struct KernelInfo {
  std::string name;         // mangled
  std::string pretty_name;  // as in the source, without parameter types: sum_tile or sum<128>
  std::vector<ParamInfo> params;
  u32 param_bytes = 0;
  u32 static_shared_bytes = 0;
  u32 local_bytes = 0;  // per thread
  u32 registers = 0;    // virtual registers in 32-bit units: an upper bound, not what ptxas allots
  u32 max_threads = Limits::max_threads_per_block;  // lower with __launch_bounds__
  u32 entry_pc = 0;
  u32 function = 0;  // index in Program::functions
  std::string
      unsupported;  // not empty: the kernel contains an instruction that is not simulated; the message says which
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
