// The C++ part of c_host.cu: it holds the states of random numbers, which only kernels use.
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include <cstdio>

void first_numbers(curandState* states, unsigned* out, int n);

extern "C" void show_states() {
  constexpr int kCount = 8;
  curandState* states;
  unsigned *out, host[kCount];
  cudaMalloc(&states, kCount * sizeof(curandState));
  cudaMalloc(&out, sizeof host);
  first_numbers(states, out, kCount);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("C++: %d states, different %d\n", kCount, int(host[0] != host[1]));
  cudaFree(states), cudaFree(out);
}
// SPDX-License-Identifier: MIT
