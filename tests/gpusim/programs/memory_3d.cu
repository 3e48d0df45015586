// expect: 5 x 4 x 3 floats in rows: 0 wrong
// expect: a box of it: 22 23 32 33 122 123 132 133
// expect: filled: 0 of 12 wrong, beside it 0 touched
//
// Memory in three dimensions: cudaMalloc3D, cudaMemcpy3D, cudaMemset2D.
#include <cstdio>

__global__ void number(cudaPitchedPtr memory, int width, int height, int depth) {
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (x >= width || y >= height || z >= depth) return;
  char* row = static_cast<char*>(memory.ptr) + (z * height + y) * memory.pitch;
  reinterpret_cast<float*>(row)[x] = 100 * z + 10 * y + x;
}

int main() {
  constexpr int width = 5, height = 4, depth = 3;
  cudaPitchedPtr memory;
  const cudaExtent extent = make_cudaExtent(width * sizeof(float), height, depth);
  cudaMalloc3D(&memory, extent);
  number<<<1, dim3(8, 8, 4)>>>(memory, width, height, depth);
  float host[depth][height][width], box[2][2][2];
  cudaMemcpy3DParms all = {};
  all.srcPtr = memory, all.extent = extent, all.kind = cudaMemcpyDeviceToHost;
  all.dstPtr = make_cudaPitchedPtr(host, width * sizeof(float), width, height);
  cudaMemcpy3D(&all);
  int wrong = 0;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) wrong += host[z][y][x] != 100 * z + 10 * y + x;
  std::printf("%d x %d x %d floats in rows: %d wrong\n", width, height, depth, wrong);
  cudaMemcpy3DParms part = all;
  part.srcPos = make_cudaPos(2 * sizeof(float), 2, 0);
  part.dstPtr = make_cudaPitchedPtr(box, 2 * sizeof(float), 2, 2);
  part.extent = make_cudaExtent(2 * sizeof(float), 2, 2);
  cudaMemcpy3D(&part);
  std::printf("a box of it:");
  for (int i = 0; i < 8; ++i) std::printf(" %g", box[i / 4][i / 2 % 2][i % 2]);
  cudaMemset2D(memory.ptr, memory.pitch, 0, 3 * sizeof(float), height);
  cudaMemcpy3D(&all);
  int unfilled = 0, touched = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (x < 3) unfilled += host[0][y][x] != 0;
      else touched += host[0][y][x] != 10 * y + x;
  std::printf("\nfilled: %d of 12 wrong, beside it %d touched\n", unfilled, touched);
  cudaFree(memory.ptr);
}
// SPDX-License-Identifier: MIT
