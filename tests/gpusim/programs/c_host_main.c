/* The C part of c_host.cu: the headers of the runtime, the driver and the libraries in C. */
#include <cuComplex.h>
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <curand.h>
#include <stdio.h>
#include <vector_functions.h>

void square(float* values, int n);
void show_states(void);

int main(void) {
  float host[4], *values;
  const dim3 grid = {4, 1, 1};
  const float4 four = make_float4(1, 2, 3, 4);
  const enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost;
  CUdeviceptr base = 0;
  size_t bytes = 0;
  struct cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  cudaMalloc((void**)&values, 256);
  square(values, 4);
  cudaMemcpy(host, values, sizeof host, kind);
  printf("C: %g %g %g %g, float4 %zu bytes, dim3 %u %u %u, |3 + 4i| = %g\n", host[0], host[1], host[2], host[3],
         sizeof four, grid.x, grid.y, grid.z, cuCabsf(make_cuComplex(3, 4)));
  printf("enumerators %d %d %d %d %d, runtime of cuBLAS %d\n", CUBLAS_GEMM_ALGO7, CUBLAS_GEMM_ALGO23,
         CUBLAS_GEMM_ALGO15_TENSOR_OP, CUFFT_MISSING_DEPENDENCY, CUFFT_NVSHMEM_FAILURE,
         cublasGetCudartVersion() == CUDART_VERSION);
  cuMemGetAddressRange(&base, &bytes, (CUdeviceptr)(values + 3));
  printf("allocation %d %zu\n", base == (CUdeviceptr)values, bytes);
  show_states();
  cudaFree(values);
  return 0;
}
/* SPDX-License-Identifier: MIT */
