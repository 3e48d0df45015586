// expect-finding: race 10
// expect-text: cublasSaxpy reads 256 bytes that fill in another stream writes
// advice: put both into one stream
// needs: libopenblas.so.0 libblas.so.3
// The handle of the library was never given the stream of the kernel, so its work is that of the default stream.
#include <cublas_v2.h>

#include <cuda_runtime.h>

__global__ void fill(float* data) { data[threadIdx.x] = 7; }

int main() {
  float *x, *y;
  cudaStream_t stream;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&y, 64 * sizeof(float));
  cudaMemset(y, 0, 64 * sizeof(float));
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  fill<<<1, 64, 0, stream>>>(x);
#ifdef FIXED
  cublasSetStream(handle, stream);
#endif
  const float two = 2;
  cublasSaxpy(handle, 64, &two, x, 1, y, 1);
  cudaDeviceSynchronize();
  cublasDestroy(handle);
  cudaStreamDestroy(stream);
  cudaFree(x);
  cudaFree(y);
}
// SPDX-License-Identifier: MIT
