// What a GPU refuses to launch, and why.
#pragma once

#include <string>

#include "cuda_runtime_api.h"
#include "runtime/registry.h"

namespace gpusim::runtime {

// The error that a GPU gives for a launch that exceeds its limits, and in *why which of them, in words; cudaSuccess if the launch
// fits.
cudaError_t check_limits(const LoadedKernel&, dim3 grid, dim3 block, std::size_t shared_bytes,
                         std::string* why);

// Why ptxas would refuse the kernel, which usually shows when it is compiled; empty if it would not.
std::string too_large(const KernelInfo&);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
