// expect-finding: refused call 18
// expect-text: fill is launched with gridDim.y = 70000; gridDim.y ends at 65535: invalid configuration argument; the program never asks
// advice: (ADVISED) call cudaGetLastError() after the launch
// A grid with more rows of blocks than a GPU takes. The launch returns nothing, and nothing asks for its error.
#include <cuda_runtime.h>

__global__ void fill(int* data) { data[blockIdx.y] = 1; }

int main() {
  const int rows = 70000;
  int* data;
  if (cudaMalloc(&data, rows * sizeof *data) != cudaSuccess) return 1;
#ifdef FIXED
  fill<<<dim3(1, 65535), 1>>>(data);
  if (cudaGetLastError() != cudaSuccess) return 1;
#else

  fill<<<dim3(1, rows), 1>>>(data);
#ifdef ADVISED
  if (cudaGetLastError() != cudaSuccess) fill<<<dim3(1, 65535), 1>>>(data);
#endif
#endif
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(data);
  return fails;
}
// SPDX-License-Identifier: MIT
