// expect: dot product 333328333350000
#include <cstdio>
#include <vector>

__global__ void dot(const int* a, const int* b, unsigned long long* result, int n) {
  __shared__ unsigned long long partial[256];
  unsigned long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += (unsigned long long)a[i] * b[i];
  partial[threadIdx.x] = sum;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) atomicAdd(result, partial[0]);
}

int main() {
  const int n = 100000;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i;
  int* d_values;
  unsigned long long *d_result, result;
  cudaMalloc(&d_values, n * sizeof(int));
  cudaMalloc(&d_result, sizeof result);
  cudaMemcpy(d_values, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(d_result, 0, sizeof result);
  dot<<<32, 256>>>(d_values, d_values, d_result, n);
  cudaMemcpy(&result, d_result, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("dot product %llu\n", result);
  cudaFree(d_values);
  cudaFree(d_result);
}
// SPDX-License-Identifier: MIT
