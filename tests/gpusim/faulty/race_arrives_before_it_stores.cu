// expect-finding: race 32 22
// expect-text: tile[
// advice: (ADVISED) put __syncthreads() between writing and reading
// Half of a block fills a tile and says so at a barrier at which it does not wait; the other half waits there, and reads.
#include <cuda_runtime.h>

__device__ void tell() { asm volatile("bar.arrive 1, 128;" ::: "memory"); }
__device__ void wait_for_them() { asm volatile("bar.sync 1, 128;" ::: "memory"); }

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x % 64;
  if (threadIdx.x < 64) {
    const int value = in[t];
#ifdef FIXED
    tile[t] = value;
    tell();
#else
    tell();

    tile[
        t] = value;

#endif
  } else {
    wait_for_them();
  }
#ifdef ADVISED
  __syncthreads();
#endif
  if (threadIdx.x >= 64) {
    out[t] = tile[63 - t];
  }
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 64 * sizeof(int));
  cudaMalloc(&d_out, 64 * sizeof(int));
  cudaMemset(d_in, 0, 64 * sizeof(int));
  reverse<<<1, 128>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
