// Kernels whose names begin with wrong_ or right_, one launch each: what GPUSIM_CHECK=proof must not, or must, prove.
// tests/gpusim/runners/run_proofs.py reads what it says of them.
#pragma once

#include <cstdio>

using Kernel = void (*)(int* a, int* b, int n);

constexpr int kBlocks = 2, kThreads = 64, kInts = 4096;
// a[k] = k, b[k] = 0: with these values no kernel here makes two accesses that race, unless its comment says so.
inline void launch(Kernel kernel, int n = 4, int distance = kInts) {
  static int* memory = nullptr;
  static int values[2 * kInts];
  for (int k = 0; k < kInts; ++k) values[k] = k, values[kInts + k] = 0;
  if (!memory) cudaMalloc(&memory, sizeof values);
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  kernel<<<kBlocks, kThreads>>>(memory, memory + distance, n);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) std::printf("fault: %s\n", cudaGetErrorString(error));
}

#define ME (int(blockIdx.x * blockDim.x + threadIdx.x))
#define T (int(threadIdx.x))
#define KERNEL(name) __global__ void name(int* a, int* b, int n)
// SPDX-License-Identifier: MIT
