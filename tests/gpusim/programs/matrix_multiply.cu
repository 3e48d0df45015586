// expect: 70 x 50 times 50 x 90: 0 wrong
#include <cuda.h>
#include <device_launch_parameters.h>
#include <stdio.h>
#include <vector>

constexpr int kTile = 16;

// c[rows][columns] = a[rows][inner] * b[inner][columns]
__global__ void multiply(const int* a, const int* b, int* c, int rows, int inner, int columns) {
  __shared__ int tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  int sum = 0;
  for (int begin = 0; begin < inner; begin += kTile) {
    const int ka = begin + threadIdx.x, kb = begin + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < rows && ka < inner ? a[row * inner + ka] : 0;
    tile_b[threadIdx.y][threadIdx.x] = kb < inner && column < columns ? b[kb * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

int main() {
  const int rows = 70, inner = 50, columns = 90;
  std::vector<int> a(rows * inner), b(inner * columns), c(rows * columns);
  for (int i = 0; i < rows * inner; ++i) a[i] = i % 13 - 6;
  for (int i = 0; i < inner * columns; ++i) b[i] = i % 17 - 8;
  int *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, a.size() * 4);
  cudaMalloc(&d_b, b.size() * 4);
  cudaMalloc(&d_c, c.size() * 4);
  cudaMemcpy(d_a, a.data(), a.size() * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, b.data(), b.size() * 4, cudaMemcpyHostToDevice);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile), block(kTile, kTile);
  multiply<<<grid, block>>>(d_a, d_b, d_c, rows, inner, columns);
  cudaMemcpy(c.data(), d_c, c.size() * 4, cudaMemcpyDefault);
  int wrong = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      int sum = 0;
      for (int k = 0; k < inner; ++k) sum += a[i * inner + k] * b[k * columns + j];
      wrong += c[i * columns + j] != sum;
    }
  printf("%d x %d times %d x %d: %d wrong\n", rows, inner, inner, columns, wrong);
  cudaFree(d_a), cudaFree(d_b), cudaFree(d_c);
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
