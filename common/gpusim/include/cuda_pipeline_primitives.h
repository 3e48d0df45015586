// Asynchronous copies from global to shared memory: cp.async, its groups, and barriers that wait for them.
#pragma once
#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

// `bytes`: 4, 8 or 16, of which the last `zeros` are not read: they become zeros.
GPUSIM_INLINE void __pipeline_memcpy_async(void* shared, const void* global, size_t bytes, size_t zeros = 0) {
  const unsigned to = (unsigned)__cvta_generic_to_shared(shared), read = (unsigned)(bytes - zeros);
  const size_t from = __cvta_generic_to_global(global);
  if (zeros > bytes) __gpusim_trap("__pipeline_memcpy_async() is to fill in more zeros than it has bytes");
  if (bytes == 4)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
  else if (bytes == 8)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
  else if (bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(read) : "memory");
  else __gpusim_trap("__pipeline_memcpy_async() of a size that is not 4, 8 or 16 bytes");
}
GPUSIM_INLINE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Waits for all groups of this thread except the last `left`. If `left` is more than 8, waits for more groups than asked.
GPUSIM_INLINE void __pipeline_wait_prior(size_t left) {
#define GPUSIM_WAIT(n) \
  case n: asm volatile("cp.async.wait_group " #n ";" ::: "memory"); break
  switch (left) {
    GPUSIM_WAIT(0);
    GPUSIM_WAIT(1);
    GPUSIM_WAIT(2);
    GPUSIM_WAIT(3);
    GPUSIM_WAIT(4);
    GPUSIM_WAIT(5);
    GPUSIM_WAIT(6);
    GPUSIM_WAIT(7);
    default: asm volatile("cp.async.wait_group 8;" ::: "memory");
  }
#undef GPUSIM_WAIT
}

// The barrier's phase does not complete before the copies do that this thread has begun.
GPUSIM_INLINE void __pipeline_arrive_on(__mbarrier_t* barrier) {
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(barrier))
               : "memory");
}

#pragma clang attribute pop
#endif
// SPDX-License-Identifier: MIT
