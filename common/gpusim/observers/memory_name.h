// What findings call a piece of global memory.
#pragma once

#include <string>

#include "device/memory.h"
#include "ptx/program.h"

namespace gpusim {

// "4 bytes at offset 12 of 'counter'" (a variable of the program) or "… of an allocation of 1024 bytes".
std::string global_name(const Program&, const Allocation&, u64 address, u32 bytes);

// "1 byte", "4 bytes"
std::string bytes_name(u64 bytes);

}  // namespace gpusim
