// Matrices, systems of equations, distances, and copies that change the order of dimensions.
#pragma once

#include "inputs.cuh"

namespace outside {

// One step of Floyd and Warshall's: may paths go over place k? Distances from and to k stay as they are.
__global__ void floyd_warshall_step(float* distances, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  const float over = distances[i * n + k] + distances[k * n + j];
  distances[i * n + j] = fminf(distances[i * n + j], over);
}

// Products of many 4 x 4 matrices, which follow each other in memory: a thread per element of a product.
__global__ void multiply_small(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int matrix = i / 16 * 16, line = i / 4 % 4, column = i % 4;
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += a[matrix + line * 4 + k] * b[matrix + k * 4 + column];
  c[i] = sum;
}

// Cholesky's factors of many 6 x 6 matrices, a thread each; the same element of all matrices lies together.
__global__ void cholesky_small(const float* in, float* out, int matrices) {
  constexpr int kSize = 6;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= matrices) return;
  float l[kSize][kSize];
#pragma unroll
  for (int r = 0; r < kSize; ++r) {
#pragma unroll
    for (int c = 0; c <= r; ++c) {
      float sum = in[(r * kSize + c) * matrices + i];
#pragma unroll
      for (int k = 0; k < c; ++k) sum -= l[r][k] * l[c][k];
      l[r][c] = r == c ? sqrtf(sum) : sum / l[c][c];
      out[(r * kSize + c) * matrices + i] = l[r][c];
    }
  }
}

// C becomes half of C plus A times its transpose, from the definition: the lanes read rows of A that are m
// apart.
__global__ void syrk(const float* a, float* c, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = 0.5f * c[i * n + j];
  for (int k = 0; k < m; ++k) sum += a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

// Two matrices times one vector, added: a thread walks along its row of both.
__global__ void gesummv(const float* a, const float* b, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float from_a = 0, from_b = 0;
  for (int j = 0; j < n; ++j) {
    from_a += a[i * n + j] * x[j];
    from_b += b[i * n + j] * x[j];
  }
  y[i] = 1.5f * from_a + 1.2f * from_b;
}

// Rows of queries, keys and values by position become three arrays by head.
__global__ void split_heads(const float* in, float* q, float* k, float* v, int positions, int heads, int size,
                            int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int d = i % size, position = i / size % positions;
  const int head = i / (size * positions) % heads, batch = i / (size * positions * heads);
  const float* const from = in + ((batch * positions + position) * 3 * heads + head) * size + d;
  q[i] = from[0];
  k[i] = from[heads * size];
  v[i] = from[2 * heads * size];
}

// A cube with its first and last dimension exchanged; it is read in order, and written a plane apart.
__global__ void turn_cube(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z;
  out[(x * n + y) * n + z] = in[(z * n + y) * n + x];
}

// Squared distances between all pairs of two sets of points: 16 x 16 pairs for a block, 16 dimensions at a
// time.
__global__ void pairwise_distances(const float* a, const float* b, float* out, int points, int dimensions) {
  __shared__ float of_a[16][17], of_b[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int d = 0; d < dimensions; d += 16) {
    of_a[ty][tx] = a[i * dimensions + d + tx];
    of_b[ty][tx] = b[(blockIdx.x * 16 + ty) * dimensions + d + tx];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      const float difference = of_a[ty][k] - of_b[tx][k];
      sum += difference * difference;
    }
    __syncthreads();
  }
  out[i * points + j] = sum;
}

// Thomas's way through tridiagonal systems, a thread each; the same row of all systems lies together.
__global__ void solve_tridiagonal(const float* below, const float* middle, const float* above,
                                  const float* right, float* scratch, float* solution, int systems,
                                  int size) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems) return;
  float c = above[s] / middle[s], d = right[s] / middle[s];
  scratch[s] = c;
  solution[s] = d;
  for (int k = 1; k < size; ++k) {
    const int i = k * systems + s;
    const float scale = 1.0f / (middle[i] - below[i] * c);
    c = above[i] * scale;
    d = (right[i] - below[i] * d) * scale;
    scratch[i] = c;
    solution[i] = d;
  }
  for (int k = size - 2; k >= 0; --k) {
    const int i = k * systems + s;
    d = solution[i] - scratch[i] * d;
    solution[i] = d;
  }
}

