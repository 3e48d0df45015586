// expect-finding: never written warning
// expect-text: cublasSgemm reads 64 bytes that were never written; the first is at offset 0 of an allocation of 64 bytes
// needs: libopenblas.so.0 libblas.so.3
// advice: initialise it
// A matrix product by cuBLAS reads a matrix that has no values yet.
#include <cublas_v2.h>

#include <cstdio>

int main() {
  constexpr int n = 4;
  float host[n * n] = {1}, one = 1, zero = 0, result[n * n];
  float *a, *b, *c;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
#ifdef FIXED
  cudaMemcpy(b, host, sizeof host, cudaMemcpyHostToDevice);
#endif
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaMemcpy(result, c, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d values\n", n * n);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
  cublasDestroy(handle);
}
// SPDX-License-Identifier: MIT
