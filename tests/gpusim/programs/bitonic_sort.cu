// expect: 4096 numbers: 0 out of order, 0 lost
//
// A bitonic sort in global memory, one launch for each step.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void step(unsigned* values, int distance, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other < i) return;
  const bool ascending = (i & size) == 0;
  if ((values[i] > values[other]) == ascending) {
    const unsigned kept = values[i];
    values[i] = values[other];
    values[other] = kept;
  }
}

int main() {
  constexpr int n = 4096;
  std::vector<unsigned> host(n), sorted(n);
  unsigned state = 12345;
  for (unsigned& value : host) value = state = state * 1664525u + 1013904223u;
  unsigned* values;
  cudaMalloc(&values, n * sizeof *values);
  cudaMemcpy(values, host.data(), n * sizeof *values, cudaMemcpyHostToDevice);
  for (int size = 2; size <= n; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) step<<<n / 256, 256>>>(values, distance, size);
  cudaMemcpy(sorted.data(), values, n * sizeof *values, cudaMemcpyDeviceToHost);
  int out_of_order = 0, lost = 0;
  for (int i = 1; i < n; ++i) out_of_order += sorted[i - 1] > sorted[i];
  std::sort(host.begin(), host.end());
  for (int i = 0; i < n; ++i) lost += host[i] != sorted[i];
  std::printf("%d numbers: %d out of order, %d lost\n", n, out_of_order, lost);
}
// SPDX-License-Identifier: MIT
