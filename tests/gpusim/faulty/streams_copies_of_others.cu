// expect-finding: race 9
// expect-text: a copy from the GPU to the host reads 256 bytes that fill in another stream writes
// advice: put both into one stream
// A copy belongs into the stream of the kernel that makes what it copies: by the driver API, of arrays, of cuBLAS.
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[threadIdx.x] = 7; }

int main() {
  int *data, got[64];
  cudaStream_t stream, other;
  CUcontext context;
  cuInit(0);
  cuCtxCreate(&context, 0, 0);
  cudaMalloc(&data, sizeof got);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  fill<<<1, 64, 0, stream>>>(data);
#ifdef FIXED
  if (cuMemcpyDtoHAsync(got, CUdeviceptr(data), sizeof got, stream) != CUDA_SUCCESS) return 1;
  fill<<<1, 64, 0, stream>>>(data);
  if (cublasGetVectorAsync(64, sizeof(int), data, 1, got, 1, stream) != CUBLAS_STATUS_SUCCESS) return 2;
  fill<<<1, 64, 0, stream>>>(data);
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(data, sizeof got, sizeof got, 1);
  box.dstPtr = make_cudaPitchedPtr(got, sizeof got, sizeof got, 1);
  box.extent = make_cudaExtent(sizeof got, 1, 1);
  box.kind = cudaMemcpyDeviceToHost;
  if (cudaMemcpy3DAsync(&box, stream) != cudaSuccess) return 3;
  fill<<<1, 64, 0, stream>>>(data);
  cudaMemset3DAsync(make_cudaPitchedPtr(data, sizeof got, sizeof got, 1), 0, make_cudaExtent(sizeof got, 1, 1), stream);
#else
  if (cuMemcpyDtoHAsync(got, CUdeviceptr(data), sizeof got, other) != CUDA_SUCCESS) return 1;
#endif
  cudaDeviceSynchronize();
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
