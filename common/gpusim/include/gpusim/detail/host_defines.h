// The words that CUDA adds to C++. For a plain C++ compiler they mean nothing.
#pragma once
#define __HOST_DEFINES_H__  // Thrust asks whether it is there

#if defined(__CUDA__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __managed__ \
  _Pragma(          \
      "GCC error \"__managed__ variables are not simulated: use cudaMallocManaged, or run this on a GPU\"")
#define __cluster_dims__(...) \
  _Pragma(                    \
      "GCC error \"the simulated GPU does not have thread-block clusters (__cluster_dims__); compile this with nvcc and run it on a GPU\"")
// Those of kernels, before a header makes `new` of those of the host.
extern "C" {
__device__ void* malloc(__SIZE_TYPE__) __attribute__((nothrow));
__device__ void free(void*) __attribute__((nothrow));
}
// clang knows __noinline__ as a keyword since version 15. Before that a macro would break the one header that
// says __attribute__((__noinline__)), which bits/shared_ptr_base.h includes without it.
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __managed__
#endif

#define __grid_constant__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDART_CB
// SPDX-License-Identifier: MIT
