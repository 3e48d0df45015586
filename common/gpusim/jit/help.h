// The functions of the library that native code calls (RuntimeCallbacks).
#pragma once

#include "execution/native_code.h"

namespace gpusim {

const RuntimeCallbacks& runtime_callbacks();

}  // namespace gpusim
// SPDX-License-Identifier: MIT
