// Chapter 14 · Many GPUs
// Question  One GPU sums at the speed of its memory. How do eight add up what each of them has, and who waits for whom?
// Change    Three gaps: flags and fences between GPUs; a part of the work for each; the ring's index arithmetic.
// Asked     the sums on every GPU, the same bits on all; no waiting on the host; over each link, no more bytes than
//           the page's table says.
#pragma once

#include <cuda_runtime.h>

#include <team.cuh>

// ANCHOR: meet
// Tells GPU `to` that this block has reached `count`. One thread calls it. GPU `to` then sees all that this thread saw.
__device__ inline void tell(const Team& team, int to, unsigned count) {
  // TODO(you): store `count` to flag(team, to, team.rank). What must come before it, so that a GPU that sees the flag also sees
  // what this one stored earlier?
  (void)team, (void)to, (void)count;
}

// Waits until the block with this number on GPU `from` has reached `count`. Then this thread sees what that block saw.
__device__ inline void wait_for(const Team& team, int from, unsigned count) {
  // TODO(you): wait for flag(team, team.rank, from). It may be beyond `count` already, and it begins again at 0 after 2^32
  // counts. What must follow?
  (void)team, (void)from, (void)count;
}

// Waits until the blocks with this number on all GPUs have reached `count`. All threads of the block call it.
__device__ inline void meet(const Team& team, unsigned count) {
  // TODO(you): some threads of the block tell all GPUs, and wait for all. The other threads may neither run ahead nor lag.
  (void)team, (void)count;
}

// TODO(you): set this to true once meet() works. Then the host no longer waits for all GPUs before and after each launch.
inline constexpr bool kMeetInKernel = false;
// ANCHOR_END: meet

// ANCHOR: one_shot
// out[i] = the sum of all GPUs' data[i], on each GPU: every GPU reads all data of all GPUs.
__global__ void __launch_bounds__(kThreads) one_shot(Team team, int n, unsigned count) {
  if (kMeetInKernel) meet(team, count + 1);  // everybody's data is there
  for_each_of({0, n}, [&](int i, auto size) {
    at(team.out[team.rank], i, size) = sum_of_all(team, i, size);
  });
  if (kMeetInKernel) meet(team, count + 2);  // nobody reads this GPU's data any more
}
// ANCHOR_END: one_shot

// ANCHOR: two_shot
// The part of n elements that belongs to a rank. The parts cover all elements, in the order of ranks; each begins at a multiple
// of 4. Their lengths are multiples of 4 that differ by at most 4; only the last is up to 3 longer or shorter, to end at n.
__host__ __device__ inline Part part_of([[maybe_unused]] int rank, [[maybe_unused]] int ranks, int n) {
  // TODO(you): here every GPU's part is everything, so all GPUs compute every sum. Split the work.
  return {0, n};
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
// ANCHOR_END: two_shot

// ANCHOR: ring
// In the ring each GPU reads only from the GPU before it. In steps 0 … ranks - 2 it adds its own data to what that GPU
// has left; then, in as many steps, it copies complete parts. These functions say which part that is in a step:
__host__ __device__ inline int part_to_add([[maybe_unused]] int rank, [[maybe_unused]] int step,
                                           [[maybe_unused]] int ranks) {
  // TODO(you): which part does GPU `rank` add to in this step? After step 0, the one to which the GPU before it has just
  // added.
  return -1;
}
__host__ __device__ inline int part_to_copy([[maybe_unused]] int rank, [[maybe_unused]] int step,
                                            [[maybe_unused]] int ranks) {
  // TODO(you): and which part does it copy in this step? The one that the GPU before it has just completed or copied.
  return -1;
}
// ANCHOR_END: ring

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
