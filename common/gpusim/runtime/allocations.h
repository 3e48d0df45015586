#pragma once

#include <cstddef>

#include "base.h"

namespace gpusim::runtime {

// cudaDeviceReset: gives back all device, pinned and managed memory of the program.
void free_everything();

// Has the process memory there, all of it?
bool is_mapped(u64 address, std::size_t size);

}  // namespace gpusim::runtime
