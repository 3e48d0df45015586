// expect: sums of 10 launches: 0 wrong
//
// A sum in one launch: the block that comes last, by a ticket, adds up what all have found.
#include <cstdio>

__device__ unsigned tickets = 0;

__global__ void sum(const int* in, int n, int* partial, int* out) {
  __shared__ int values[256];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) own += in[i];
  const auto reduce = [&](int value) {
    values[t] = value;
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
      if (t < step) values[t] += values[t + step];
      __syncthreads();
    }
    return values[0];
  };
  const int total = reduce(own);
  if (t == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    is_last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  const int all = reduce(t < gridDim.x ? *(volatile int*)&partial[t] : 0);
  if (t == 0) *out = all;
}

int main() {
  constexpr int n = 100'000, blocks = 40;
  int *in, *partial, *out, wrong = 0;
  cudaMallocManaged(&in, n * sizeof(int)), cudaMalloc(&partial, blocks * sizeof(int)), cudaMallocManaged(&out, sizeof(int));
  for (int launch = 0; launch < 10; ++launch) {
    long long wanted = 0;
    for (int i = 0; i < n; ++i) wanted += in[i] = (i * 7 + launch) % 1000 - 400;
    sum<<<blocks, 256>>>(in, n, partial, out);
    cudaDeviceSynchronize();
    wrong += *out != wanted;
  }
  std::printf("sums of 10 launches: %d wrong\n", wrong);
}
// SPDX-License-Identifier: MIT
