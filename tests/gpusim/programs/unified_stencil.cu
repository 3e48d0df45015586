// expect: heat after 50 steps: total 1000.000, peak in the middle
#include <cmath>
#include <iostream>
#include <utility>

__global__ void step(const double* from, double* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double left = i > 0 ? from[i - 1] : from[i], right = i + 1 < n ? from[i + 1] : from[i];
  to[i] = from[i] + 0.25 * (left - 2 * from[i] + right);
}

int main() {
  const int n = 301;
  double *now, *next;
  cudaMallocManaged(&now, n * sizeof(double));
  cudaMallocManaged((void**)&next, n * sizeof(double));
  for (int i = 0; i < n; ++i) now[i] = i == n / 2 ? 1000.0 : 0.0;
  int device = -1;
  cudaGetDevice(&device);
#if CUDART_VERSION >= 13000
  cudaMemPrefetchAsync(now, n * sizeof(double), {cudaMemLocationTypeDevice, device}, 0, NULL);
#else
  cudaMemPrefetchAsync(now, n * sizeof(double), device, NULL);
#endif
  for (int k = 0; k < 50; ++k) {
    step<<<(n + 127) / 128, 128>>>(now, next, n);
    std::swap(now, next);
  }
  cudaDeviceSynchronize();
  double total = 0;
  int peak = 0;
  for (int i = 0; i < n; ++i) {
    total += now[i];
    if (now[i] > now[peak]) peak = i;
  }
  std::cout.precision(3);
  std::cout << std::fixed << "heat after 50 steps: total " << total << ", peak "
            << (peak == n / 2 ? "in the middle" : "elsewhere") << "\n";
  cudaFree(now);
  cudaFree(next);
}
// SPDX-License-Identifier: MIT
