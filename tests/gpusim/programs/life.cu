// expect: generation 0: 5 alive, at 1,0 2,1 0,2 1,2 2,2
// expect: generation 64: 5 alive, at 17,16 18,17 16,18 17,18 18,18
// expect: the same from tiles in shared memory: 1
//
// Conway's life: a glider on a torus, from global memory and from tiles with a halo.
#include <cstdio>
#include <cstring>
#include <utility>

constexpr int kSide = 64, kTile = 16;

__device__ int next(int alive, int neighbours) { return neighbours == 3 || (alive && neighbours == 2); }
__global__ void plain(const int* from, int* to) {
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) neighbours += from[(y + dy + kSide) % kSide * kSide + (x + dx + kSide) % kSide];
  to[y * kSide + x] = next(from[y * kSide + x], neighbours);
}
__global__ void tiled(const int* from, int* to) {
  __shared__ int tile[kTile + 2][kTile + 2];
  const int first_x = blockIdx.x * kTile, first_y = blockIdx.y * kTile;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < (kTile + 2) * (kTile + 2); i += kTile * kTile) {
    const int tx = i % (kTile + 2), ty = i / (kTile + 2);
    tile[ty][tx] = from[(first_y + ty - 1 + kSide) % kSide * kSide + (first_x + tx - 1 + kSide) % kSide];
  }
  __syncthreads();
  int sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
  const int alive = tile[threadIdx.y + 1][threadIdx.x + 1];
  to[(first_y + threadIdx.y) * kSide + first_x + threadIdx.x] = next(alive, sum - alive);
}

void print(int generation, const int* cells) {
  int alive = 0;
  for (int i = 0; i < kSide * kSide; ++i) alive += cells[i];
  std::printf("generation %d: %d alive, at", generation, alive);
  for (int i = 0; i < kSide * kSide; ++i)
    if (cells[i]) std::printf(" %d,%d", i % kSide, i / kSide);
  std::printf("\n");
}

int main() {
  static int host[kSide * kSide], other[kSide * kSide];
  for (const auto& [x, y] : {std::pair<int, int>{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}) host[y * kSide + x] = 1;
  print(0, host);
  int* cells[4];
  for (int*& c : cells) cudaMalloc(&c, sizeof host);
  cudaMemcpy(cells[0], host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(cells[2], host, sizeof host, cudaMemcpyHostToDevice);
  const dim3 grid(kSide / kTile, kSide / kTile), block(kTile, kTile);
  for (int generation = 0; generation < 64; ++generation) {
    plain<<<grid, block>>>(cells[generation % 2], cells[1 - generation % 2]);
    tiled<<<grid, block>>>(cells[2 + generation % 2], cells[3 - generation % 2]);
  }
  cudaMemcpy(host, cells[0], sizeof host, cudaMemcpyDeviceToHost);
  cudaMemcpy(other, cells[2], sizeof host, cudaMemcpyDeviceToHost);
  print(64, host);
  std::printf("the same from tiles in shared memory: %d\n", std::memcmp(host, other, sizeof host) == 0);
}
// SPDX-License-Identifier: MIT
