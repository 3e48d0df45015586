// expect-finding: race 22
// expect-text: the host writes byte 256 of 512 bytes that add may still read: wait for that work first
// advice: wait for that work first (cudaStreamSynchronize
// The kernel reads one half of a pinned buffer while the host fills the other. The second half is filled again too early.
#include <cuda_runtime.h>

__global__ void add(int* sum, const int* numbers) { atomicAdd(sum, numbers[threadIdx.x]); }

int main() {
  constexpr int half = 64;
  int *sum, *buffer;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaHostAlloc(&buffer, 2 * half * sizeof(int), cudaHostAllocMapped);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int piece = 0; piece < 4; ++piece) {
    volatile int* const numbers = buffer + piece % 2 * half;
#ifdef FIXED
    cudaStreamSynchronize(stream);
#endif
    for (int i = 0; i < half; ++i) numbers[i] = piece;
    if (piece == 0) continue;  // this half is never read
    add<<<1, half, 0, stream>>>(sum, const_cast<int*>(numbers));
  }
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFreeHost(buffer);
  cudaFree(sum);
}
// SPDX-License-Identifier: MIT
