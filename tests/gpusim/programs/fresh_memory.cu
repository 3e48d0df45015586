// expect: large: float 1 double 1 half 1 int 1 unsigned 1, finite 1
// expect: in a kernel: float 1 double 1 int 1
// expect: nan: float 0 double 0 half 0 int 1 unsigned 1, finite 0
// expect: zero: float 0 double 0 int 0, 16 MiB of them 0, in a kernel 0
// The commonest check of a result is true for what nobody has written. With NaN it is not, for numbers with a point.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gpusim/check.h>
#include <gpusim/fresh_memory.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

template <class T> bool is_told(T got, T expected, T eps) { return std::fabs(double(got) - double(expected)) > double(eps); }

template <class T> T fresh() {
  T *d, h;
  cudaMalloc(&d, 4096);
  cudaMemcpy(&h, d + 17, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
  return h;
}

void tell(const char* name) {
  std::printf("%s: float %d double %d half %d int %d unsigned %d, finite %d\n", name, is_told(fresh<float>(), 1.0f, 1e-3f),
              is_told(fresh<double>(), 1.0, 1e-9), is_told(float(fresh<__half>()), 1.0f, 1e-1f), std::abs(fresh<int>() - 1) > 0,
              fresh<unsigned>() != 1u, std::isfinite(fresh<float>()) && std::isfinite(fresh<double>()));
}

__global__ void read_shared(bool* told) {
  extern __shared__ double room[];  // of a variable that nothing stores clang would choose the value
  const double d = room[0];
  const float f = reinterpret_cast<float*>(room)[2];
  const int i = reinterpret_cast<int*>(room)[3];
  told[0] = fabsf(f - 1) > 1e-3f, told[1] = fabs(d - 1) > 1e-9, told[2] = abs(i - 1) > 0;
}

__global__ void add_shared(int* sum) {
  extern __shared__ int words[];
  sum[0] = words[0] | words[3];
}

int h_large[4 << 20];

int main() {
  gpusim::enable_checks("none");  // which would say that nobody has written it
  tell("large");
  bool *d, h[3];
  cudaMalloc(&d, sizeof h);
  read_shared<<<1, 1, 16>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("in a kernel: float %d double %d int %d\n", h[0], h[1], h[2]);
  gpusim::set_fresh_memory(gpusim::FreshMemory::nan);
  tell("nan");
  gpusim::set_fresh_memory(gpusim::FreshMemory::zero);
  int* large;  // is given pages by the system
  cudaMalloc(&large, 16 << 20);
  cudaMemcpy(h_large, large, sizeof h_large, cudaMemcpyDeviceToHost);
  int others = 0;
  for (const int value : h_large) others += value != 0;
  add_shared<<<1, 1, 16>>>(large);
  cudaMemcpy(h_large, large, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("zero: float %g double %g int %d, 16 MiB of them %d, in a kernel %d\n", fresh<float>(), fresh<double>(), fresh<int>(),
              others, h_large[0]);
  cudaFree(large);
  cudaFree(d);
}
// SPDX-License-Identifier: MIT
