// expect-finding: fill 22 warning
// expect-text: cudaMemset sets bytes, and -10000 does not fit in a byte: each byte becomes 0xf0
// advice: use a kernel
// advice: (ADVISED) cudaMemcpy from a host array
// Scores that do not count shall be -10000, and become -5.9e29.
#include <cuda_runtime.h>

#include <vector>

__global__ void fill(float* data, float value) { data[threadIdx.x] = value; }

int main() {
  constexpr int n = 64;
  float* data;
  cudaMalloc(&data, n * sizeof(float));
#if defined(ADVISED)
  const std::vector<float> values(n, -10000.0f);
  cudaMemcpy(data, values.data(), n * sizeof(float), cudaMemcpyHostToDevice);
#elif defined(FIXED)
  fill<<<1, n>>>(data, -10000.0f);
#else
  cudaMemset(data, -10000.0f, n * sizeof(float));
#endif
  cudaFree(data);
}
// SPDX-License-Identifier: MIT
