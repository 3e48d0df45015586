// Copies from global to shared memory that go on by themselves: cp.async, as functions.
#pragma once
#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

namespace nvcuda::experimental {

class pipeline {
 public:
  __device__ void commit() { __pipeline_commit(); }
  __device__ void commit_and_wait() { __pipeline_commit(), __pipeline_wait_prior(0); }
  template <unsigned N>
  __device__ void wait_prior() {
    __pipeline_wait_prior(N);
  }
};

// One object. Those that cp.async cannot copy are copied at once.
template <class T>
__device__ void memcpy_async(T& to, const T& from, pipeline&) {
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16)
    __pipeline_memcpy_async(&to, &from, sizeof(T));
  else to = from;
}

}  // namespace nvcuda::experimental

#pragma clang attribute pop
#endif
