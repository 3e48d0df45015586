// expect-finding: race 14 41
// expect-finding: never written 14 41 maybe
// expect-text: wait for its copy (at its barrier
// advice: (ADVISED) let that thread wait for its copy (at its barrier
// advice: (ADVISED_PIPELINE) by __pipeline_wait_prior
// advice: (ADVISED_GROUP) cp.async.wait_group
// advice: (ADVISED) store there first, with __syncthreads() between storing and reading
// Copies that arrive at a barrier are there for those who wait at it: __syncthreads() does not do.
#include <cuda_pipeline.h>

#include "mbarrier.cuh"

__device__ void copy(int* to, const int* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(unsigned(__cvta_generic_to_shared(to))), "l"(from) : "memory");
}

__global__ void reverse(const int* in, int* out) {
  __shared__ Mbarrier barrier;
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  __syncthreads();

  copy(&tile[t], &in[t]);
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(address_of(&barrier)) : "memory");
  const Mbarrier state = arrive(&barrier);
#ifdef ADVISED
  wait(&barrier, state);
#elif defined ADVISED_PIPELINE
  __pipeline_commit();
  __pipeline_wait_prior(0);
#elif defined ADVISED_GROUP
  asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
#endif
  __syncthreads();
#ifdef FIXED
  wait(&barrier, state);
#endif
  // The next line reads what another thread has asked for.

  out[t] = tile[63 - t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  reverse<<<1, 64>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
