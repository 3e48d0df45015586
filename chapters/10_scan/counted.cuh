// A number that counts how often it is added: the kernels are templates, so what runs for Counted is what
// runs for float, with every addition counted.
#pragma once

#include <cuda_runtime.h>

#include "harness/check.h"

__device__ unsigned long long additions;  // by all threads since count_additions began

struct Counted {
  float value;
};

__device__ inline Counted operator+(Counted a, Counted b) {
  atomicAdd(&additions, 1ull);
  return {a.value + b.value};
}

// Runs `launch` and waits for it; returns the additions of Counted that its kernels made.
template <typename Launch>
unsigned long long count_additions(const Launch& launch) {
  unsigned long long count = 0;
  CUDA_CHECK(cudaMemcpyToSymbol(additions, &count, sizeof count));
  launch();
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpyFromSymbol(&count, additions, sizeof count));
  return count;
}
