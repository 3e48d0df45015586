// What native code leaves to functions of the library (RuntimeCallbacks).
#pragma once

#include "execution/native_code.h"

namespace gpusim {

const RuntimeCallbacks& native_help();

}  // namespace gpusim
