// CUDA C++ on the simulated GPU: the runtime API for any C++ compiler; for clang in CUDA mode, the device
// side too. Like nvcc, simcc includes this file before the first line of every .cu file.
#pragma once
#define __CUDA_RUNTIME_H__  // programs ask whether it is there

#if defined(__CUDA__)
#if !defined(__clang__)
#error "device code for the simulated GPU is compiled by clang: use simcc"
#endif
#include "gpusim/detail/device.h"
#endif

#include "cuda_runtime_api.h"
#include "library_types.h"
#include "vector_functions.h"

#include "gpusim/detail/textures.h"

#if defined(__CUDA__)
#include "gpusim/detail/child_kernels.h"
#endif

#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
// Thrust names these in device code that only its host pass reads.
extern "C" __device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
extern "C" __device__ cudaError_t cudaLaunchDevice(void* kernel, void* parameters, dim3 grid, dim3 block,
                                                   unsigned int shared_bytes, cudaStream_t stream);
#endif

#if defined(__cplusplus)
#include "gpusim/detail/host_templates.h"

// What clang calls for kernel<<<grid, block, shared, stream>>>(…).
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                                void* stream = 0);
#endif
// SPDX-License-Identifier: MIT
