// expect: counted 8192, largest 8191, bits ffffffff, compared 41 times 1
// expect: sums of 64 bits 33550336, of the block 0 wrong
// expect: tickets 0..8191: 0 missing
// expect: handed over: 0 wrong
// needs: cuda/std/atomic
//
// cuda::atomic and cuda::atomic_ref of libcu++.
#include <cuda/atomic>

#include <cstdio>

struct Counters {
  cuda::atomic<int, cuda::thread_scope_device> count, largest;
  cuda::atomic<unsigned, cuda::thread_scope_device> bits;
  cuda::atomic<int, cuda::thread_scope_device> compared, swaps, tickets;
};

__global__ void count(Counters* c, int* ticket, unsigned long long* sum, int* wrong) {
  __shared__ int of_block;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) of_block = 0;
  __syncthreads();
  c->count.fetch_add(1, cuda::memory_order_relaxed);
  c->largest.fetch_max(i, cuda::memory_order_relaxed);
  c->bits.fetch_or(1u << (i % 32));
  int zero = 0;
  if (c->compared.compare_exchange_strong(zero, 41)) c->swaps.fetch_add(1);
  atomicAdd(&ticket[c->tickets.fetch_add(1)], 1);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_device>(*sum).fetch_add(i);
  cuda::atomic_ref<int, cuda::thread_scope_block>(of_block).fetch_add(2, cuda::memory_order_relaxed);
  __syncthreads();
  if (threadIdx.x == 0 && of_block != 2 * int(blockDim.x)) atomicAdd(wrong, 1);
}

// Block 0 makes, block 1 takes, by a flag with release and acquire.
__global__ void hand_over(cuda::atomic<int, cuda::thread_scope_device>* flag, int* data, int* wrong) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 3 * threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) flag->store(1, cuda::memory_order_release);
  } else {
    if (threadIdx.x == 0)
      while (flag->load(cuda::memory_order_acquire) == 0) {
      }
    __syncthreads();
    if (data[threadIdx.x] != 3 * int(threadIdx.x)) atomicAdd(wrong, 1);
  }
}

int main() {
  constexpr int n = 8192;
  Counters* c;
  cuda::atomic<int, cuda::thread_scope_device>* flag;
  int *ticket, *data, *wrong;
  unsigned long long* sum;
  cudaMallocManaged(&c, sizeof *c), cudaMemset(c, 0, sizeof *c);
  cudaMallocManaged(&flag, sizeof *flag), cudaMemset(flag, 0, sizeof *flag);
  cudaMallocManaged(&ticket, n * sizeof(int)), cudaMemset(ticket, 0, n * sizeof(int));
  cudaMallocManaged(&data, 64 * sizeof(int)), cudaMallocManaged(&sum, sizeof *sum), cudaMemset(sum, 0, sizeof *sum);
  cudaMallocManaged(&wrong, 2 * sizeof(int)), cudaMemset(wrong, 0, 2 * sizeof(int));
  count<<<n / 256, 256>>>(c, ticket, sum, wrong);
  cudaDeviceSynchronize();
  std::printf("counted %d, largest %d, bits %x, compared %d times %d\n", c->count.load(), c->largest.load(),
              c->bits.load(), c->compared.load(), c->swaps.load());
  std::printf("sums of 64 bits %llu, of the block %d wrong\n", *sum, *wrong);
  int missing = 0;
  for (int i = 0; i < n; ++i) missing += ticket[i] != 1;
  std::printf("tickets 0..%d: %d missing\n", n - 1, missing);
  hand_over<<<2, 64>>>(flag, data, wrong + 1);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("handed over: %d wrong\n", wrong[1]);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
