// The device's printf.
#pragma once

#include <string>

#include "execution/builtins.h"

namespace gpusim {

// Formats a string with packed arguments, as printf does; both are at generic addresses of the calling thread.
// Arguments follow one another, promoted as C does and each aligned to its size (4 or 8 bytes). *count becomes the
// number of arguments used. *problem stays empty, or says why there is no text.
std::string format_device_text(HostCall&, u64 format, u64 arguments, int* count, std::string* problem);

// The NUL-terminated string at a generic address, as far as it is readable.
std::string device_string(HostCall&, u64 address);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
