// The attributes of a kernel, which programs ask for and set.
#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/process.h"
#include "runtime/registry.h"

using namespace gpusim;
using namespace gpusim::runtime;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  const DeviceLock lock;
  if (!attributes) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  *attributes = {};
  attributes->sharedSizeBytes = kernel->info->static_shared_bytes;
  attributes->localSizeBytes = kernel->info->local_bytes;
  attributes->maxThreadsPerBlock = int(kernel->info->max_threads);
  attributes->numRegs = int(registers_of(*kernel, 1));
  attributes->ptxVersion = 80;  // the architecture of the PTX, by which CUB chooses its tuning
  attributes->binaryVersion = 80;
  attributes->maxDynamicSharedSizeBytes = int(kernel->dynamic_shared_limit);
  attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  const DeviceLock lock;
  cudaError_t error = cudaSuccess;
  LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
    return value < -1 || value > 100 ? refuse(cudaErrorInvalidValue) : cudaSuccess;
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
      u64(value) + kernel->info->static_shared_bytes > device().capacity.shared_bytes_of_block)
    return refuse(cudaErrorInvalidValue);
  kernel->dynamic_shared_limit = u32(value);
  return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache) {
  const DeviceLock lock;
  cudaError_t error = cudaSuccess;
  return find_kernel(stub, &error) ? cudaSuccess : error;
}

cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig) {
  return cudaFuncSetCacheConfig(stub, cudaFuncCachePreferNone);
}
cudaError_t cudaFuncGetName(const char** name, const void* stub) {
  const DeviceLock lock;
  if (!name) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (kernel) *name = kernel->info->name.c_str();
  return error;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
