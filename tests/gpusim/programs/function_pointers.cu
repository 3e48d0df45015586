// expect: by itself 18 28 22 36 24 42 28 50
// expect: given by the host: 30 11 20, null again 0
// expect: a parameter of a template 36, of a function 49
// expect: members 7 -7 14
// expect: structure 11 22 33, nothing returned 32
// expect: recursion 120, mutual 1 0
// expect: equal 1, different 0
// expect: sines 1 0, exponential 7
// options: -std=c++17
//
// Pointers to functions: in tables of global and constant memory, made by the kernel, given by the host, to members.
// Lanes of a warp that call different functions go apart and meet again behind the call.
#include <cstdio>

using Binary = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }

__device__ Binary table[3] = {add, subtract, multiply};
__constant__ Binary constant_table[2] = {multiply, add};
__device__ Binary chosen = multiply;
__device__ Binary other = add, third = subtract;

__global__ void by_itself(int* out, int even, int odd) {
  const int t = int(threadIdx.x);
  const Binary mine = t % 2 ? table[odd] : constant_table[even];
  int x = mine(10 + 2 * t, 2);
  // All lanes are together again: a shuffle of all.
  x += __shfl_sync(0xffffffffu, t, 3) + __shfl_xor_sync(0xffffffffu, t, 1) - t;
  const Binary made = t < 4 ? add : multiply;
  out[t] = made(x, 2 - t / 4);
}

__global__ void given(int* out, Binary function) { *out = function ? function(10, *out) : 0; }

template <Binary F> __global__ void of_template(int* out) { *out = F(*out, *out); }

template <class F> __device__ __noinline__ int apply(F f, int x) { return f(x, x); }
__global__ void of_function(int* out) {
  *out = apply<Binary>(chosen, 5) + apply([](int a, int b) { return a * b - 1; }, 5);
}

struct Counter {
  int value;
  __device__ int get() const { return value; }
  __device__ int negated() const { return -value; }
};
__global__ void members(int* out, int n) {
  const Counter counter{7};
  int (Counter::*const get)() const = threadIdx.x == unsigned(n) ? &Counter::negated : &Counter::get;
  int Counter::*const field = &Counter::value;
  out[threadIdx.x] = (counter.*get)() + (threadIdx.x == 2 ? counter.*field : 0);
}

struct Large {
  int a[3];
  double weight;
};
__device__ Large grow(Large large, char by, short times) {
  for (int& a : large.a) a += by * times;
  large.weight *= 2;
  return large;
}
__device__ Large (*grown)(Large, char, short) = grow;
__device__ int touched;
__device__ void touch() { atomicAdd(&touched, 1); }
__device__ void (*toucher)() = touch;
__global__ void structures(int* out) {
  const Large large = grown({{1, 12, 23}, 0.5}, 5, 2);
  for (int i = 0; i < 3; ++i) out[i] = large.weight == 1 ? large.a[i] : -1;
  toucher();
}

struct Steps {
  int (*next)(const Steps&, int);
};
__device__ int factorial(const Steps& steps, int n) { return n < 2 ? 1 : n * steps.next(steps, n - 1); }
__device__ int odd(const Steps& steps, int n);
__device__ int even(const Steps& steps, int n) { return n == 0 ? 1 : steps.next({even}, n - 1); }
__device__ int odd(const Steps& steps, int n) { return n == 0 ? 0 : steps.next({odd}, n - 1); }
__device__ Steps steps[2] = {{factorial}, {odd}};
__global__ void recursion(int* out) {
  out[threadIdx.x] = threadIdx.x == 0 ? steps[0].next(steps[0], 5) : even(steps[1], 9 + int(threadIdx.x));
}

__global__ void compare(int* out) {
  out[0] = table[0] == other;
  out[1] = table[0] == chosen;
}

__device__ float (*waves[3])(float) = {sinf, cosf, expf};
__global__ void mathematics(int* out) {
  const float at[] = {1.57079633f, 1.57079633f, 2};
  if (threadIdx.x < 3) out[threadIdx.x] = int(rintf(waves[threadIdx.x](at[threadIdx.x])));
}

int main() {
  int* out;
  cudaMallocManaged(&out, 32 * sizeof(int));
  const auto after = [] {
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) std::printf("%s: ", cudaGetErrorName(error));
  };
  by_itself<<<1, 32>>>(out, 1, 2);
  after();
  std::printf("by itself");
  for (int i = 0; i < 8; ++i) std::printf(" %d", out[i]);

  Binary functions[3];
  cudaMemcpyFromSymbol(&functions[0], chosen, sizeof(Binary));
  cudaMemcpyFromSymbol(&functions[1], other, sizeof(Binary));
  cudaMemcpyFromSymbol(&functions[2], table, sizeof(Binary), 2 * sizeof(Binary));
  std::printf("\ngiven by the host:");
  const int operands[3] = {3, 1, 2};
  for (int i = 0; i < 3; ++i) {
    *out = operands[i];
    given<<<1, 1>>>(out, functions[i]);
    after();
    std::printf(" %d", *out);
  }
  given<<<1, 1>>>(out, nullptr);
  after();
  std::printf(", null again %d\n", *out);

  *out = 6;
  of_template<multiply><<<1, 1>>>(out);
  after();
  std::printf("a parameter of a template %d", *out);
  of_function<<<1, 1>>>(out);
  after();
  std::printf(", of a function %d\n", *out);

  members<<<1, 3>>>(out, 1);
  after();
  std::printf("members %d %d %d\n", out[0], out[1], out[2]);

  structures<<<1, 32>>>(out);
  after();
  int count = 0;
  cudaMemcpyFromSymbol(&count, touched, sizeof count);
  std::printf("structure %d %d %d, nothing returned %d\n", out[0], out[1], out[2], count);

  recursion<<<1, 3>>>(out);
  after();
  std::printf("recursion %d, mutual %d %d\n", out[0], out[1], out[2]);

  compare<<<1, 1>>>(out);
  after();
  std::printf("equal %d, different %d\n", out[0], out[1]);

  mathematics<<<1, 32>>>(out);
  after();
  std::printf("sines %d %d, exponential %d\n", out[0], out[1], out[2]);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
