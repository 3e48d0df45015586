// needs: libopenblas.so.0 libblas.so.3
// options: -lcublas
// expect: no handle: CUBLAS_STATUS_NOT_INITIALIZED
// expect: a negative size: CUBLAS_STATUS_INVALID_VALUE
// expect: lda too small: CUBLAS_STATUS_INVALID_VALUE
// expect: a step of 0: CUBLAS_STATUS_INVALID_VALUE
// expect: nothing to do: CUBLAS_STATUS_SUCCESS
// expect: twice destroyed: CUBLAS_STATUS_NOT_INITIALIZED
// expect: beyond the end: an illegal memory access was encountered
// expect-error: cublasSgemm: B is of 256 bytes at 0x
// expect-error: , only 252 are allocated there
// What cuBLAS refuses; and what it reads beyond the end of its operands.
#include <cublas_v2.h>

#include <cstdio>

void say(const char* what, cublasStatus_t status) { std::printf("%s: %s\n", what, cublasGetStatusName(status)); }

int main() {
  cublasHandle_t handle = nullptr;
  const float one = 1;
  float *A, *B;
  cudaMalloc(&A, 256);
  cudaMalloc(&B, 252);
  say("no handle", cublasSscal(handle, 1, &one, A, 1));
  cublasCreate(&handle);
  say("a negative size",
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 8, 8, &one, A, 8, A, 8, &one, A, 8));
  say("lda too small", cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, A, 7, A, 8, &one, A, 8));
  say("a step of 0", cublasSgemv(handle, CUBLAS_OP_N, 8, 8, &one, A, 8, A, 0, &one, A, 1));
  say("nothing to do", cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 8, 8, &one, A, 8, A, 8, &one, A, 8));
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, A, 8, B, 8, &one, A, 8);
  cublasHandle_t other;
  cublasDestroy(handle);
  other = handle;
  say("twice destroyed", cublasDestroy(other));
  std::printf("beyond the end: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
