// expect-finding: race 9
// expect-text: a copy from the GPU to the host reads 256 bytes that fill in another stream writes
// advice: synchronise between them
// The default stream does not wait for one that was made with cudaStreamNonBlocking, and to destroy that is not to wait for it.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }

int main() {
  int *data, got[64];
  cudaStream_t stream;
  cudaMalloc(&data, sizeof got);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<1, 64, 0, stream>>>(data);
#ifdef FIXED
  cudaStreamSynchronize(stream);
#endif
  cudaStreamDestroy(stream);
  cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
  std::printf("%d\n", got[63]);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
