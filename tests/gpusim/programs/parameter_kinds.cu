// expect: 0 0 0 0
//
// Arguments of all sizes, of kernels and of calls, also where some lanes only make the call; and functions of the host's
// mathematics there. What each thread gets is compared with what the host computes.
#include <cmath>
#include <cstdio>

constexpr int kThreads = 96;

struct Mixed {
  char small;
  short middle;
  unsigned char bytes[3];
  double large;
  float4 four;
};

__device__ __noinline__ Mixed changed(Mixed m, signed char c, unsigned short s, long long l, bool positive) {
  m.small = char(m.small + c);
  m.middle = short(positive ? m.middle + s : m.middle - s);
  m.bytes[2] = (unsigned char)(m.bytes[0] * m.bytes[1] + c);
  m.large += double(l);
  m.four.w -= m.four.x;
  return m;
}

__global__ void call(Mixed* out, Mixed m, signed char c, short step) {
  const int i = int(threadIdx.x);
  m.bytes[1] = (unsigned char)(i);
  if (i % 3 != 1) m = changed(m, (signed char)(c - i), (unsigned short)(step * i), -3ll * i, i % 2 == 0);
  out[i] = m;
}

__global__ void compute(float* f, double* d, int* n) {
  const int i = int(threadIdx.x);
  const float x = 0.1f * float(i + 1);
  f[i] = i % 2 ? sinf(x) + powf(x, 1.5f) : atan2f(x, 2.0f);
  if (i % 5 != 2) d[i] = fmod(exp(0.01 * i), 0.7) + ldexp(1.0, i % 20);
  else d[i] = hypot(double(i), 3.0);
  n[i] = ilogb(double(i + 1));
}

int main() {
  Mixed* out;
  float* f;
  double* d;
  int* n;
  cudaMallocManaged(&out, kThreads * sizeof *out);
  cudaMallocManaged(&f, kThreads * sizeof *f);
  cudaMallocManaged(&d, kThreads * sizeof *d);
  cudaMallocManaged(&n, kThreads * sizeof *n);
  const Mixed given = {-7, -300, {200, 0, 9}, 0.5, {1, 2, 3, 4}};
  call<<<1, kThreads>>>(out, given, -100, 1000);
  compute<<<1, kThreads>>>(f, d, n);
  cudaDeviceSynchronize();

  int wrong = 0, floats = 0, doubles = 0, integers = 0;
  for (int i = 0; i < kThreads; ++i) {
    Mixed m = given;
    m.bytes[1] = (unsigned char)(i);
    if (i % 3 != 1) {
      const signed char c = (signed char)(-100 - i);
      m.small = char(m.small + c);
      m.middle = short(i % 2 == 0 ? m.middle + (unsigned short)(1000 * i) : m.middle - (unsigned short)(1000 * i));
      m.bytes[2] = (unsigned char)(m.bytes[0] * m.bytes[1] + c);
      m.large -= 3.0 * i;
      m.four.w -= m.four.x;
    }
    wrong += out[i].small != m.small || out[i].middle != m.middle || out[i].bytes[0] != 200 ||
             out[i].bytes[1] != m.bytes[1] || out[i].bytes[2] != m.bytes[2] || out[i].large != m.large ||
             out[i].four.y != 2 || out[i].four.w != m.four.w;
    const float x = 0.1f * float(i + 1), y = i % 2 ? std::sin(x) + std::pow(x, 1.5f) : std::atan2(x, 2.0f);
    floats += !(std::fabs(f[i] - y) <= 1e-5f * (1 + std::fabs(y)));
    const double z = i % 5 != 2 ? std::fmod(std::exp(0.01 * i), 0.7) + std::ldexp(1.0, i % 20) : std::hypot(double(i), 3.0);
    doubles += !(std::fabs(d[i] - z) <= 1e-9 * (1 + std::fabs(z)));
    integers += n[i] != std::ilogb(double(i + 1));
  }
  std::printf("%d %d %d %d\n", wrong, floats, doubles, integers);
  cudaFree(out), cudaFree(f), cudaFree(d), cudaFree(n);
}
// SPDX-License-Identifier: MIT
