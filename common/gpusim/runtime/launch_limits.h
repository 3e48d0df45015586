// What a GPU refuses to launch, and why.
#pragma once

#include <string>

#include "cuda_runtime_api.h"
#include "runtime/registry.h"

namespace gpusim::runtime {

// The error that a GPU gives for a launch that exceeds its limits; cudaSuccess if the launch fits.
cudaError_t check_limits(const LoadedKernel&, dim3 grid, dim3 block, std::size_t shared_bytes);

// Which of them a launch exceeds, in words; empty if none.
std::string why_refused(const LoadedKernel&, dim3 grid, dim3 block, std::size_t shared_bytes);

// Why ptxas would refuse the kernel, which usually shows when it is compiled; empty if it would not.
std::string too_large(const KernelInfo&);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
