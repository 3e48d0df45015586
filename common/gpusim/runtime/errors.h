// The errors that cudaGetLastError and its kin report. Call all of this with the device locked, except
// refuse().
#pragma once

#include <string>

#include "runtime/process.h"

namespace gpusim::runtime {

// Remembers a refused call for cudaGetLastError and returns its code. The next call may succeed. If the program ignores what the
// call returns and never asks for the last error afterwards, a line says so at the end (runtime/refusals.h). `what` says in words
// what was refused, and which limit was exceeded.
cudaError_t refuse(cudaError_t code, const std::string& what = "");
// The same for a launch by <<<…>>>, which returns nothing.
cudaError_t refuse_launch(cudaError_t code, const std::string& what);

// Remembers a fault of a kernel. On a GPU the kernel still runs when the launch returns, so the program sees
// the fault at the next call that waits for the kernel. From then on every call fails with it ("sticky").
void kernel_faulted(const Fault&, bool print = true);
// The same where a function of a library finds the memory that it is given too small: told with the line of its call.
void library_faulted(FaultCode, const std::string& text);

// Begins every call that waits for the device. Returns a fault that has happened, or the error of a call from
// where none is allowed (runtime/misuse.h), or cudaSuccess.
cudaError_t synchronise();

// Whether a kernel has faulted. After that no kernel runs.
bool device_lost();

// For cudaDeviceReset: forgets all errors.
void forget_errors();

// Prints "gpusim: …" on stderr, in one line, and each text only once.
void tell(const std::string& message);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
