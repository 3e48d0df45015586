// expect: 500 rows, 1494 entries: 0 wrong by thread, 0 wrong by warp
//
// A sparse matrix (CSR) times a vector, with a thread and with a warp for each row.
#include <cstdio>
#include <vector>

__global__ void by_thread(const int* start, const int* column, const int* value, const int* x, int* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int k = start[row]; k < start[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void by_warp(const int* start, const int* column, const int* value, const int* x, int* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  int sum = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

int main() {
  constexpr int rows = 500;
  std::vector<int> start = {0}, column, value, x(rows), wanted(rows), y(rows);
  for (int i = 0; i < rows; ++i) x[i] = i % 17 - 8;
  for (int row = 0; row < rows; ++row) {
    const int entries = row % 7;
    for (int k = 0; k < entries; ++k) {
      column.push_back((row * 31 + k * 97) % rows), value.push_back(row % 5 + k);
      wanted[row] += value.back() * x[column.back()];
    }
    start.push_back(int(column.size()));
  }
  int *s = to_device(start), *c = to_device(column), *v = to_device(value), *dx = to_device(x), *dy = to_device(y);
  int wrong[2] = {};
  for (int way = 0; way < 2; ++way) {
    cudaMemset(dy, 0xff, rows * sizeof(int));
    if (way == 0) by_thread<<<(rows + 127) / 128, 128>>>(s, c, v, dx, dy, rows);
    else by_warp<<<(rows + 3) / 4, 128>>>(s, c, v, dx, dy, rows);
    cudaMemcpy(y.data(), dy, rows * sizeof(int), cudaMemcpyDeviceToHost);
    for (int row = 0; row < rows; ++row) wrong[way] += y[row] != wanted[row];
  }
  std::printf("%d rows, %zu entries: %d wrong by thread, %d wrong by warp\n", rows, column.size(), wrong[0], wrong[1]);
}
// SPDX-License-Identifier: MIT
