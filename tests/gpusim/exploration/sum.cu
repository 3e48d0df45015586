// Chapter 12's sums in one launch: sum one_launch|last_block BLOCKS. Exit status 2: the result is wrong.
#include <kernels.cuh>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <steps.cuh>

int main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "one_launch";
  const int blocks = argc > 2 ? std::atoi(argv[2]) : 2, n = blocks * kBlock;
  const std::vector<float> ones(std::size_t(n), 1.0f);
  float *in, *sum, *block_sums;
  BlockWord* words;
  unsigned* ticket;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMalloc(&block_sums, blocks * sizeof(float));
  cudaMalloc(&words, blocks * sizeof(BlockWord));
  cudaMalloc(&ticket, sizeof(unsigned));
  cudaMemset(words, 0, blocks * sizeof(BlockWord));
  cudaMemset(ticket, 0, sizeof(unsigned));
  cudaMemcpy(in, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  if (which == "one_launch") sum_all(in, sum, words, n, blocks);
  else sum_last_block<<<blocks, kBlock>>>(in, sum, block_sums, ticket, n);
  float result = 0;
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  if (result != float(n)) return 2;
  return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
