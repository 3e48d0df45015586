// kernel<<<grid, block, shared, stream>>>(…) in a kernel: simcc writes it as a ChildKernel (simcc/sources.py). And what
// of the runtime kernels may call beside it.
#pragma once

extern "C" __device__ void __gpusim_launch(const void* request);

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace gpusim::detail {

template <class Kernel>
class ChildKernel;
template <class... P>
class ChildKernel<void(P...)> {
 public:
  __device__ ChildKernel(const char* name, dim3 grid, dim3 block, size_t shared_bytes = 0,
                         cudaStream_t stream = nullptr)
      : name_(name), grid_(grid), block_(block), shared_bytes_(shared_bytes), stream_(stream) {}
  __device__ void operator()(P... arguments) const {
    const void* places[] = {&arguments..., nullptr};
    const unsigned long long sizes[] = {sizeof(P)..., 0};
    const struct {
      const char* name;
      unsigned grid[3], block[3];
      unsigned long long shared_bytes, count;
      const void* const* places;
      const unsigned long long* sizes;
      cudaStream_t stream;
    } request = {name_,
                 {grid_.x, grid_.y, grid_.z},
                 {block_.x, block_.y, block_.z},
                 shared_bytes_,
                 sizeof...(P),
                 places,
                 sizes,
                 stream_};
    __gpusim_launch(&request);
  }

 private:
  const char* name_;
  dim3 grid_, block_;
  size_t shared_bytes_;
  cudaStream_t stream_;
};

}  // namespace gpusim::detail

// Kernels that a kernel has launched run one after another when it has ended, whatever their streams. So everything is in order
// even without streams and events. A launch that cannot be made is a fault, so there is never an error to return.
extern "C" {
inline __device__ cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;  // the only ones that kernels may have
  *stream = reinterpret_cast<cudaStream_t>(~0ull);
  return cudaSuccess;
}
inline __device__ cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  if (flags != cudaEventDisableTiming) return cudaErrorInvalidValue;
  *event = reinterpret_cast<cudaEvent_t>(~0ull);
  return cudaSuccess;
}
inline __device__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
inline __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) {
  return cudaSuccess;
}
inline __device__ cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline __device__ cudaError_t cudaGetLastError(void) { return cudaSuccess; }
inline __device__ cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }
inline __device__ cudaError_t cudaMalloc(void** pointer, size_t size) {
  *pointer = malloc(size);
  return *pointer ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline __device__ cudaError_t cudaFree(void* pointer) {
  free(pointer);
  return cudaSuccess;
}
inline __device__ const char* cudaGetErrorName(cudaError_t error) {
  switch (int(error)) {
#define CUDA_ERROR(name, code, text) \
  case code: return #name;
#include "gpusim/detail/errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}
inline __device__ const char* cudaGetErrorString(cudaError_t error) {
  switch (int(error)) {
#define CUDA_ERROR(name, code, text) \
  case code: return text;
#include "gpusim/detail/errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}
}

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
