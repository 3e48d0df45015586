#pragma once

#include <cstddef>

#include "base/base.h"

namespace gpusim::runtime {

// The address that a pointer of the program stands for.
inline u64 number(const void* pointer) { return reinterpret_cast<u64>(pointer); }

// cudaDeviceReset: gives back all device, pinned and managed memory of the program.
void free_everything();

// Has the process memory there, all of it?
bool is_mapped(u64 address, std::size_t size);

}  // namespace gpusim::runtime
