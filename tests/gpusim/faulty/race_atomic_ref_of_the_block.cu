// expect-finding: race 15
// advice: use device scope
// needs: cuda/std/atomic
// A counter of the whole grid, updated by an atomic_ref whose scope is the block. The finding shows where the program calls libcu++.
#include <cuda_runtime.h>

#include <cuda/atomic>

__global__ void count(unsigned* total) {
#ifdef FIXED
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*total);
#else
  cuda::atomic_ref<unsigned, cuda::thread_scope_block> counter(*total);
#endif
  counter.fetch_add(1u, cuda::std::memory_order_relaxed);
}

int main() {
  unsigned* total;
  cudaMalloc(&total, sizeof *total);
  cudaMemset(total, 0, sizeof *total);
  count<<<2, 32>>>(total);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(total);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
