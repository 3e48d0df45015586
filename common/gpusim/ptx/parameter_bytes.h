// Which of a kernel's parameters a load reads.
#pragma once

#include <algorithm>
#include <optional>

#include "ptx/program.h"

namespace gpusim {

struct ParameterBytes {
  u32 parameter = 0, at = 0;  // index in the kernel's params; byte in it, for a struct
  bool operator==(const ParameterBytes&) const = default;
};

// The parameter that a load of `bytes` bytes from parameter space reads; nothing if its address is computed, or if the bytes are
// not all part of one parameter. A parameter's address is a constant, its offset in the frame.
inline std::optional<ParameterBytes> loaded_parameter(const Function& kernel, const Instruction& load,
                                                      u64 bytes) {
  const auto address = std::ranges::find(kernel.constants, load.s[0], &Constant::frame);
  if (address == kernel.constants.end()) return std::nullopt;
  const u64 byte = address->value + u64(load.offset);
  for (u32 k = 0; k < kernel.params.size(); ++k) {
    const u64 at = byte - kernel.params[k].frame, size = kernel.params[k].size;
    if (at < size && size - at >= bytes) return ParameterBytes{k, u32(at)};
  }
  return std::nullopt;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
