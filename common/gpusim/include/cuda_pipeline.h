// Asynchronous copies from global to shared memory: cp.async, as functions.
#pragma once
#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace nvcuda::experimental {

class pipeline {
 public:
  __device__ pipeline() {}
  pipeline(const pipeline&) = delete;
  pipeline& operator=(const pipeline&) = delete;

  // The number of what it commits, which wait() takes.
  __device__ size_t commit() {
    __pipeline_commit();
    return committed++;
  }
  __device__ void commit_and_wait() { commit(), wait_prior<0>(); }
  // As NVIDIA's counts: for what was committed before number `batch`; for all of it where that is the next number.
  __device__ void wait(size_t batch) { __pipeline_wait_prior(committed > batch ? committed - batch : 0); }
  template <unsigned N>
  __device__ void wait_prior() {
    __pipeline_wait_prior(N);
  }
  __device__ void arrive_on(awbarrier& b) { __pipeline_arrive_on(&b.barrier); }

 private:
  size_t committed = 0;
};

// One object. Those that cp.async cannot copy are copied at once.
template <class T>
__device__ void memcpy_async(T& to, const T& from, pipeline&) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
    __pipeline_memcpy_async(&to, &from, sizeof(T));
  else to = from;
}
// What is longer than its source ends with zeros.
template <class T, size_t To, size_t From>
__device__ void memcpy_async(T (*to)[To], const T (*from)[From], pipeline& pipe) {
  static_assert(From <= To, "it copies into a smaller array");
  constexpr size_t kTo = To * sizeof(T), kFrom = From * sizeof(T);
  if constexpr (kTo == 4 || kTo == 8 || kTo == 16) __pipeline_memcpy_async(to, from, kTo, kTo - kFrom);
  else
    for (size_t i = 0; i < To; ++i)
      if (i < From) memcpy_async((*to)[i], (*from)[i], pipe);
      else (*to)[i] = T();
}
template <size_t N, class T>
__device__ auto segment(T* first) -> T (*)[N] {
  return (T(*)[N])first;
}

}  // namespace nvcuda::experimental

#pragma clang attribute pop
#endif
// SPDX-License-Identifier: MIT
