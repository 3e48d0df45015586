// options: -std=c++17
// expect: static 0 0 0, dynamic 0, sum 6
// expect: aligned type 64
// Shared memory that asks for an alignment of up to 16 KiB. A GPU keeps the first KiB of it to itself, so that nothing is aligned to
// more than 1 KiB there; tiles for swizzled copies ask for that much.
#include <cstdio>

constexpr int kKibibyte = 1024;
struct __align__(4 * 16) Line {
  float values[16];
};

__device__ unsigned offset_in(const void* shared, unsigned alignment) {
  return (unsigned)__cvta_generic_to_shared(shared) % alignment;
}

__global__ void places(unsigned* out) {
  __shared__ __align__(16 * 1024) char large[8];
  __shared__ __align__(2 * kKibibyte) int words[2];
  __shared__ alignas(sizeof(Line) * 2) char between[3];
  extern __shared__ __align__(8 * kKibibyte) char dynamic[];
  large[0] = 1, words[1] = 2, between[2] = 1, dynamic[0] = 2;
  out[0] = offset_in(large, kKibibyte);
  out[1] = offset_in(words, kKibibyte);
  out[2] = offset_in(between, 128);
  out[3] = offset_in(dynamic, kKibibyte);
  out[4] = large[0] + words[1] + between[2] + dynamic[0];
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 5 * sizeof(unsigned));
  places<<<1, 1, 16 * 1024>>>(out);
  cudaDeviceSynchronize();
  std::printf("static %u %u %u, dynamic %u, sum %u\n", out[0], out[1], out[2], out[3], out[4]);
  std::printf("aligned type %zu\n", alignof(Line));
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
