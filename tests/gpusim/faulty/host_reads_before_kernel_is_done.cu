// expect-finding: race 29
// expect-text: the host reads byte 0 of 400 bytes that square may still write: wait for that work first
// advice: wait for that work first (cudaStreamSynchronize
// advice: (ADVISED) cudaEventSynchronize
// The host adds up managed memory right after the launch, while the kernel may still be running.
#include <cuda_runtime.h>

__global__ void square(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * a[i];
}

int main() {
  constexpr int n = 100;
  int* a;
  cudaMallocManaged(&a, n * sizeof(int));
  for (int i = 0; i < n; ++i) a[i] = i;
  square<<<1, 128>>>(a, n);
#ifdef FIXED
  cudaDeviceSynchronize();
#elif defined ADVISED
  cudaEvent_t squared;
  cudaEventCreate(&squared);
  cudaEventRecord(squared);
  cudaEventSynchronize(squared);
  cudaEventDestroy(squared);
#endif
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
  cudaFree(a);
  return sum != 328350;
}
// SPDX-License-Identifier: MIT
