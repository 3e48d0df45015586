// expect: 16 x 16 threads in 1 x 1 blocks
// expect: 4 x 2 threads in 3 x 1 blocks
// expect: 8 x 1 threads in 2 x 2 blocks
// expect: 32 x 1 threads in 1 x 1 blocks, template of 3
// expect: 5 x 1 threads in 1 x 1 blocks
// expect: shown <<<{2}, {2}>>> 6
// options: -std=c++17 -w
//
// nvcc takes lists in braces as arguments of a launch; in text, comments and other calls they stay what they are.
#include <algorithm>
#include <cstdio>

__global__ void tell() {
  if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.y == 0)
    printf("%u x %u threads in %u x %u blocks\n", blockDim.x, blockDim.y, gridDim.x, gridDim.y);
}
template <int n>
__global__ void of_template() {
  if (threadIdx.x == 0) printf("%u x 1 threads in %u x 1 blocks, template of %d\n", blockDim.x, gridDim.x, n);
}
__global__ void outer() { tell<<<1, {5}>>>(); }

int main() {
  const dim3 one(1);
  int n = 4;
  tell<<<one, {16, 16}>>>(); /* tell<<<{2}, {2}>>>(); */
  tell<<<{3}, {unsigned(n), 2}, 0, 0>>>();
  tell<<<{2, 2, 1},
         {(n > 2 ? 8u : 4u)}, {}, {}>>>();
  of_template<3><<<1, {32}>>>();
  outer<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("shown <<<{2}, {2}>>> %d\n", std::max({1, 6, n}));
}
// SPDX-License-Identifier: MIT
