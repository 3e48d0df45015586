// expect-finding: race 26
// expect-finding: race 31 warning
// advice: (ADVISED) use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)
// advice: (ADVISED) let one thread store
// The last block adds up, as NVIDIA's threadFenceReduction does: all its threads, results that are not volatile.
#include <cuda_runtime.h>

__device__ unsigned finished = 0;

__global__ void sum(const float* in, float* data) {
  __shared__ bool is_last;
  __shared__ float total;
  if (threadIdx.x == 0) {
    data[blockIdx.x] = in[blockIdx.x];
#if defined FIXED || defined ADVISED
    __threadfence();
#endif
    total = 0;
    is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
#ifdef ADVISED
  __threadfence();
#endif
  for (int block = threadIdx.x; block < gridDim.x; block += blockDim.x) atomicAdd(&total, data[block]);
  __syncthreads();
#ifdef ADVISED
  if (threadIdx.x == 0) data[gridDim.x] = total;
#else
  if (threadIdx.x == 0) data[0] = total;
#endif
}

int main() {
  float* data;
  cudaMalloc(&data, 128 * sizeof *data);
  cudaMemset(data, 0, 128 * sizeof *data);
  sum<<<40, 32>>>(data + 64, data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
