// expect-finding: out of bounds 15
// expect-text: the launch has 32 rows of threads, and image has 20 rows of width = 32 elements: let only threads of these rows access it
// advice: let only threads of these rows access it
// The grid is rounded up in both directions, and the kernel looks at one of them.
#include <cuda_runtime.h>

#ifdef FIXED
#define IS_INSIDE(x, y) (x < width && y < height)
#else
#define IS_INSIDE(x, y) (x < width)
#endif

__global__ void invert(unsigned char* image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (IS_INSIDE(x, y)) image[y * width + x] = 255 - image[y * width + x];
}

int main() {
  unsigned char* image;
  cudaMalloc(&image, 32 * 20);
  cudaMemset(image, 0, 32 * 20);
  invert<<<dim3(2, 2), dim3(16, 16)>>>(image, 32, 20);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  if (!fails) cudaFree(image);
  return fails;
}
// SPDX-License-Identifier: MIT
