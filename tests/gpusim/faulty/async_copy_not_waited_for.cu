// expect-finding: race 18 36
// expect-text: its own asynchronous copy into it may be under way: wait for the copy first
// expect-text: put __syncthreads() after that
// expect-finding: never written 18 36 maybe
// advice: wait for the copy first
// advice: let that thread wait for its copy (__pipeline_wait_prior, cp.async.wait_group), and put __syncthreads() after that
// advice: store there first, with __syncthreads() between storing and reading
// Copies into shared memory that nobody waits for: a thread looks at its own too soon, and at another thread's, for which that
// thread waits behind the barrier.
#include <cuda_pipeline.h>

__global__ void own(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
#ifndef FIXED
  out[t] = tile[t];
#endif
  __pipeline_wait_prior(0);
#ifdef FIXED
  out[t] = tile[t];
#endif
}

__global__ void others(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));
  __pipeline_commit();
#ifdef FIXED
  __pipeline_wait_prior(0);
  __syncthreads();
#else
  __syncthreads();
  out[t] = tile[63 - t];
  __pipeline_wait_prior(0);
#endif
#ifdef FIXED
  out[t] = tile[63 - t];
#endif
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  own<<<1, 64>>>(in, out);
  others<<<1, 64>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
