// expect-finding: out of bounds 17
// expect-text: pitch = 512 counts bytes (cudaMallocPitch), and here it counts elements: go from row to row by (char*)
// advice: go from row to row by (char*)
// advice: (ADVISED) divide the pitch by the size of an element
// The pitch that cudaMallocPitch gives counts bytes, and the kernel takes it for elements.
#include <cuda_runtime.h>

__global__ void fill(float* data, size_t pitch, int width) {
  const int column = threadIdx.x, row = blockIdx.x;
#ifdef FIXED
  float* const line = reinterpret_cast<float*>(reinterpret_cast<char*>(data) + row * pitch);
#elif defined ADVISED
  float* const line = data + row * (pitch / sizeof *data);
#else
  float* const line = data + row * pitch;
#endif
  if (column < width) line[column] = 1;
}

int main() {
  float* data;
  size_t pitch;
  cudaMallocPitch(&data, &pitch, 100 * sizeof *data, 16);
  fill<<<16, 128>>>(data, pitch, 100);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  if (!fails) cudaFree(data);
  return fails;
}
// SPDX-License-Identifier: MIT
