// needs: libopenblas.so.0 libblas.so.3
// options: -lcublas
// expect: half: 22 28 49 64
// expect: half into float: 2049 1
// expect: half into half: 2048 1
// expect: bfloat16: 22 28 49 64
// expect: bytes: -128 16129
// expect: float: 22 28 49 64
// Products of half, bfloat16 and bytes; sums are of a wider type and rounded once.
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <vector>

template <class T, class S> T* on_device(const std::vector<S>& values) {
  std::vector<T> converted(values.size());
  for (size_t i = 0; i < values.size(); ++i) converted[i] = T(values[i]);
  T* pointer;
  cudaMalloc(&pointer, values.size() * sizeof(T));
  cudaMemcpy(pointer, converted.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return pointer;
}
template <class T> void show(const char* what, const T* device, int count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", what);
  for (T value : values) std::printf(" %g", double(float(value)));
  std::printf("\n");
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  const std::vector<float> six = {1, 2, 3, 4, 5, 6}, four = {0, 0, 0, 0};
  const float one = 1, zero = 0;
  const __half hone = __float2half(1), hzero = __float2half(0);
  __half *h = on_device<__half>(six), *hc = on_device<__half>(four);
  cublasHgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &hone, h, 2, h, 3, &hzero, hc, 2);
  show("half", hc, 4);

  // (2048, 1; 0, 1) times (1, 1; 1, 0): 2049 is no half.
  __half *p = on_device<__half>(std::vector<float>{2048, 0, 1, 1}), *q = on_device<__half>(std::vector<float>{1, 1});
  float* f = on_device<float>(four);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 2, &one, p, CUDA_R_16F, 2, q, CUDA_R_16F, 2, &zero, f, CUDA_R_32F,
               2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT_TENSOR_OP);
  show("half into float", f, 2);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 1, 2, &one, p, CUDA_R_16F, 2, q, CUDA_R_16F, 2, &zero, hc, CUDA_R_16F,
               2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  show("half into half", hc, 2);

  __nv_bfloat16 *b = on_device<__nv_bfloat16>(six), *bc = on_device<__nv_bfloat16>(four);
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, b, CUDA_R_16BF, 2, b, CUDA_R_16BF, 3, &zero, bc,
               CUDA_R_16BF, 2, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
  show("bfloat16", bc, 4);

  const std::vector<int> numbers = {-128, 0, 0, 0, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<int> factors = {1, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  signed char *s = on_device<signed char>(numbers), *t = on_device<signed char>(factors);
  int* i = on_device<int>(std::vector<int>(16));
  const int ione = 1, izero = 0;
  // The first row of s (its first column here) times the columns of t.
  cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &ione, s, CUDA_R_8I, 4, t, CUDA_R_8I, 4, &izero, i, CUDA_R_32I,
               4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
  int first;
  cudaMemcpy(&first, i, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("bytes: %d %d\n", first - 127 * 127, 127 * 127);

  float* g = on_device<float>(six);
  cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, g, CUDA_R_32F, 2, 0, g, CUDA_R_32F, 3, 0,
                             &zero, f, CUDA_R_32F, 2, 4, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  show("float", f, 4);
  cublasDestroy(handle);
}
// SPDX-License-Identifier: MIT
