// Compiles kernels to machine code, by the clang that simcc uses.
#pragma once

#include "execution/native_code.h"

namespace gpusim {

enum class NativeUse : u8 {
  always,              // before a kernel first runs, which waits for clang
  while_interpreting,  // clang starts at once, and the interpreter runs the kernel until clang has ended
  when_worth_it,  // clang starts when the interpreter has taken several times as long as clang is expected to take
};

// The compiler for this policy. It lives as long as the process, because the code that it has loaded stays in use.
NativeCompiler& native_compiler(NativeUse);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
