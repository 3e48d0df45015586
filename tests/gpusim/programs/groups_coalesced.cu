// expect: coalesced: 11 lanes, lane 9 has rank 3
// expect: shfl 18 up 6 first 0 down 15 last 30
// expect: ballot 0x409 any 1 all 0 match 0x134
// expect: tile of 4: rank 3 of 4, part 0 of 3; last 3 lanes, part 2
// expect: odd: 16 lanes rank 4, part 1 of 2
// expect: label 2: 10 lanes rank 2, part 2 of 3
// expect: all alike: 32 lanes, part 0 of 1
// expect: atomics 3, sum 32
// options: -std=c++17
//
// cooperative_groups.h: the lanes that happen to run together, and those that have something in common.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int counter, atomics;

// One atomic for all lanes that come here together.
__device__ int add_one(int* p) {
  const cg::coalesced_group group = cg::coalesced_threads();
  int before = 0;
  if (group.thread_rank() == 0) {
    before = atomicAdd(p, int(group.size()));
    atomicAdd(&atomics, 1);
  }
  return group.shfl(before, 0) + int(group.thread_rank());
}

__global__ void lanes() {
  const int lane = threadIdx.x;
  if (lane % 3 == 0) {
    const cg::coalesced_group group = cg::coalesced_threads();
    if (lane == 9) printf("coalesced: %u lanes, lane 9 has rank %u\n", group.size(), group.thread_rank());
    const int shfl = group.shfl(lane, 6), up = group.shfl_up(lane, 1), first = group.shfl_up(lane, 4);
    const int down = group.shfl_down(lane, 2), beyond = group.shfl_down(lane, 9);
    const int of_first = group.shfl(first, 0), of_last = group.shfl(beyond, 10);
    if (lane == 9) printf("shfl %d up %d first %d down %d last %d\n", shfl, up, of_first, down, of_last);
    const unsigned ballot = group.ballot(lane == 0 || lane == 9 || lane == 30);
    const int any = group.any(lane == 27), all = group.all(lane != 27);
    const unsigned same = group.match_any(lane % 9 == 6 ? 1 : lane == 12 ? 1 : 0);
    const unsigned of_six = group.shfl(same, 2);
    if (lane == 9) printf("ballot %#x any %d all %d match %#x\n", ballot, any, all, of_six);
    const auto tile = cg::tiled_partition(group, 4);
    const unsigned last_size = group.shfl(tile.size(), 10), last_part = group.shfl(tile.meta_group_rank(), 10);
    if (lane == 9)
      printf("tile of 4: rank %u of %u, part %u of %u; last %u lanes, part %u\n", tile.thread_rank(), tile.size(),
             tile.meta_group_rank(), tile.meta_group_size(), last_size, last_part);
  }
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto odd = cg::binary_partition(warp, lane % 2);
  const auto third = cg::labeled_partition(warp, lane % 3);
  const auto all = cg::labeled_partition(warp, true);
  if (lane == 9)
    printf("odd: %u lanes rank %u, part %u of %u\n", odd.size(), odd.thread_rank(), odd.meta_group_rank(), odd.meta_group_size());
  __syncwarp();
  if (lane == 8)
    printf("label 2: %u lanes rank %u, part %u of %u\n", third.size(), third.thread_rank(), third.meta_group_rank(),
           third.meta_group_size());
  __syncwarp();
  if (lane == 8) printf("all alike: %u lanes, part %u of %u\n", all.size(), all.meta_group_rank(), all.meta_group_size());

  switch (lane % 4) {
    case 0: add_one(&counter); break;
    case 1: add_one(&counter); break;
    default: add_one(&counter);
  }
}

int main() {
  lanes<<<1, 32>>>();
  int sum, used;
  cudaMemcpyFromSymbol(&sum, counter, sizeof sum);
  cudaMemcpyFromSymbol(&used, atomics, sizeof used);
  std::printf("atomics %d, sum %d\n", used, sum);
}
// SPDX-License-Identifier: MIT
