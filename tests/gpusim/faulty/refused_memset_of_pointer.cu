// expect-finding: refused call 26
// expect-finding: never written 14
// expect-text: is the address of a host variable that holds the pointer 0x2000
// expect-text: pass the pointer, not its address: invalid argument; the program ignores the error: check what the call returns
// advice: pass the pointer, not its address
// advice: (ADVISED) check what the call returns, and clear the error with cudaGetLastError()
// advice: initialise it (cudaMemset
// cudaMemset gets the address of the pointer, is refused, and nothing looks at what it returns.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* sum) {
  atomicAdd(sum, 1);
}

int main() {
  int *sum, result = 0;
  if (cudaMalloc(&sum, sizeof *sum) != cudaSuccess) return 1;
#ifdef FIXED
  cudaMemset(sum, 0, sizeof *sum);
#elif defined ADVISED
  if (cudaMemset(&sum, 0, sizeof *sum) != cudaSuccess) cudaGetLastError(), cudaMemset(sum, 0, sizeof *sum);
#else

  cudaMemset(
      &sum, 0, sizeof *sum);
#endif
  add<<<1, 64>>>(sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%d\n", result);
  cudaFree(sum);
}
// SPDX-License-Identifier: MIT
