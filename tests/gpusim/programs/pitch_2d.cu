// expect: rows of 100 floats lie 512 bytes apart, 0 wrong
#include <cstdio>
#include <vector>

__global__ void scale(float* image, size_t pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = (float*)((char*)image + y * pitch);
  row[x] = 2.0f * row[x] + 1.0f;
}

int main() {
  const int width = 100, height = 37;
  std::vector<float> in(width * height), out(width * height);
  for (int i = 0; i < width * height; ++i) in[i] = i;
  float* d_image;
  size_t pitch = 0;
  cudaMallocPitch(&d_image, &pitch, width * sizeof(float), height);
  cudaMemset2D(d_image, pitch, 0, width * sizeof(float), height);
  cudaMemcpy2D(d_image, pitch, in.data(), width * sizeof(float), width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  scale<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(d_image, pitch, width, height);
  cudaMemcpy2D(out.data(), width * sizeof(float), d_image, pitch, width * sizeof(float), height,
               cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < width * height; ++i) wrong += out[i] != 2.0f * in[i] + 1.0f;
  std::printf("rows of %d floats lie %zu bytes apart, %d wrong\n", width, pitch, wrong);
  cudaFree(d_image);
  return wrong != 0;
}
// SPDX-License-Identifier: MIT
