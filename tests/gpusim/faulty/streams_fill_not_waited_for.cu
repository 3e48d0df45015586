// expect-finding: race 7
// expect-text: updates (atomically) *sum while a fill of memory of the GPU writes it
// advice: (ADVISED) synchronise between them
// cudaMemset returns before it is done, and a stream that does not wait for the default one may come first.
#include <cuda_runtime.h>

__global__ void count(int* sum) { atomicAdd(sum, 1); }
__global__ void mark(int* both, int of) { both[of] = 1, atomicAdd(both + 1, 1); }  // a sum beside what is stored

int main() {
  int* sum;
  cudaStream_t one, other;
  cudaMalloc(&sum, sizeof *sum);
#ifdef FIXED
  const unsigned flags = cudaStreamDefault;
#else
  const unsigned flags = cudaStreamNonBlocking;
#endif
  cudaStreamCreateWithFlags(&one, flags);
  cudaStreamCreateWithFlags(&other, flags);
  cudaMemset(sum, 0, sizeof *sum);
#ifdef ADVISED
  cudaDeviceSynchronize();
#endif
  count<<<1, 64, 0, one>>>(sum);  // atomics of two kernels are none of the fault
  count<<<1, 64, 0, other>>>(sum);
  cudaDeviceSynchronize();
  int* both;
  cudaMalloc(&both, 3 * sizeof *both);
  cudaMemset(both, 0, 3 * sizeof *both);
  cudaDeviceSynchronize();
  mark<<<1, 1, 0, one>>>(both, 0);
  mark<<<1, 1, 0, other>>>(both, 2);
  cudaDeviceSynchronize();
  cudaFree(both);
  cudaFree(sum);
}
// SPDX-License-Identifier: MIT
