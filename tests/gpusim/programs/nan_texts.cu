// options: -std=c++17
// expect: nan("") 7ff8000000000000 nan("1") 7ff8000000000001 nan("0x12") 7ff8000000000012
// expect: nanf("") is a number: no
// nan() and nanf() in a kernel: a text chooses the low bits of the NaN.
#include <cmath>
#include <cstdio>

__global__ void make(double* d, float* f) {
  d[0] = nan("");
  d[1] = std::nan("1");
  d[2] = nan("0x12");
  f[0] = nanf("");
}

int main() {
  double* d;
  float* f;
  cudaMallocManaged(&d, 3 * sizeof(double));
  cudaMallocManaged(&f, sizeof(float));
  make<<<1, 1>>>(d, f);
  cudaDeviceSynchronize();
  const unsigned long long* bits = reinterpret_cast<unsigned long long*>(d);
  std::printf("nan(\"\") %llx nan(\"1\") %llx nan(\"0x12\") %llx\n", bits[0], bits[1], bits[2]);
  std::printf("nanf(\"\") is a number: %s\n", f[0] == f[0] ? "yes" : "no");
  cudaFree(d), cudaFree(f);
}
// SPDX-License-Identifier: MIT
