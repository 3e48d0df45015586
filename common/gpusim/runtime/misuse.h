// What a program does to a GPU from where it may not.
#pragma once

#include "runtime/errors.h"

namespace gpusim::runtime {

// No call of CUDA works in a function that a stream calls, nor in a child that fork() made after the first call: refuses it
// there, with a line for a person. cudaSuccess elsewhere.
cudaError_t forbid_here();

bool is_forked();  // this process is such a child

// While a stream calls a function of the program.
class InHostFunction {
 public:
  InHostFunction();
  ~InHostFunction();
  InHostFunction(const InHostFunction&) = delete;
  InHostFunction& operator=(const InHostFunction&) = delete;

 private:
  bool before_;
};

// From now on a program that reads or writes device memory itself is told so before it ends by SIGSEGV, unless it has a
// handler of its own.
void explain_segmentation_faults();

}  // namespace gpusim::runtime
