// expect: 256 bins hold 123456 bytes, 0 wrong
#include <cstdio>
#include <vector>

__global__ void histogram(const unsigned char* text, long size, unsigned int* bins) {
  __shared__ unsigned int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (long i = threadIdx.x + blockIdx.x * blockDim.x; i < size; i += blockDim.x * gridDim.x)
    atomicAdd(&local[text[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const long size = 123456;
  std::vector<unsigned char> text(size);
  std::vector<unsigned> expected(256), bins(256);
  unsigned state = 1;
  for (auto& c : text) {
    state = state * 1664525u + 1013904223u;
    c = state >> 24;
    ++expected[c];
  }
  unsigned char* d_text;
  unsigned* d_bins;
  cudaMalloc(&d_text, size);
  cudaMalloc(&d_bins, 256 * sizeof(unsigned));
  cudaMemcpy(d_text, text.data(), size, cudaMemcpyHostToDevice);
  cudaMemset(d_bins, 0, 256 * sizeof(unsigned));
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  histogram<<<properties.multiProcessorCount * 2, 256>>>(d_text, size, d_bins);
  cudaMemcpy(bins.data(), d_bins, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  int wrong = 0;
  unsigned total = 0;
  for (int i = 0; i < 256; ++i) wrong += bins[i] != expected[i], total += bins[i];
  std::printf("256 bins hold %u bytes, %d wrong\n", total, wrong);
  cudaFree(d_text);
  cudaFree(d_bins);
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
