// GPUSIM_ENGINE=native: kernels become machine code before they first run, by the clang that simcc has.
#pragma once

#include "device/native_code.h"

namespace gpusim {

// One for the process. It lives as long as that: what it has loaded stays.
NativeCompiler& native_compiler();

}  // namespace gpusim
