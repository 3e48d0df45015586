// expect: guards 1111111
// expect: constants 3.14159274 2.7182818284590451 inf nan
// expect: host   (1 + 2i) * (3 - 4i) = 11 + 2i, / = -0.2 + 0.4i, |3 + 4i| = 5
// expect: device (1 + 2i) * (3 - 4i) = 11 + 2i, / = -0.2 + 0.4i, |3 + 4i| = 5
// expect: huge 5e+300, infinite inf, none 0
// expect: spaces 1000 0100 0010 0001
// options: -std=c++17
//
// Headers that programs include beside cuda_runtime.h, and what is asked of the guards of those that they do not.
#include <builtin_types.h>
#include <cuComplex.h>
#include <cudaProfiler.h>
#include <cuda_profiler_api.h>
#include <device_functions.h>
#include <library_types.h>
#include <math_constants.h>
#include <math_functions.h>
#include <sm_20_atomic_functions.h>
#include <vector_types.h>

#include <cstdio>

#if defined(__DRIVER_TYPES_H__) && defined(__CUDA_RUNTIME_H__) && defined(__CUDA_RUNTIME_API_H__) && \
    defined(__VECTOR_TYPES_H__) && defined(__VECTOR_FUNCTIONS_H__) && defined(CU_COMPLEX_H_) &&       \
    defined(__DEVICE_FUNCTIONS_H__)
#define GUARDS "1111111"
#endif

__constant__ int constant;
__device__ int global;

struct Complexes {
  cuDoubleComplex product, quotient;
  float length;
};
__host__ __device__ Complexes compute(cuDoubleComplex a, cuDoubleComplex b) {
  return {cuCmul(a, b), cuCdiv(a, b), cuCabsf(make_cuComplex(3, 4))};
}
void print(const char* where, const Complexes& c) {
  std::printf("%s (1 + 2i) * (3 - 4i) = %g + %gi, / = %g + %gi, |3 + 4i| = %g\n", where, c.product.x, c.product.y,
              c.quotient.x, c.quotient.y, c.length);
}

__global__ void on_device(Complexes* c, int* spaces) {
  __shared__ int shared;
  int local = 0;
  *c = compute(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -4));
  shared = local;
  const void* const pointers[] = {&global, &shared, &local, &constant};
  for (const void* p : pointers)
    *spaces++ = int(1000 * __isGlobal(p) + 100 * __isShared(p) + 10 * __isLocal(p) + __isConstant(p));
}

int main() {
  std::printf("guards %s\n", GUARDS);
  std::printf("constants %.9g %.17g %g %s\n", CUDART_PI_F, exp(CUDART_ONE), CUDART_INF, CUDART_NAN != CUDART_NAN ? "nan" : "");
  print("host  ", compute(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, -4)));
  Complexes *d, h;
  int *spaces, s[4];
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&spaces, sizeof s);
  cudaProfilerStart();
  on_device<<<1, 1>>>(d, spaces);
  cudaProfilerStop();
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(s, spaces, sizeof s, cudaMemcpyDeviceToHost);
  print("device", h);
  std::printf("huge %g, infinite %g, none %g\n", cuCabs(make_cuDoubleComplex(3e300, 4e300)),
              cuCabs(make_cuDoubleComplex(CUDART_INF, 1)), cuCabs(make_cuDoubleComplex(0, 0)));
  std::printf("spaces %04d %04d %04d %04d\n", s[0], s[1], s[2], s[3]);
  cudaFree(d);
  cudaFree(spaces);
}
// SPDX-License-Identifier: MIT
