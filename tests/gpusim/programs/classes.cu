// expect: areas 12 78, points 4 6, sum of squares 285
// expect: lambda 0 3 6 9, of a template 21, constexpr 120
// expect: a kernel of a class 64, by name 5
// options: --extended-lambda -std=c++17
//
// C++ in kernels: classes, inheritance (virtual_functions.cu has virtual ones), operators, lambdas, constexpr, variadic templates.
#include <cstdio>

template <class Derived>
struct Shape {
  __device__ int area() const { return static_cast<const Derived*>(this)->own_area(); }
};
struct Rectangle : Shape<Rectangle> {
  int a, b;
  __host__ __device__ Rectangle(int a, int b) : a(a), b(b) {}
  __device__ int own_area() const { return a * b; }
};
struct Disc : Shape<Disc> {
  int radius;
  __host__ __device__ explicit Disc(int radius) : radius(radius) {}
  __device__ int own_area() const { return 314 * radius * radius / 100; }
};
struct Point {
  int x, y;
  __host__ __device__ Point operator+(const Point& other) const { return {x + other.x, y + other.y}; }
};
template <class... T>
__device__ int sum(T... values) {
  return (0 + ... + values);
}
__host__ __device__ constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__global__ void shapes(Rectangle r, Disc d, Point p, int* out) {
  out[0] = r.area(), out[1] = d.area();
  const Point q = p + Point{1, 2};
  out[2] = q.x, out[3] = q.y;
  const auto square = [](int x) { return x * x; };
  int total = 0;
  for (int i = 0; i < 10; ++i) total += square(i);
  out[4] = total, out[5] = sum(1, 2, 3, 4, 5, 6);
  static_assert(factorial(5) == 120, "");
  out[6] = factorial(5);
}
template <class F>
__global__ void apply(F f, int* out) {
  out[threadIdx.x] = f(threadIdx.x);
}
template <int N>
struct Filler {
  static __device__ int value() { return N; }
};
template <class Policy>
__global__ void fill(int* out) {
  out[0] = Policy::value();
}
namespace inner {
extern "C" __global__ void named(int* out) { out[0] = 5; }
}  // namespace inner

int main() {
  int *out, factor = 3;
  cudaMallocManaged(&out, 64 * sizeof(int));
  shapes<<<1, 1>>>(Rectangle(3, 4), Disc(5), {3, 4}, out);
  apply<<<1, 4>>>([factor] __device__(int i) { return factor * i; }, out + 16);
  fill<Filler<64>><<<1, 1>>>(out + 32);
  inner::named<<<1, 1>>>(out + 33);
  cudaDeviceSynchronize();
  std::printf("areas %d %d, points %d %d, sum of squares %d\n", out[0], out[1], out[2], out[3], out[4]);
  std::printf("lambda %d %d %d %d, of a template %d, constexpr %d\n", out[16], out[17], out[18], out[19], out[5], out[6]);
  std::printf("a kernel of a class %d, by name %d\n", out[32], out[33]);
}
// SPDX-License-Identifier: MIT
