// Barriers in shared memory (mbarrier) as functions, for programs that are to run where no libcu++ is installed.
#pragma once

#include <cuda_runtime.h>

using Mbarrier = unsigned long long;

__device__ inline unsigned address_of(Mbarrier* b) { return unsigned(__cvta_generic_to_shared(b)); }
__device__ inline void init(Mbarrier* b, unsigned expected) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address_of(b)), "r"(expected) : "memory");
}
__device__ inline Mbarrier arrive(Mbarrier* b) {
  Mbarrier state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(address_of(b)) : "memory");
  return state;
}
__device__ inline void wait(Mbarrier* b, Mbarrier state) {
  int done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
                 : "=r"(done)
                 : "r"(address_of(b)), "l"(state)
                 : "memory");
}
// SPDX-License-Identifier: MIT
