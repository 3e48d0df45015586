// The occupancy of a kernel, for programs that ask: how many of its blocks fit on a multiprocessor.
#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "runtime/process.h"
#include "runtime/registry.h"

using namespace gpusim;
using namespace gpusim::runtime;

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int block_threads,
                                                          size_t dynamic_shared_bytes) {
  const DeviceLock lock;
  if (!blocks || block_threads <= 0) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  *blocks = 0;
  if (u32(block_threads) > kernel->info->max_threads) return cudaSuccess;
  *blocks = int(resident_blocks(*kernel, u64(block_threads), dynamic_shared_bytes));
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                                   int block_threads,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  if (flags > cudaOccupancyDisableCachingOverride) return refuse(cudaErrorInvalidValue);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, block_threads, dynamic_shared_bytes);
}

// The largest dynamic shared memory with which this many blocks fit on a multiprocessor.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* stub, int blocks,
                                                      int block_threads) {
  const DeviceLock lock;
  if (!bytes || blocks <= 0 || block_threads <= 0) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const LoadedKernel* kernel = find_kernel(stub, &error);
  if (!kernel) return error;
  const u64 fixed = kernel->info->static_shared_bytes;
  if (u32(block_threads) > kernel->info->max_threads ||
      resident_blocks(*kernel, u64(block_threads), 0) < u64(blocks))
    return refuse(cudaErrorInvalidValue);
  u64 fits = 0, too_many = device().capacity.shared_bytes_of_block - fixed + 1;
  while (too_many - fits > 1) {
    const u64 middle = (fits + too_many) / 2;
    (resident_blocks(*kernel, u64(block_threads), middle) >= u64(blocks) ? fits : too_many) = middle;
  }
  *bytes = fits;
  return cudaSuccess;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
