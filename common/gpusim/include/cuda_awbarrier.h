// Barriers in shared memory with separate arrivals and waits, as a class. (cuda::barrier of libcu++ is their successor.)
#pragma once
#include "cuda_awbarrier_primitives.h"

#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace nvcuda::experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    __device__ uint32_t pending_count() const { return __mbarrier_token_pending_count(token); }

   private:
    friend class awbarrier;
    __device__ explicit arrival_token(__mbarrier_token_t t) : token(t) {}
    __mbarrier_token_t token;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;

  __device__ arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier)); }
  __device__ arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&barrier)); }
  // Looks again and again until so many cycles are over.
  __device__ bool timed_wait(arrival_token t, uint32_t cycles) {
    return looked([&] { return __mbarrier_test_wait(&barrier, t.token); }, cycles);
  }
  __device__ bool timed_wait_parity(bool phase, uint32_t cycles) {
    return looked([&] { return __mbarrier_test_wait_parity(&barrier, phase); }, cycles);
  }
  __device__ void wait(arrival_token t) {
    while (!__mbarrier_test_wait(&barrier, t.token)) {
    }
  }
  __device__ void arrive_and_wait() { wait(arrive()); }
  __host__ __device__ static constexpr uint32_t max() { return __mbarrier_maximum_count(); }

 private:
  template <class Done>
  static __device__ bool looked(Done done, uint32_t cycles) {
    const long long begin = clock64();
    do {
      if (done()) return true;
    } while (clock64() - begin < cycles);
    return done();
  }

  friend __device__ void init(awbarrier* b, uint32_t expected_count);
  friend __device__ void inval(awbarrier* b);
  friend class pipeline;
  __mbarrier_t barrier;
};

GPUSIM_INLINE void init(awbarrier* b, uint32_t expected_count) {
  __mbarrier_init(&b->barrier, expected_count);
}
GPUSIM_INLINE void inval(awbarrier* b) { __mbarrier_inval(&b->barrier); }

}  // namespace nvcuda::experimental

#pragma clang attribute pop
#endif
// SPDX-License-Identifier: MIT
