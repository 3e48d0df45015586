// The last warp of the block meets: all its lanes vote until no flag is behind.
// Chapter 14 · Many GPUs
// Question  One GPU sums at the speed of its memory. How do eight add up what each of them has, and who waits for whom?
// Change    Three gaps: flags and fences between GPUs; a part of the work for each; the ring's index arithmetic.
// Asked     the sums on every GPU, the same bits on all; no waiting on the host; over each link, no more bytes than
//           the page's table says.
#pragma once

#include <cuda_runtime.h>

#include <team.cuh>

// Tells GPU `to` that this block has reached `count`. One thread calls it. GPU `to` then sees all that this thread saw.
__device__ inline void tell(const Team& team, int to, unsigned count) {
  __threadfence_system();  // release
  *flag(team, to, team.rank) = count;
}

// Waits until the block with this number on GPU `from` has reached `count`. Then this thread sees what that block saw.
__device__ inline void wait_for(const Team& team, int from, unsigned count) {
  const volatile unsigned* const reached = flag(team, team.rank, from);
  while (static_cast<int>(*reached - count) < 0) {
  }
  __threadfence_system();  // acquire
}

// True while the block on GPU `from` has not reached `count`.
__device__ inline bool is_behind(const Team& team, int from, unsigned count) {
  return static_cast<int>(*flag(team, team.rank, from) - count) < 0;
}

// Waits until the blocks with this number on all GPUs have reached `count`. All threads of the block call it.
__device__ inline void meet(const Team& team, unsigned count) {
  const int lane = static_cast<int>(threadIdx.x) - (kThreads - 32);  // negative in all warps but the last
  __syncthreads();
  if (lane >= 0) {
    if (lane < team.ranks) tell(team, lane, count);
    __syncwarp();
    while (__ballot_sync(0xffffffff, lane < team.ranks && is_behind(team, lane, count)) != 0) {
    }
    __threadfence_system();  // acquire, in every lane that has read a flag
  }
  __syncthreads();
}

inline constexpr bool kMeetInKernel = true;

// out[i] = the sum of all GPUs' data[i], on each GPU: every GPU reads all data of all GPUs.
__global__ void __launch_bounds__(kThreads) one_shot(Team team, int n, unsigned count) {
  if (kMeetInKernel) meet(team, count + 1);  // everybody's data is there
  for_each_of({0, n}, [&](int i, auto size) {
    at(team.out[team.rank], i, size) = sum_of_all(team, i, size);
  });
  if (kMeetInKernel) meet(team, count + 2);  // nobody reads this GPU's data any more
}

// The part of n elements that belongs to a rank. The parts cover all elements, in the order of ranks; each begins at a multiple
// of 4. Their lengths are multiples of 4 that differ by at most 4; only the last is up to 3 longer or shorter, to end at n.
__host__ __device__ inline Part part_of(int rank, int ranks, int n) {
  const long long fours = n / 4;
  const int begin = static_cast<int>(fours * rank / ranks) * 4;
  const int end = rank + 1 == ranks ? n : static_cast<int>(fours * (rank + 1) / ranks) * 4;
  return {begin, end};
}

// The same result by a reduce-scatter and an all-gather: each GPU adds up its part, and stores the sums to all GPUs.
__global__ void __launch_bounds__(kThreads) two_shot(Team team, int n, unsigned count) {
  if (kMeetInKernel) meet(team, count + 1);
  for_each_of(part_of(team.rank, team.ranks, n), [&](int i, auto size) {
    const auto sum = sum_of_all(team, i, size);
    for (int g = 0; g < team.ranks; ++g) at(team.out[g], i, size) = sum;
  });
  if (kMeetInKernel) meet(team, count + 2);
}

__host__ __device__ inline int part_to_add(int rank, int step, int ranks) {
  const int part = rank - 1 - step;  // from -(ranks - 1) on
  return part < 0 ? part + ranks : part;
}
__host__ __device__ inline int part_to_copy(int rank, int step, int ranks) {
  const int part = rank - step;
  return part < 0 ? part + ranks : part;
}

__global__ void __launch_bounds__(kThreads) ring(Team team, int n, unsigned count) {
  const int ranks = team.ranks, before = (team.rank - 1 + ranks) % ranks, behind = (team.rank + 1) % ranks;
  float* const mine = team.out[team.rank];
  const auto hand_on = [&] {  // to the GPU behind
    __syncthreads();
    ++count;
    if (threadIdx.x == 0) tell(team, behind, count);
  };
  const auto take_over = [&] {  // from the GPU before
    if (threadIdx.x == 0) wait_for(team, before, count);
    __syncthreads();
  };
  meet(team, ++count);
  if (ranks == 1)
    for_each_of({0, n}, [&](int i, auto size) { at(mine, i, size) = at(team.data[0], i, size); });
  for (int step = 0; step < ranks - 1; ++step) {
    if (step > 0) take_over();
    float* const theirs = step == 0 ? team.data[before] : team.out[before];
    for_each_of(part_of(part_to_add(team.rank, step, ranks), ranks, n), [&](int i, auto size) {
      at(mine, i, size) = at(theirs, i, size) + at(team.data[team.rank], i, size);
    });
    hand_on();
  }
  for (int step = 0; step < ranks - 1; ++step) {
    take_over();
    for_each_of(part_of(part_to_copy(team.rank, step, ranks), ranks, n),
                [&](int i, auto size) { at(mine, i, size) = at(team.out[before], i, size); });
    hand_on();
  }
  meet(team, ++count);
}
// SPDX-License-Identifier: MIT