// A sparse matrix stored by its seven diagonals times a vector.
__global__ void multiply_diagonals(const float* diagonals, const int* offsets, const float* x, float* y,
                                   int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 7; ++k) {
    const int j = i + offsets[k];
    if (j >= 0 && j < n) sum += diagonals[k * n + i] * x[j];
  }
  y[i] = sum;
}

inline void floyd_warshall_row(int n) {
  const auto distance = [&](std::size_t k) { return k / n == k % n ? 0.0f : 1.0f + fraction(k); };
  const Filled<float> distances(std::size_t(n) * n, distance);
  row("floyd_warshall_step " + std::to_string(n),
      [&] { floyd_warshall_step<<<dim3(n / 256, n), 256>>>(distances, n, n / 3); });
}

inline void pairwise_row(int points) {
  constexpr int kDimensions = 64;
  const Filled<float> a(std::size_t(points) * kDimensions, fraction);
  const Filled<float> b(std::size_t(points) * kDimensions, [](std::size_t k) { return fraction(k + 7); });
  const Filled<float> out(std::size_t(points) * points);
  const dim3 blocks(points / 16, points / 16), threads(16, 16);
  row("pairwise_distances " + std::to_string(points),
      [&] { pairwise_distances<<<blocks, threads>>>(a, b, out, points, kDimensions); });
}

inline void cholesky_row() {
  constexpr int kMatrices = 65536;
  const auto element = [](std::size_t k) { return k / kMatrices % 7 == 0 ? 8.0f : fraction(k); };
  const Filled<float> in(kMatrices * 36, element), out(kMatrices * 36);
  row("cholesky_small", [&] { cholesky_small<<<kMatrices / 128, 128>>>(in, out, kMatrices); });
}

inline void tridiagonal_row() {
  constexpr int kSystems = 32768, kSize = 128, kCount = kSystems * kSize;
  const Filled<float> below(kCount, fraction), above(kCount, fraction), right(kCount, fraction);
  const Filled<float> middle(kCount, [](std::size_t k) { return 3.0f + fraction(k); });
  const Filled<float> scratch(kCount), solution(kCount);
  row("solve_tridiagonal", [&] {
    solve_tridiagonal<<<kSystems / 128, 128>>>(below, middle, above, right, scratch, solution, kSystems,
                                               kSize);
  });
}

inline void diagonals_row() {
  constexpr int kSize = 1 << 20;
  const auto offset = [](std::size_t k) { return 100 * (int(k) - 3); };
  const Filled<float> diagonals(7 * kSize, fraction), x(kSize, fraction), y(kSize);
  const Filled<int> offsets(7, offset);
  row("multiply_diagonals",
      [&] { multiply_diagonals<<<kSize / 256, 256>>>(diagonals, offsets, x, y, kSize); });
}

inline void split_heads_row() {
  constexpr int kPositions = 1024, kHeads = 12, kSize = 64, kCount = 4 * kPositions * kHeads * kSize;
  const Filled<float> in(3 * kCount, fraction), q(kCount), k(kCount), v(kCount);
  row("split_heads",
      [&] { split_heads<<<kCount / 256, 256>>>(in, q, k, v, kPositions, kHeads, kSize, kCount); });
}

inline void matrix_practice_rows() {
  floyd_warshall_row(1024);
  floyd_warshall_row(4096);
  pairwise_row(512);
  pairwise_row(4096);
  cholesky_row();
  tridiagonal_row();
  diagonals_row();
  split_heads_row();
  const dim3 threads(32, 8);
  {
    const Filled<float> a(65536 * 16, fraction), b(65536 * 16, fraction), c(65536 * 16);
    row("multiply_small", [&] { multiply_small<<<65536 * 16 / 256, 256>>>(a, b, c); });
  }
  {
    const Filled<float> a(2048 * 2048, fraction), b(2048 * 2048, fraction), x(2048, fraction), y(2048);
    row("gesummv", [&] { gesummv<<<2048 / 256, 256>>>(a, b, x, y, 2048); });
    const Filled<float> c(768 * 768);
    row("syrk", [&] { syrk<<<dim3(768 / 32, 768 / 8), threads>>>(a, c, 768, 256); });
  }
  {
    const Filled<float> in(256 * 256 * 256, fraction), out(256 * 256 * 256);
    row("turn_cube", [&] { turn_cube<<<dim3(8, 32, 256), threads>>>(in, out, 256); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
