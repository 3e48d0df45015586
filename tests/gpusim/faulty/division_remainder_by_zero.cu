// expect-finding: division 20
// expect-text:  % 0: the divisor is 0, so the result is undefined
// advice: divide only where the divisor is not 0
// A slot of a hash table that has no slots. Only the remainder of 64 bits is asked for, and of half of the lanes.
#include <cuda_runtime.h>

#include <cstdio>

using Key = unsigned long long;

__global__ void slots_of(const Key* keys, Key slots, Key* out) {
  const int i = threadIdx.x;
  if (i % 2 == 1) {
    out[i] = 0;
    return;
  }
#ifdef FIXED
  out[i] = slots != 0 ? keys[i] % slots : 0;
#else
  out[i] = keys[i] % slots;
#endif
}

int main() {
  constexpr int kKeys = 32;
#ifdef FIXED
  constexpr Key kSlots[] = {7, 0};
#else
  constexpr Key kSlots[] = {0};
#endif
  Key *keys, *out;
  cudaMallocManaged(&keys, kKeys * sizeof *keys);
  cudaMallocManaged(&out, kKeys * sizeof *out);
  for (int i = 0; i < kKeys; ++i) keys[i] = ~Key(i);
  for (const Key slots : kSlots) slots_of<<<1, kKeys>>>(keys, slots, out);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  const bool is_right = out[1] == 0;
  if (!is_right) std::puts("an odd lane has divided");
  cudaFree(keys);
  cudaFree(out);
  return fails || !is_right;
}
// SPDX-License-Identifier: MIT
