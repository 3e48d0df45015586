// expect-finding: race 6
// expect-text: updates (atomically) *sum while a fill of memory of the GPU writes it
// cudaMemset returns before it is done, and a stream that does not wait for the default one may come first.
#include <cuda_runtime.h>

__global__ void count(int* sum) { atomicAdd(sum, 1); }

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
  count<<<1, 64, 0, one>>>(sum);  // atomics of two kernels are none of the fault
  count<<<1, 64, 0, other>>>(sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
}
