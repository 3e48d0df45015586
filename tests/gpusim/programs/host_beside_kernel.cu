// expect: the half that no kernel uses: 64
// expect: what the kernel only reads: 2016
// expect: what a flag stands for: 7
// expect: after an event: 1
// What host code may do with memory that it shares with a kernel which it has not waited for: no check may accuse it.
#include <cstdio>

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void add(int* sum, const int* numbers) { atomicAdd(sum, numbers[threadIdx.x]); }

__global__ void publish(int* message, volatile int* flag) {
  *message = 7;
  __threadfence_system();
  *flag = 1;
}

int main() {
  constexpr int n = 64;
  int *halves, *numbers, *sum, *message;
  volatile int* flag;
  cudaMallocManaged(&halves, 2 * n * sizeof(int));
  cudaMallocManaged(&numbers, n * sizeof(int));
  cudaMallocHost(&message, sizeof(int));
  cudaMallocHost((void**)&flag, sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  for (int i = 0; i < n; ++i) numbers[i] = i;
  *flag = 0;
  cudaDeviceSynchronize();

  fill<<<1, n>>>(halves, 5);
  int count = 0;
  for (int i = n; i < 2 * n; ++i) count += (halves[i] = 1);
  std::printf("the half that no kernel uses: %d\n", count);

  add<<<1, n>>>(sum, numbers);
  int total = 0;
  for (int i = 0; i < n; ++i) total += numbers[i];
  std::printf("what the kernel only reads: %d\n", total);

  publish<<<1, 1>>>(message, const_cast<int*>(flag));
  while (*flag == 0) {}
  std::printf("what a flag stands for: %d\n", *message);

  cudaEvent_t filled;
  cudaEventCreate(&filled);
  fill<<<1, n>>>(halves, 1);
  cudaEventRecord(filled);
  while (cudaEventQuery(filled) != cudaSuccess) {}
  std::printf("after an event: %d\n", halves[0]);
  cudaEventDestroy(filled);
  cudaFree(halves);
  cudaFree(numbers);
  cudaFree(sum);
  cudaFreeHost(message);
  cudaFreeHost((void*)flag);
}
// SPDX-License-Identifier: MIT
