// Kernels become machine code, by the clang that simcc has.
#pragma once

#include "execution/native_code.h"

namespace gpusim {

enum class NativeUse : u8 {
  always,              // before they first run, which waits for clang
  while_interpreting,  // the interpreter begins, until clang has ended
  when_worth_it,       // … and clang begins when the interpreter has taken several times as long as it will
};

// One for each use, for the process. It lives as long as that: what it has loaded stays.
NativeCompiler& native_compiler(NativeUse);

}  // namespace gpusim
