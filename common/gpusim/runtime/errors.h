// What went wrong so far, as cudaGetLastError and its kin report it. But for refuse(), to be called with the device
// locked.
#pragma once

#include <string>

#include "runtime/process.h"

namespace gpusim::runtime {

// Remembers a refused call for cudaGetLastError and returns its code. The next call may succeed.
cudaError_t refuse(cudaError_t code);

// The same; a program that ends well, though it has not asked for a last error since, is told `what` then. For launches,
// which return nothing, and for what others have no use for if it was not done.
cudaError_t refuse(cudaError_t code, const std::string& what);

// Remembers a fault of a kernel. On a GPU the kernel still runs when the launch returns, so nobody sees the
// fault before the next call that waits for the kernel; from then on every call fails with it ("sticky").
void kernel_faulted(const Fault&, bool print = true);

// Start of every call that waits for the device: surfaces a fault, or that the call is made where none may be
// (runtime/misuse.h). cudaSuccess when there is neither.
cudaError_t synchronise();

// True once a kernel has faulted: no kernel runs any more.
bool device_lost();

// cudaDeviceReset: a new start.
void forget_errors();

// One line on stderr for a person, "gpusim: …", once for each text.
void tell(const std::string& message);

}  // namespace gpusim::runtime
