// expect: pipeline of 3 stages: sum 8386560
// expect: tail of zeros: 0 1 2 3 4 5 6 7 8 9 0 0 0 0 0 0
// expect: 4, 8 and 16 bytes: 1 1 1
// expect: groups: 0 of 256 differ
// expect: elements of 12 bytes, odd places: 0 of 64 differ
// expect: named barriers: 496 1520 2544 3568
//
// Copies into shared memory that go on by themselves, by cuda_pipeline.h and cooperative groups; barriers of two warps.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;

// Three stages: while one is added up the next two are on their way.
__global__ void staged_sum(const int* in, int n, int* sum) {
  constexpr int kStages = 3, kBlock = 64;
  __shared__ int stage[kStages][kBlock];
  const int t = threadIdx.x, steps = n / kBlock;
  const auto copy = [&](int step) {
    if (step < steps) __pipeline_memcpy_async(&stage[step % kStages][t], &in[step * kBlock + t], sizeof(int));
    __pipeline_commit();
  };
  for (int step = 0; step < kStages - 1; ++step) copy(step);
  int mine = 0;
  for (int step = 0; step < steps; ++step) {
    copy(step + kStages - 1);
    __pipeline_wait_prior(kStages - 1);
    __syncthreads();
    mine += stage[step % kStages][kBlock - 1 - t];
    __syncthreads();
  }
  atomicAdd(sum, mine);
}

__global__ void tail(const int* in, int* out) {
  __shared__ __align__(16) int tile[16];
  const int t = threadIdx.x;
  if (t < 4) __pipeline_memcpy_async(&tile[4 * t], &in[4 * t], 16, t == 2 ? 8 : t == 3 ? 16 : 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncwarp();
  if (t < 16) out[t] = tile[t];
}

__global__ void sizes(const int4* in, int* same) {
  __shared__ int4 four[32];
  __shared__ int2 two[32];
  __shared__ int one[32];
  const int t = threadIdx.x;
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(one[t], in[t].y, pipe);
  pipe.commit();
  nvcuda::experimental::memcpy_async(two[t], reinterpret_cast<const int2*>(in)[2 * t + 1], pipe);
  pipe.commit();
  nvcuda::experimental::memcpy_async(four[t], in[t], pipe);
  pipe.commit();
  pipe.wait_prior<2>();
  same[0] = __all_sync(0xffffffff, one[t] == in[t].y);
  pipe.wait_prior<1>();
  same[1] = __all_sync(0xffffffff, two[t].x == in[t].z && two[t].y == in[t].w);
  pipe.wait_prior<0>();
  same[2] = __all_sync(0xffffffff, four[t].x == in[t].x && four[t].w == in[t].w);
}

__global__ void by_groups(const int* in, int* out) {
  __shared__ __align__(16) int tile[2][128];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  cg::memcpy_async(block, tile[1], in + 128, sizeof tile[1]);
  cg::wait_prior<1>(block);
  out[threadIdx.x] = tile[0][127 - threadIdx.x];
  cg::wait(block);
  out[128 + threadIdx.x] = tile[1][127 - threadIdx.x];
}

struct Three {
  int x, y, z;
};
__global__ void of_tiles(const Three* in, Three* out) {
  __shared__ Three tile[64];
  const auto part = cg::tiled_partition<32>(cg::this_thread_block());
  const int first = 32 * part.meta_group_rank();
  cg::memcpy_async(part, tile + first, 32, in + first, 32);
  cg::wait(part);
  const int t = threadIdx.x;
  out[t] = tile[t ^ 1];
}

// Two pairs of warps, each pair with a barrier of its own; the first of a pair makes, the second takes.
__global__ void pairs(int* sums) {
  __shared__ int made[2][32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, pair = warp / 2;
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    if (warp % 2 == 0) {
      if (round) asm volatile("bar.sync %0, 64;" ::"r"(3 + pair) : "memory");
      made[pair][lane] = lane + 32 * (2 * pair + round);
      asm volatile("bar.arrive %0, 64;" ::"r"(1 + pair) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
      sum = made[pair][31 - lane];
      if (round == 0) asm volatile("bar.arrive %0, 64;" ::"r"(3 + pair) : "memory");
      atomicAdd(&sums[2 * pair + round], sum);
    }
  }
}

template <class T>
T* managed(int count) {
  T* p;
  cudaMallocManaged(&p, count * sizeof(T));
  cudaMemset(p, 0, count * sizeof(T));
  cudaDeviceSynchronize();
  return p;
}

int main() {
  constexpr int n = 4096;
  int *in = managed<int>(n), *out = managed<int>(n);
  for (int i = 0; i < n; ++i) in[i] = i;
  staged_sum<<<1, 64>>>(in, n, out);
  cudaDeviceSynchronize();
  std::printf("pipeline of 3 stages: sum %d\n", *out);
  tail<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  std::printf("tail of zeros:");
  for (int i = 0; i < 16; ++i) std::printf(" %d", out[i]);
  sizes<<<1, 32>>>(reinterpret_cast<const int4*>(in), out);
  cudaDeviceSynchronize();
  std::printf("\n4, 8 and 16 bytes: %d %d %d\n", out[0], out[1], out[2]);
  by_groups<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < 256; ++i) wrong += out[i] != i / 128 * 128 + 127 - i % 128;
  std::printf("groups: %d of 256 differ\n", wrong);
  of_tiles<<<1, 64>>>(reinterpret_cast<const Three*>(in), reinterpret_cast<Three*>(out));
  cudaDeviceSynchronize();
  wrong = 0;
  for (int i = 0; i < 64; ++i) wrong += out[3 * i] != 3 * (i ^ 1) || out[3 * i + 2] != 3 * (i ^ 1) + 2;
  std::printf("elements of 12 bytes, odd places: %d of 64 differ\n", wrong);
  int* sums = managed<int>(4);
  pairs<<<1, 128>>>(sums);
  cudaDeviceSynchronize();
  std::printf("named barriers: %d %d %d %d\n", sums[0], sums[1], sums[2], sums[3]);
}
// SPDX-License-Identifier: MIT
