// expect-finding: race 21
// advice: (ADVISED) use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)
// advice: (ADVISED) give each block its own elements
// advice: (ADVISED_ATOMIC) use an atomic
// The last block adds up, as the CUDA programming guide has it ("Memory Fence Functions"): the results are volatile, and
// a barrier stands between the ticket and reading them. Without the fence a result may come after its ticket.
#include <cuda_runtime.h>

__device__ unsigned finished = 0;
__shared__ bool is_last;

__global__ void sum(volatile float* data) {
  if (threadIdx.x == 0) {
#ifdef FIXED
    data[blockIdx.x] = 1;
    __threadfence();
#elif defined ADVISED_ATOMIC
    atomicExch(const_cast<float*>(data) + blockIdx.x, 1);
    __threadfence();
#else
    const_cast<float*>(data)[blockIdx.x] = 1;
#ifdef ADVISED
    __threadfence();
#endif
#endif
    is_last = atomicInc(&finished, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last || threadIdx.x != 0) return;
#if defined ADVISED || defined ADVISED_ATOMIC
  __threadfence();
#endif
  float total = 0;
  for (int block = 0; block < gridDim.x; ++block) total += data[block];
#ifdef ADVISED
  data[gridDim.x] = total;
#elif defined ADVISED_ATOMIC
  atomicExch(const_cast<float*>(data), total);
#else
  data[0] = total;
#endif
}

int main() {
  float* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  sum<<<4, 64>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
