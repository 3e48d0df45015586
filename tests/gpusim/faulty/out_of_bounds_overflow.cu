// expect-finding: out of bounds 16
// expect-text: the index has outgrown an int: 2147483648 does not fit into 32 bits with a sign, so compute it as size_t
// advice: compute it as size_t
// An index of int in an array with more than 2^31 elements.
#include <cuda_runtime.h>

#ifdef FIXED
using Index = size_t;
#else
using Index = int;
#endif

__global__ void mark(char* data, int rows, int columns) {
  const Index row = threadIdx.x == 0 ? 1 : rows - 1;
  const Index i = row * columns;
  data[i] = 1;
}

int main() {
  const int rows = 32769, columns = 65536;
  char* data;
  if (cudaMalloc(&data, size_t(rows) * columns) != cudaSuccess) return 1;
  mark<<<1, 2>>>(data, rows, columns);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  if (!fails) cudaFree(data);
  return fails;
}
// SPDX-License-Identifier: MIT
