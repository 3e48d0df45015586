// What native code leaves to functions of the library (NativeHelp).
#pragma once

#include "execution/native_code.h"

namespace gpusim {

const NativeHelp& native_help();

}  // namespace gpusim
