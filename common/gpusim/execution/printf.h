// The device's printf.
#pragma once

#include <string>

#include "execution/builtins.h"

namespace gpusim {

// The text that printf makes of a format string and its packed arguments, both at generic addresses of the
// calling thread. Arguments lie one after another, each aligned to its size (4 or 8 bytes), as C promotes
// them. *count becomes the number of arguments used. *problem, if not empty afterwards, says why there is no text.
std::string format_device_text(HostCall&, u64 format, u64 arguments, int* count, std::string* problem);

// The NUL-terminated string at a generic address; what is readable of it.
std::string device_string(HostCall&, u64 address);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
