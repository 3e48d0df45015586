// Barriers in shared memory whose arrivals and waits are apart: mbarrier, as functions.
#pragma once
#include "cuda_runtime.h"

#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;  // which phase an arrival belongs to

static __inline__ __host__ __device__ constexpr uint32_t __mbarrier_maximum_count() { return (1 << 20) - 1; }

GPUSIM_INLINE void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected_count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(barrier)),
               "r"(expected_count)
               : "memory");
}
GPUSIM_INLINE void __mbarrier_inval(__mbarrier_t* barrier) {
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"((unsigned)__cvta_generic_to_shared(barrier))
               : "memory");
}
GPUSIM_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"((unsigned)__cvta_generic_to_shared(barrier))
               : "memory");
  return token;
}
GPUSIM_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  __mbarrier_token_t token;
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(token)
               : "r"((unsigned)__cvta_generic_to_shared(barrier))
               : "memory");
  return token;
}
// Has the phase of the token completed? It does not wait.
GPUSIM_INLINE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  unsigned done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"((unsigned)__cvta_generic_to_shared(barrier)), "l"(token)
               : "memory");
  return done;
}
GPUSIM_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool phase_parity) {
  unsigned done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"((unsigned)__cvta_generic_to_shared(barrier)), "r"((unsigned)phase_parity)
               : "memory");
  return done;
}
// How many arrivals the token's phase was still waiting for, including the token's own.
GPUSIM_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  uint32_t count;
  asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(token));
  return count;
}

#pragma clang attribute pop
#endif
// SPDX-License-Identifier: MIT
