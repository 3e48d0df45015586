// expect-finding: race 28
// expect-text: the host reads byte 0 of 256 bytes that a copy from the GPU to the host may still write: wait for that work first
// advice: wait for that work first (cudaStreamSynchronize
// advice: (ADVISED) cudaDeviceSynchronize
// The result comes back by an asynchronous copy, and the host uses it at once.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }

int main() {
  int *data, *result, sum = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMallocHost(&result, 64 * sizeof *result);
  fill<<<1, 64, 0, stream>>>(data);
  cudaMemcpyAsync(result, data, 64 * sizeof *data, cudaMemcpyDeviceToHost, stream);
#ifdef FIXED
  cudaStreamSynchronize(stream);
#elif defined ADVISED
  cudaDeviceSynchronize();
#endif


  for (int i = 0; i < 64; ++i)
    sum += result[i];
  std::printf("%d\n", sum);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(result);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
