// expect-finding: race 21 27
// expect-finding: never written 21 27 maybe
// advice: put __syncthreads() between writing and reading
// advice: put __syncthreads() between reading and writing
// advice: and one with work must store before it is read
// advice: store there first, with __syncthreads() between storing and reading
// Each thread waits for its own copy; what other threads copy is there only behind a barrier. And a copy begins while others
// still read the stage before.
#include <cuda_pipeline.h>

__global__ void two_rounds(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
#ifdef FIXED
    __syncthreads();
#endif
    // A barrier in front of this line, so that nobody reads any more.
    // (The next line is where the copy begins.)
    __pipeline_memcpy_async(&tile[t], &in[64 * round + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
#ifdef FIXED
    __syncthreads();
#endif
    sum += tile[63 - t];
  }
  out[t] = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  two_rounds<<<1, 64>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
