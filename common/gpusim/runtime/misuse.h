// Uses of the GPU that a program is not allowed to make: in a stream's callback, after fork(), from host
// code.
#pragma once

#include "runtime/errors.h"

namespace gpusim::runtime {

// Refuses a call of CUDA in a function that a stream calls, and in a child that fork() has made after the
// first call of CUDA. Prints a line about it. Returns cudaSuccess everywhere else.
cudaError_t forbid_here();

bool is_forked();  // whether this process is such a child

// Lives while a stream calls a function of the program.
class InHostFunction {
 public:
  InHostFunction();
  ~InHostFunction();
  InHostFunction(const InHostFunction&) = delete;
  InHostFunction& operator=(const InHostFunction&) = delete;

 private:
  bool before_;
};

// After this call, if host code reads or writes device memory, a line says so before SIGSEGV ends the
// program. Does nothing if the program has its own handler of that signal.
void explain_segmentation_faults();

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
