// Chapter 10's single-pass scan with tiles of 128 elements: scan TILES. Exit status 2: the result is wrong.
#include <kernels.cuh>
#include <single_pass.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  constexpr int kThreads = 32, kTile = kThreads * 4;
  const int tiles = argc > 1 ? std::atoi(argv[1]) : 2, n = tiles * kTile;
  std::vector<int> numbers(std::size_t(n), 1);
  int *in, *out;
  TileWord* words;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMalloc(&words, words_of<kThreads, 1>(n) * sizeof(TileWord));
  cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  scan_single_pass<int, Scan::inclusive, kThreads, 1>(in, out, words, n);
  cudaMemcpy(numbers.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i)
    if (numbers[std::size_t(i)] != i + 1) return 2;
  return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
