// Which warps have work on a level of the tree? Found by asking every thread, on the host for any size of
// warp, on the device for its own.
#pragma once

#include <cuda_runtime.h>

#include <set>
#include <vector>

// The tree adds pairs of sums that are len elements apart, len = 1, 2, 4 … elements / 2. Each of these says
// whether thread t adds a pair on that level.
struct ThreadOfTheLeftElement {  // chapter 02
  __host__ __device__ static bool works(unsigned t, unsigned len, unsigned) { return t % (2 * len) == 0; }
};
struct ThreadOfTheLeftPair {  // the same where a thread holds two elements, 2 * t and 2 * t + 1
  __host__ __device__ static bool works(unsigned t, unsigned len, unsigned) { return t % len == 0; }
};
struct FirstThreads {  // chapter 03
  __host__ __device__ static bool works(unsigned t, unsigned len, unsigned elements) {
    return 2 * len * t < elements;
  }
};

struct Work {
  int warps = 0;    // in which at least one thread works
  int threads = 0;  // that work
};

// One Work for each level of the tree over `elements` (a power of two), by `threads` in warps of `warp`.
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

// The same, asked on the device: one block, a thread for each element. levels[0, log2(blockDim.x)) begin as
// zeros.
template <typename Indexing>
__global__ void count_work(Work* levels) {
  const unsigned t = threadIdx.x;
  int level = 0;
  for (unsigned len = 1; len < blockDim.x; len *= 2, ++level) {
    const bool works = Indexing::works(t, len, blockDim.x);
    const unsigned working = __ballot_sync(0xffffffff, works);  // bit k: lane k works
    if (t % 32 == 0 && working != 0) {
      atomicAdd(&levels[level].warps, 1);
      atomicAdd(&levels[level].threads, __popc(working));
    }
  }
}
// SPDX-License-Identifier: MIT
