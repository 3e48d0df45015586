// expect: two stages: sum 8386560
// expect: a thread's own: 0 of 128 wrong
// expect: a barrier that waits for copies: 0 of 128 wrong
// needs: cuda/pipeline
//
// cuda::pipeline and cuda::memcpy_async of libcu++.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include <cstdio>

namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void staged_sum(const int* in, int n, int* sum) {
  constexpr int kStages = 2, kBlock = 128;
  __shared__ int stage[kStages][kBlock];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int steps = n / kBlock;
  const auto fetch = [&](int step) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, stage[step % kStages], in + step * kBlock, sizeof(int) * kBlock, pipe);
    pipe.producer_commit();
  };
  for (int step = 0; step < kStages; ++step) fetch(step);
  int mine = 0;
  for (int step = 0; step < steps; ++step) {
    pipe.consumer_wait();
    mine += stage[step % kStages][kBlock - 1 - threadIdx.x];
    pipe.consumer_release();
    block.sync();  // who fills the stage again does not wait for those who still read it
    if (step + kStages < steps) fetch(step + kStages);
  }
  atomicAdd(sum, mine);
}

__global__ void own(const int* in, int* out) {
  __shared__ int values[128];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&values[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  pipe.consumer_release();
  __syncthreads();
  out[threadIdx.x] = values[127 - threadIdx.x];
}

__global__ void by_barrier(const int* in, int* out) {
  __shared__ int values[128];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&barrier, block.size());
  block.sync();
  cuda::memcpy_async(block, values, in, sizeof values, barrier);
  barrier.arrive_and_wait();
  out[threadIdx.x] = values[127 - threadIdx.x];
}

int main() {
  constexpr int n = 4096;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int)), cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; ++i) in[i] = i, out[i] = 0;
  const auto wrong = [&] {
    int found = 0;
    for (int t = 0; t < 128; ++t) found += out[t] != 127 - t;
    return found;
  };
  staged_sum<<<1, 128>>>(in, n, out);
  cudaDeviceSynchronize();
  std::printf("two stages: sum %d\n", *out);
  own<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("a thread's own: %d of 128 wrong\n", wrong());
  cudaMemset(out, 0, 128 * sizeof(int));
  by_barrier<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("a barrier that waits for copies: %d of 128 wrong\n", wrong());
}
// SPDX-License-Identifier: MIT
