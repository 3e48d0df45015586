// expect: threads 256, shared memory 1024, too many threads: cudaErrorInvalidValue
// expect: dynamic shared memory: 65536 cudaErrorInvalidValue, allowed: cudaSuccess, sum 120
// expect: blocks 8 of 256, cudaLaunchKernelExC: cudaSuccess, 7
// expect: no kernel: cudaErrorInvalidResourceHandle
//
// What programs ask about kernels, and launches by functions of the API.
#include <cstdio>

__global__ void __launch_bounds__(256) bounded(int* out) {
  __shared__ int values[256];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = values[7];
}
extern __shared__ int dynamic[];
__global__ void large(int* out) {
  dynamic[16000 + threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 0; i < 16; ++i) *out += dynamic[16000 + i];
}
__global__ void small(int* out) { *out = 1; }
void of_the_host() {}

int main() {
  int* out;
  cudaMallocManaged(&out, sizeof *out);
  *out = 0;
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, bounded);
  bounded<<<1, 512>>>(out);
  std::printf("threads %d, shared memory %zu, too many threads: %s\n", attributes.maxThreadsPerBlock,
              attributes.sharedSizeBytes, cudaGetErrorName(cudaGetLastError()));
  large<<<1, 16, 65536>>>(out);
  const cudaError_t refused = cudaGetLastError();
  const cudaError_t allowed = cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  large<<<1, 16, 65536>>>(out);
  cudaDeviceSynchronize();
  std::printf("dynamic shared memory: 65536 %s, allowed: %s, sum %d\n", cudaGetErrorName(refused),
              cudaGetErrorName(allowed), *out);
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, small, 256, 0);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1), config.blockDim = dim3(256);
  void* arguments[] = {&out};
  const cudaError_t launched = cudaLaunchKernelExC(&config, (const void*)bounded, arguments);
  cudaDeviceSynchronize();
  std::printf("blocks %d of 256, cudaLaunchKernelExC: %s, %d\n", blocks, cudaGetErrorName(launched), *out);
  std::printf("no kernel: %s\n", cudaGetErrorName(cudaLaunchKernel((const void*)of_the_host, dim3(1), dim3(1), arguments, 0, 0)));
}
// SPDX-License-Identifier: MIT
