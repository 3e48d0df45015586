// options: -ffp-contract=off
// expect: 0 pixels differ from the host's, some are in the set
#include <cstdio>
#include <vector>

struct Complex {
  float r, i;
  __host__ __device__ Complex(float a, float b) : r(a), i(b) {}
  __host__ __device__ float magnitude2() const { return r * r + i * i; }
  __host__ __device__ Complex operator*(const Complex& a) const {
    return Complex(r * a.r - i * a.i, i * a.r + r * a.i);
  }
  __host__ __device__ Complex operator+(const Complex& a) const { return Complex(r + a.r, i + a.i); }
};

// Without fused multiply-adds, host and device compute the same bits.
constexpr int kSize = 96;

__host__ __device__ int julia(int x, int y) {
  const float scale = 1.5f;
  const float jx = scale * (float)(kSize / 2 - x) / (kSize / 2),
              jy = scale * (float)(kSize / 2 - y) / (kSize / 2);
  const Complex c(-0.75f, 0.125f);  // exactly representable
  Complex a(jx, jy);
  for (int i = 0; i < 40; ++i) {
    a = a * a + c;
    if (a.magnitude2() > 1000) return 0;
  }
  return 1;
}

__global__ void paint(unsigned char* pixels) {
  const int x = blockIdx.x, y = blockIdx.y, offset = x + y * gridDim.x;
  pixels[offset * 4 + 0] = 255 * julia(x, y);
  pixels[offset * 4 + 3] = 255;
}

int main() {
  std::vector<unsigned char> pixels(kSize * kSize * 4);
  unsigned char* d_pixels;
  cudaMalloc((void**)&d_pixels, pixels.size());
  const dim3 grid(kSize, kSize);
  paint<<<grid, 1>>>(d_pixels);
  cudaMemcpy(pixels.data(), d_pixels, pixels.size(), cudaMemcpyDeviceToHost);
  int differ = 0, inside = 0;
  for (int y = 0; y < kSize; ++y)
    for (int x = 0; x < kSize; ++x) {
      const int red = pixels[(x + y * kSize) * 4];
      inside += red == 255;
      differ += red != 255 * julia(x, y);
    }
  std::printf("%d pixels differ from the host's, %s in the set\n", differ, inside ? "some are" : "none is");
  cudaFree(d_pixels);
  return differ != 0;
}
// SPDX-License-Identifier: MIT
