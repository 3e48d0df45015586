// The device side of CUDA C++, for clang in CUDA mode. clang's own headers bring the built-in variables and
// the names of the mathematical functions and conversions; what they take from NVIDIA's SDK is replaced by
// ours. Functions from here have no line information: what they compile to counts for the line that calls
// them.
#pragma once

#if !defined(__CUDACC__)
#define __CUDACC__ 1  // as nvcc does; standard headers look at it
#endif
#include "gpusim/detail/no_float128.h"

#define _LIBCUDACXX_HAS_CUDA_ATOMIC_IMPL  // what libcu++ defines for nvcc: cuda::atomic in kernels

// The declarations must come before <cmath>: its constexpr functions would be taken for device functions.
#include <__clang_cuda_math_forward_declares.h>

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>

#include "cuda.h"
#include "vector_functions.h"

// new and delete in kernels. From version 16 on, clang's header declares them only once __device__ has been defined.
#include <new>

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include <__clang_cuda_builtin_vars.h>
#include <__clang_cuda_libdevice_declares.h>

#include "gpusim/detail/libdevice.h"

// The argument type of these two changed between versions of clang's headers.
#define __nv_popc __builtin_popcount
#define __nv_popcll __builtin_popcountll
// Replaced by gpusim/detail/barriers.h and warp.h.
#define __all __clang_all
#define __any __clang_any
#define __ballot __clang_ballot
#define __syncthreads_and __clang_syncthreads_and
#define __syncthreads_or __clang_syncthreads_or
#define __syncthreads_count __clang_syncthreads_count
#define __threadfence __clang_threadfence
#define __threadfence_block __clang_threadfence_block
#define __threadfence_system __clang_threadfence_system
#include <__clang_cuda_device_functions.h>
#undef __nv_popc
#undef __nv_popcll
#undef __all
#undef __any
#undef __ballot
#undef __syncthreads_and
#undef __syncthreads_or
#undef __syncthreads_count
#undef __threadfence
#undef __threadfence_block
#undef __threadfence_system

#include <__clang_cuda_math.h>

#include <__clang_cuda_cmath.h>

#include "gpusim/detail/address_spaces.h"
#include "gpusim/detail/atomics.h"
#include "gpusim/detail/barriers.h"
#include "gpusim/detail/cached_access.h"
#include "gpusim/detail/dot_products.h"
#include "gpusim/detail/math_overloads.h"
#include "gpusim/detail/warp.h"

GPUSIM_INLINE __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
GPUSIM_INLINE __cuda_builtin_threadIdx_t::operator uint3() const { return {x, y, z}; }
GPUSIM_INLINE __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
GPUSIM_INLINE __cuda_builtin_blockIdx_t::operator uint3() const { return {x, y, z}; }
GPUSIM_INLINE __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
GPUSIM_INLINE __cuda_builtin_blockDim_t::operator uint3() const { return {x, y, z}; }
GPUSIM_INLINE __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
GPUSIM_INLINE __cuda_builtin_gridDim_t::operator uint3() const { return {x, y, z}; }

GPUSIM_INLINE void __nanosleep(unsigned ns) { asm volatile("nanosleep.u32 %0;" ::"r"(ns)); }

GPUSIM_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return unsigned((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
GPUSIM_INLINE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return unsigned(((unsigned long long)high << 32 | low) >> (shift & 31));
}

extern "C" {
__device__ int vprintf(const char* format, const char* arguments);  // clang turns printf into this
__device__ int printf(const char* format, ...);
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             size_t char_size);
__device__ void __gpusim_trap(const char* why);
GPUSIM_INLINE int memcmp(const void* a, const void* b, size_t count) {
  const unsigned char *x = static_cast<const unsigned char*>(a), *y = static_cast<const unsigned char*>(b);
  for (size_t k = 0; k < count; ++k)
    if (x[k] != y[k]) return x[k] - y[k];
  return 0;
}
// What <assert.h> calls.
GPUSIM_INLINE void __assert_fail(const char* message, const char* file, unsigned line, const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

#pragma clang attribute pop
// SPDX-License-Identifier: MIT
