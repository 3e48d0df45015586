// expect-finding: race 10
// expect-text: while a copy from GPU 0 to GPU 1 writes it
// environment: GPUSIM_DEVICES=2
// advice: put both into one stream
// A kernel of GPU 1 uses what another stream of it copies there. Had both been in the default stream, that would do: so it
// does for the fill of `data`, which the copy in the default stream of GPU 1 waits for.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }
__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }

int main() {
  int *data, *received, *out;
  cudaStream_t other;
  cudaMalloc(&data, 64 * sizeof *data);
  fill<<<1, 64>>>(data);
  cudaSetDevice(1);
  cudaMalloc(&received, 64 * sizeof *received);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaMemcpyPeerAsync(received, 1, data, 0, 64 * sizeof *data);
#ifdef FIXED
  twice<<<1, 64>>>(received, out);
#else
  twice<<<1, 64, 0, other>>>(received, out);
#endif
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  cudaStreamDestroy(other);
  cudaFree(out);
  cudaFree(received);
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
