// Checked CUDA calls: an error ends the program with one line that says where, which call and why.
//
//   CUDA_CHECK(cudaMalloc(&d_in, bytes));
//   sum_tile<<<blocks, kBlock>>>(d_in, d_sums, n);
//   CUDA_CHECK_LAUNCH();
#pragma once

#include <cuda_runtime.h>

#include <string>

// "main.cu:31": where an error is reported.
#define HARNESS_TEXT_(x) #x
#define HARNESS_TEXT(x) HARNESS_TEXT_(x)
#define HARNESS_WHERE __FILE__ ":" HARNESS_TEXT(__LINE__)

#define CUDA_CHECK(call) ::harness::check((call), #call, HARNESS_WHERE)

// Checks a launch twice: was it accepted (cudaGetLastError), and did the kernel run to its end
// (cudaDeviceSynchronize)? The second check waits for the kernel, so do not use this inside a timed region.
#define CUDA_CHECK_LAUNCH() ::harness::check_launch("kernel", HARNESS_WHERE)

namespace harness {

// "main.cu:31: cudaMalloc(&d_in, bytes): cudaErrorMemoryAllocation: out of memory"
std::string describe_error(cudaError_t status, const std::string& what, const std::string& where);

// Prints that line on stderr and exits with status 1, unless status is cudaSuccess.
void check(cudaError_t status, const char* what, const char* where);

// Both checks after a launch. The message calls the kernel `kernel`.
void check_launch(const std::string& kernel, const std::string& where);

}  // namespace harness
// SPDX-License-Identifier: MIT
