// expect: array 10, tuple 3 2.5 c, pair 7 8, largest 2147483647
// expect: ratio 1 3, chrono 90000 ms
// expect: traits 1 0 1 4
// needs: cuda/std/atomic
//
// The standard library in kernels: cuda::std.
#include <cuda/std/array>
#include <cuda/std/chrono>
#include <cuda/std/limits>
#include <cuda/std/ratio>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

#include <cstdio>

template <class T>
__device__ int words() {
  if constexpr (cuda::std::is_same_v<T, double>) return 2;
  return sizeof(cuda::std::conditional_t<cuda::std::is_integral_v<T>, int, char>);
}

__global__ void use(int* traits) {
  const cuda::std::array<int, 4> four = {1, 2, 3, 4};
  int sum = 0;
  for (const int x : four) sum += x;
  const auto three = cuda::std::make_tuple(3, 2.5, 'c');
  const auto two = cuda::std::make_pair(7, 8);
  printf("array %d, tuple %d %g %c, pair %d %d, largest %d\n", sum, cuda::std::get<0>(three), cuda::std::get<1>(three),
         cuda::std::get<2>(three), two.first, two.second, cuda::std::numeric_limits<int>::max());
  using Third = cuda::std::ratio<2, 6>;
  const cuda::std::chrono::milliseconds time = cuda::std::chrono::minutes(1) + cuda::std::chrono::seconds(30);
  printf("ratio %d %d, chrono %lld ms\n", int(Third::num), int(Third::den),
         (long long)time.count());
  traits[0] = cuda::std::is_trivially_copyable<int>::value;
  traits[1] = cuda::std::is_floating_point<int>::value;
  traits[2] = words<float>();
  traits[3] = words<short>();
}

int main() {
  int* traits;
  cudaMallocManaged(&traits, 4 * sizeof(int));
  use<<<1, 1>>>(traits);
  cudaDeviceSynchronize();
  std::printf("traits %d %d %d %d\n", traits[0], traits[1], traits[2], traits[3]);
}
// SPDX-License-Identifier: MIT
