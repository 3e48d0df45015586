// expect-finding: race 11 39
// expect-finding: never written 11 39 maybe
// advice: let it wait first at the barrier at which this copy arrives
// advice: (ADVISED) put __syncthreads() between writing and reading
// advice: (ADVISED) and one with work must store before it is read
// advice: (ADVISED) store there first, with __syncthreads() between storing and reading
// Every thread's copy arrives at a barrier, and only one thread waits there.
#include "mbarrier.cuh"

__device__ void copy(int* to, const int* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(unsigned(__cvta_generic_to_shared(to))), "l"(from) : "memory");
}

__device__ bool has_come(Mbarrier* b, unsigned parity) {
  int done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p;}"
               : "=r"(done) : "r"(address_of(b)), "r"(parity) : "memory");
  return done;
}

__global__ void reverse(const int* in, int* out) {
  __shared__ Mbarrier barrier;
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);
  __syncthreads();

  copy(&tile[t], &in[t]);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(address_of(&barrier)) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
#ifndef FIXED
  if (t == 0)
#endif
    while (!has_come(&barrier, 0)) {
    }
#ifdef ADVISED
  __syncthreads();
#endif
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
