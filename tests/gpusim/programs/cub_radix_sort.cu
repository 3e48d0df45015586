// needs: cub/version.cuh thrust/version.h
// expect: 100,000 keys: no error, 0 out of order, sums agree
// A radix sort of many tiles: several kernels, whose blocks hand sums on to the next.
#include <cub/device/device_radix_sort.cuh>

#include <cstdio>

int main() {
  constexpr int n = 100000;
  unsigned *keys, *sorted;
  cudaMallocManaged(&keys, n * sizeof *keys);
  cudaMallocManaged(&sorted, n * sizeof *sorted);
  unsigned before = 0, after = 0;
  for (unsigned i = 0; i < n; ++i) before += keys[i] = i * 2654435761u;
  void* scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, sorted, n);
  cudaMalloc(&scratch, bytes);
  cudaError_t error = cub::DeviceRadixSort::SortKeys(scratch, bytes, keys, sorted, n);
  if (!error) error = cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    after += sorted[i];
    wrong += i > 0 && sorted[i - 1] > sorted[i];
  }
  std::printf("100,000 keys: %s, %d out of order, sums %s\n", cudaGetErrorString(error), wrong, before == after ? "agree" : "differ");
}
// SPDX-License-Identifier: MIT
