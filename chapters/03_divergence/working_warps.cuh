// Which warps have work on a level of the tree? The functions here ask every thread: on the host for warps of
// any size, on the device for the device's own warps.
#pragma once

#include <cuda_runtime.h>

#include <set>
#include <vector>

// The tree adds pairs of sums that lie len elements apart, for len = 1, 2, 4 … elements / 2. Each struct
// below says whether thread t adds a pair on that level.
struct ThreadOfTheLeftElement {  // chapter 02
  __host__ __device__ static bool works(unsigned t, unsigned len, unsigned) { return t % (2 * len) == 0; }
};
struct ThreadOfTheLeftPair {  // as in chapter 02, but each thread has two elements, 2 * t and 2 * t + 1
  __host__ __device__ static bool works(unsigned t, unsigned len, unsigned) { return t % len == 0; }
};
struct FirstThreads {  // chapter 03
  __host__ __device__ static bool works(unsigned t, unsigned len, unsigned elements) {
    return 2 * len * t < elements;
  }
};

struct Work {
  int warps = 0;    // warps in which at least one thread works
  int threads = 0;  // threads that work
};

// One Work per level of the tree over `elements` (a power of two), for `threads` threads in warps of `warp`.
template <typename Indexing>
std::vector<Work> work_by_level(unsigned elements, unsigned threads, unsigned warp) {
  std::vector<Work> levels;
  for (unsigned len = 1; len < elements; len *= 2) {
    std::set<unsigned> warps;
    Work work;
    for (unsigned t = 0; t < threads; ++t) {
      if (!Indexing::works(t, len, elements)) continue;
      warps.insert(t / warp);
      ++work.threads;
    }
    work.warps = static_cast<int>(warps.size());
    levels.push_back(work);
  }
  return levels;
}

// The same count on the device, by one block with a thread per element. The caller has set
// levels[0, log2(blockDim.x)) to zero.
template <typename Indexing>
__global__ void count_work(Work* levels) {
  const unsigned t = threadIdx.x;
  int level = 0;
  for (unsigned len = 1; len < blockDim.x; len *= 2, ++level) {
    const bool works = Indexing::works(t, len, blockDim.x);
    const unsigned working = __ballot_sync(0xffffffff, works);  // bit k is 1 if lane k works
    if (t % 32 == 0 && working != 0) {
      atomicAdd(&levels[level].warps, 1);
      atomicAdd(&levels[level].threads, __popc(working));
    }
  }
}
// SPDX-License-Identifier: MIT
