// Products of matrices of other types than float and double, or of several types: cublasGemmEx and its kin.
// They are computed in float or double, or exactly for integers, and rounded once to the type of C.
#include "libraries/mixed_matrices.h"

using namespace gpusim;
using namespace gpusim::libraries;

namespace {

struct MixedProduct {
  cublasOperation_t opA, opB;
  int m, n, k;
  const void *alpha, *beta;
  cudaDataType scalars;
};

template <class T> void multiply_as(const CublasCall& call, const MixedProduct& p, const MixedMatrix& A,
                                    const MixedMatrix& B, const MixedMatrix& C) {
  const bool plainA = p.opA == CUBLAS_OP_N, plainB = p.opB == CUBLAS_OP_N;
  const T alpha = T(read_scalar(call, "alpha", p.alpha, p.scalars)),
          beta = T(read_scalar(call, "beta", p.beta, p.scalars));
  const std::vector<T> a = numbers<T>(call, "A", A, plainA ? p.m : p.k, plainA ? p.k : p.m),
                       b = numbers<T>(call, "B", B, plainB ? p.k : p.n, plainB ? p.n : p.k);
  if (!located(call, "C", C, p.m, p.n)) return;
  std::vector<T> c(std::size_t(p.m) * std::size_t(p.n));
  if (beta != 0) c = numbers<T>(call, "C", C, p.m, p.n);
  multiply_dense<T>(call, p.opA, p.opB, p.m, p.n, p.k, alpha, a, b, beta, c);
  store(call, "C", C, p.m, p.n, c);
}

void multiply(const CublasCall& call, const MixedProduct& p, const MixedMatrix& A, const MixedMatrix& B,
              const MixedMatrix& C) {
  call.want(p.m >= 0 && p.n >= 0 && p.k >= 0);
  const bool wide = p.scalars == CUDA_R_64F || p.scalars == CUDA_R_32I;
  wide ? multiply_as<double>(call, p, A, B, C) : multiply_as<float>(call, p, A, B, C);
}

cublasStatus_t strided(const char* name, cublasHandle_t handle, const MixedProduct& p, const MixedMatrix& A,
                       long long strideA, const MixedMatrix& B, long long strideB, const MixedMatrix& C,
                       long long strideC, int count) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(count >= 0);
    for (int i = 0; i < count; ++i)
      multiply(call, p, moved(A, strideA, i), moved(B, strideB, i), moved(C, strideC, i));
  });
}

}  // namespace

extern "C" {

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda,
                            const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return cublas_call(handle, "cublasGemmEx", [&](const CublasCall& call) {
    multiply(call, {transa, transb, m, n, k, alpha, beta, scalar_type(computeType)}, {A, Atype, lda},
             {B, Btype, ldb}, {C, Ctype, ldc});
  });
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, cudaDataType Atype, int lda, long long strideA,
                                          const void* B, cudaDataType Btype, int ldb, long long strideB,
                                          const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long strideC, int count, cublasComputeType_t computeType,
                                          cublasGemmAlgo_t) {
  return cublas_call(handle, "cublasGemmStridedBatchedEx", [&](const CublasCall& call) {
    const MixedProduct product{transa, transb, m, n, k, alpha, beta, scalar_type(computeType)};
    const MixedMatrix a{A, Atype, lda}, b{B, Btype, ldb}, c{C, Ctype, ldc};
    call.want(count >= 0);
    for (int i = 0; i < count; ++i)
      multiply(call, product, moved(a, strideA, i), moved(b, strideB, i), moved(c, strideC, i));
  });
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void* alpha, const void* const A[],
                                   cudaDataType Atype, int lda, const void* const B[], cudaDataType Btype,
                                   int ldb, const void* beta, void* const C[], cudaDataType Ctype, int ldc,
                                   int count, cublasComputeType_t computeType, cublasGemmAlgo_t) {
  return cublas_call(handle, "cublasGemmBatchedEx", [&](const CublasCall& call) {
    call.want(count >= 0);
    if (count == 0) return;
    const MixedProduct product{transa, transb, m, n, k, alpha, beta, scalar_type(computeType)};
    const auto a = call.device("A", A, std::size_t(count));
    const auto b = call.device("B", B, std::size_t(count));
    const auto c = call.device("C", C, std::size_t(count));
    for (int i = 0; i < count; ++i)
      multiply(call, product, {a[i], Atype, lda}, {b[i], Btype, ldb}, {c[i], Ctype, ldc});
  });
}
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                             int n, int k, const float* alpha, const void* A, cudaDataType Atype, int lda,
                             const void* B, cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc) {
  return cublas_call(handle, "cublasSgemmEx", [&](const CublasCall& call) {
    multiply(call, {transa, transb, m, n, k, alpha, beta, CUDA_R_32F}, {A, Atype, lda}, {B, Btype, ldb},
             {C, Ctype, ldc});
  });
}
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const __half* alpha, const __half* A, int lda, const __half* B,
                           int ldb, const __half* beta, __half* C, int ldc) {
  return strided("cublasHgemm", handle, {transa, transb, m, n, k, alpha, beta, CUDA_R_16F},
                 {A, CUDA_R_16F, lda}, 0, {B, CUDA_R_16F, ldb}, 0, {C, CUDA_R_16F, ldc}, 0, 1);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                                         const __half* A, int lda, long long strideA, const __half* B,
                                         int ldb, long long strideB, const __half* beta, __half* C, int ldc,
                                         long long strideC, int count) {
  return strided("cublasHgemmStridedBatched", handle, {transa, transb, m, n, k, alpha, beta, CUDA_R_16F},
                 {A, CUDA_R_16F, lda}, strideA, {B, CUDA_R_16F, ldb}, strideB, {C, CUDA_R_16F, ldc}, strideC,
                 count);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
