// The C++ forms of the runtime API: typed pointers instead of void**, kernels and device variables by name.
#pragma once

#include <utility>

#include "cuda_runtime_api.h"

template <class T>
static inline cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc((void**)pointer, size);
}
template <class T>
static inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)pointer, pitch, width, height);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)pointer, size, stream);
}
template <class T>
static inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                                  cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
static inline cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaMemPool_t pool,
                                          cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, size, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)pointer, size, pool, stream);
}
template <class T>
static inline cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)pointer, size, flags);
}
static inline cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaMallocHost(T** pointer, size_t size,
                                         unsigned int flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaHostGetDevicePointer(T** device_pointer, void* host_pointer,
                                                   unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)device_pointer, host_pointer, flags);
}

template <class T>
static inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t count,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, from, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t count, size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void*)&symbol, count, offset, kind);
}
template <class T>
static inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t count,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, from, count, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t count,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, count, offset, kind, stream);
}
template <class T>
static inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void*)&symbol);
}
template <class T>
static inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, (const void*)&symbol);
}

static inline cudaError_t gpusim_at(const void* symbol, size_t offset, char** address) {
  const cudaError_t error = ::cudaGetSymbolAddress((void**)address, symbol);
  if (error == cudaSuccess) *address += offset;
  return error;
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                         const cudaGraphNode_t* dependencies,
                                                         size_t dependency_count, const T& symbol,
                                                         const void* from, size_t count, size_t offset,
                                                         cudaMemcpyKind kind) {
  char* to = 0;
  const cudaError_t error = gpusim_at((const void*)&symbol, offset, &to);
  return error
             ? error
             : ::cudaGraphAddMemcpyNode1D(node, graph, dependencies, dependency_count, to, from, count, kind);
}
template <class T>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                           const cudaGraphNode_t* dependencies,
                                                           size_t dependency_count, void* to, const T& symbol,
                                                           size_t count, size_t offset, cudaMemcpyKind kind) {
  char* from = 0;
  const cudaError_t error = gpusim_at((const void*)&symbol, offset, &from);
  return error
             ? error
             : ::cudaGraphAddMemcpyNode1D(node, graph, dependencies, dependency_count, to, from, count, kind);
}

template <class T>
static inline cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                           size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class T>
static inline cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                      size_t shared_bytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)kernel, grid, block, arguments, shared_bytes, stream);
}
template <class... Parameters, class... Arguments>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                             Arguments&&... arguments) {
  return [&](Parameters... values) {
    void* pointers[sizeof...(values) + 1] = {(void*)&values..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, pointers);
  }(std::forward<Arguments>(arguments)...);
}
template <class T>
static inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, (const void*)kernel);
}
template <class T>
static inline cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)kernel, attribute, value);
}
template <class T>
static inline cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache preference) {
  return ::cudaFuncSetCacheConfig((const void*)kernel, preference);
}
template <class T>
static inline cudaError_t cudaFuncSetSharedMemConfig(T* kernel, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)kernel, config);
}
template <class T>
static inline cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return ::cudaFuncGetName(name, (const void*)kernel);
}
template <class T>
static inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t size = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void*)pointer, size, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                        int block_threads,
                                                                        size_t dynamic_shared_bytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)kernel, block_threads,
                                                         dynamic_shared_bytes);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel,
                                                                                 int block_threads,
                                                                                 size_t dynamic_shared_bytes,
                                                                                 unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)kernel, block_threads,
                                                                  dynamic_shared_bytes, flags);
}
template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T* kernel, int blocks,
                                                                    int block_threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)kernel, blocks, block_threads);
}

// The block size that keeps most threads resident, and the smallest grid that fills the device with it.
// shared_bytes(threads) gives the dynamic shared memory of a block of that many threads.
template <class T, class SharedBytes>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid, int* block_threads,
                                                                         T kernel, SharedBytes shared_bytes,
                                                                         int limit = 0) {
  cudaFuncAttributes kernel_attributes;
  cudaError_t error = cudaFuncGetAttributes(&kernel_attributes, kernel);
  if (error != cudaSuccess) return error;
  int largest = kernel_attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < largest) largest = limit;
  int multiprocessors = 0, best_resident = 0;
  error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess) return error;
  *min_grid = *block_threads = 0;
  for (int threads = largest; threads > 0; threads = threads % 32 ? threads / 32 * 32 : threads - 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= best_resident) continue;
    best_resident = blocks * threads;
    *min_grid = blocks * multiprocessors;
    *block_threads = threads;
  }
  return cudaSuccess;
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid, int* block_threads, T kernel,
                                                             size_t shared_bytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid, block_threads, kernel, [=](int) { return shared_bytes; }, limit);
}
template <class T, class SharedBytes>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid, int* block_threads, T kernel, SharedBytes shared_bytes, int limit = 0,
    unsigned int = cudaOccupancyDefault) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(min_grid, block_threads, kernel, shared_bytes, limit);
}
template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid, int* block_threads,
                                                                      T kernel, size_t shared_bytes = 0,
                                                                      int limit = 0,
                                                                      unsigned int = cudaOccupancyDefault) {
  return cudaOccupancyMaxPotentialBlockSize(min_grid, block_threads, kernel, shared_bytes, limit);
}
// SPDX-License-Identifier: MIT
