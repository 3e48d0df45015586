// rejected: right, but it accesses local memory
// Which element to send is computed as an index. Registers have no index: the array moves to local memory,
// which is device memory. (An index that is one of two constants a compiler may turn into a choice between two
// registers; one that comes out of a loop it does not.)
#pragma once

#define shuffle_swap solved_shuffle_swap  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_swap

template <int kFirst, int kSecond>
__global__ void shuffle_swap(const int* in, int* out, int mask) {
  const int t = threadIdx.x, lane = t % 32;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  int mine = kFirst;
  for (int before = 0; before < lane; ++before)  // the second of two partners sends its other element
    if ((before ^ mask) == lane) mine = kSecond;
  value[mine] = __shfl_xor_sync(kAllLanes, value[mine], mask);
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
