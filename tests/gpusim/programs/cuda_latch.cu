// expect: latch: 0 of 128 wrong
// expect: semaphore: 128 threads, one at a time
// expect: a barrier of the grid: 0 of 256 wrong
// needs: cuda/latch
//
// cuda::latch, cuda::binary_semaphore and a cuda::barrier of several blocks, of libcu++.
#include <cuda/barrier>
#include <cuda/latch>
#include <cuda/semaphore>

#include <cstdio>
#include <new>

using Latch = cuda::latch<cuda::thread_scope_block>;
using Semaphore = cuda::binary_semaphore<cuda::thread_scope_device>;
using Barrier = cuda::barrier<cuda::thread_scope_device>;

__global__ void reverse(int* out) {
  __shared__ alignas(Latch) unsigned char place[sizeof(Latch)];
  __shared__ int values[128];
  Latch* const latch = reinterpret_cast<Latch*>(place);
  const int t = threadIdx.x;
  if (t == 0) new (latch) Latch(128);
  __syncthreads();
  values[t] = t;
  latch->arrive_and_wait();
  out[t] = values[127 - t];
}

__global__ void count(Semaphore* semaphore, int* counted) {
  if (threadIdx.x % 32 != 0) return;
  semaphore->acquire();
  for (int k = 0; k < 32; ++k) *counted = *counted + 1;
  semaphore->release();
}

__global__ void shift(Barrier* barrier, int* values, int* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  values[t] = t;
  barrier->arrive_and_wait();
  out[t] = values[(t + 64) % 256];
}

int main() {
  int* out;
  cudaMallocManaged(&out, 512 * sizeof(int));
  reverse<<<1, 128>>>(out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < 128; ++t) wrong += out[t] != 127 - t;
  std::printf("latch: %d of 128 wrong\n", wrong);
  void* place;
  cudaMallocManaged(&place, 256);
  out[0] = 0;
  Semaphore* const semaphore = new (place) Semaphore(1);
  count<<<4, 32>>>(semaphore, out);
  cudaDeviceSynchronize();
  std::printf("semaphore: %d threads, one at a time\n", out[0]);
  Barrier* const barrier = new (place) Barrier(256);
  shift<<<4, 64>>>(barrier, out, out + 256);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int t = 0; t < 256; ++t) wrong += out[256 + t] != (t + 64) % 256;
  std::printf("a barrier of the grid: %d of 256 wrong\n", wrong);
}
// SPDX-License-Identifier: MIT
