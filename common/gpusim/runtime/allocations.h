#pragma once

#include <cstddef>

#include "base/base.h"

namespace gpusim::runtime {

// The address in the simulated GPU that a pointer of the program means.
inline u64 number(const void* pointer) { return reinterpret_cast<u64>(pointer); }

// For cudaDeviceReset: frees all device, pinned and managed memory of the program.
void free_everything();

// Whether all of these bytes are memory of the process.
bool is_mapped(u64 address, std::size_t size);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
