// expect: a grid of 40 x 25 with walls: 63 steps to the far corner, 880 of 1000 reached
//
// Breadth-first search: a launch for each distance, until a flag on the host says that nothing is new.
#include <cstdio>

constexpr int kWidth = 40, kHeight = 25, n = kWidth * kHeight;
__host__ __device__ bool is_wall(int x, int y) { return x % 8 == 5 && y % 25 != (x / 8) * 6; }

__global__ void begin(int* distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) distance[i] = i == 0 ? 0 : -1;
}
__global__ void spread(int* distance, int step, int* is_new) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || distance[i] != step) return;
  const int x = i % kWidth, y = i / kWidth;
  const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
  for (int k = 0; k < 4; ++k) {
    const int nx = x + dx[k], ny = y + dy[k];
    if (nx < 0 || ny < 0 || nx >= kWidth || ny >= kHeight || is_wall(nx, ny)) continue;
    if (atomicCAS(&distance[ny * kWidth + nx], -1, step + 1) == -1) atomicExch(is_new, 1);
  }
}

int main() {
  int *distance, *is_new, host[n], found = 1;
  cudaMalloc(&distance, sizeof host), cudaMalloc(&is_new, sizeof *is_new);
  begin<<<(n + 255) / 256, 256>>>(distance);
  for (int step = 0; found; ++step) {
    cudaMemset(is_new, 0, sizeof *is_new);
    spread<<<(n + 255) / 256, 256>>>(distance, step, is_new);
    cudaMemcpy(&found, is_new, sizeof found, cudaMemcpyDeviceToHost);
  }
  cudaMemcpy(host, distance, sizeof host, cudaMemcpyDeviceToHost);
  int reached = 0;
  for (int d : host) reached += d >= 0;
  std::printf("a grid of %d x %d with walls: %d steps to the far corner, %d of %d reached\n", kWidth, kHeight, host[n - 1],
              reached, n);
}
// SPDX-License-Identifier: MIT
