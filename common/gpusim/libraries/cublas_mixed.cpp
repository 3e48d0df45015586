// Products of matrices of other types than float and double, or of several types: cublasGemmEx and its kin.
// They are computed in float or double, or exactly for integers, and rounded once to the type of C.
#include <cmath>
#include <cstring>

#include "lanes/half.h"
#include "libraries/cublas_call.h"

using namespace gpusim;
using namespace gpusim::libraries;

namespace {

std::size_t bytes_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8U: return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF: return 2;
    case CUDA_R_32F:
    case CUDA_R_32I: return 4;
    case CUDA_R_64F: return 8;
    default: throw CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

template <class T> T read_as(const u8* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

double read_number(const u8* bytes, cudaDataType type) {
  switch (type) {
    case CUDA_R_8I: return read_as<s8>(bytes);
    case CUDA_R_8U: return read_as<u8>(bytes);
    case CUDA_R_16F: return double(widen(read_as<Half>(bytes)));
    case CUDA_R_16BF: return double(widen(read_as<Brain>(bytes)));
    case CUDA_R_32F: return double(read_as<float>(bytes));
    case CUDA_R_32I: return read_as<s32>(bytes);
    default: return read_as<double>(bytes);
  }
}

template <class T> void write_as(u8* bytes, T value) { std::memcpy(bytes, &value, sizeof value); }

void write_number(u8* bytes, cudaDataType type, double value) {
  switch (type) {
    case CUDA_R_8I: return write_as(bytes, s8(std::clamp(std::nearbyint(value), -128.0, 127.0)));
    case CUDA_R_16F: return write_as(bytes, narrow<Half>(value));
    case CUDA_R_16BF: return write_as(bytes, narrow<Brain>(value));
    case CUDA_R_32F: return write_as(bytes, float(value));
    case CUDA_R_32I: return write_as(bytes, s32(u32(s64(value))));
    default: return write_as(bytes, value);
  }
}

// The type of alpha and beta.
cudaDataType scalar_type(cublasComputeType_t type) {
  switch (type) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC: return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return CUDA_R_64F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return CUDA_R_32F;
  }
  throw CUBLAS_STATUS_NOT_SUPPORTED;
}

struct MixedMatrix {
  const void* pointer;
  cudaDataType type;
  int ld;
};

struct MixedProduct {
  cublasOperation_t opA, opB;
  int m, n, k;
  const void *alpha, *beta;
  cudaDataType scalars;
};

u8* located(const CublasCall& call, const char* name, const MixedMatrix& matrix, int rows, int columns) {
  call.want(matrix.ld >= std::max(1, rows));
  if (rows <= 0 || columns <= 0) return nullptr;
  const std::size_t elements =
      extent_of_rows(std::size_t(matrix.ld), std::size_t(rows), std::size_t(columns));
  return static_cast<u8*>(call.bytes(name, matrix.pointer, times(elements, bytes_of(matrix.type))));
}

// The numbers of a matrix, column by column, without gaps between the columns.
template <class T>
std::vector<T> numbers(const CublasCall& call, const char* name, const MixedMatrix& matrix, int rows,
                       int columns) {
  const u8* const at = located(call, name, matrix, rows, columns);
  const std::size_t size = bytes_of(matrix.type);
  std::vector<T> values(std::size_t(rows) * std::size_t(columns));
  for (std::size_t j = 0; j < std::size_t(columns) && at; ++j)
    for (std::size_t i = 0; i < std::size_t(rows); ++i)
      values[j * std::size_t(rows) + i] =
          T(read_number(at + (j * std::size_t(matrix.ld) + i) * size, matrix.type));
  return values;
}

double read_scalar(const CublasCall& call, const char* name, const void* pointer, cudaDataType type) {
  call.want(pointer != nullptr);
  const void* const at = call.on_host() ? pointer : call.bytes(name, pointer, bytes_of(type));
  return read_number(static_cast<const u8*>(at), type);
}

template <class T> void multiply_as(const CublasCall& call, const MixedProduct& p, const MixedMatrix& A,
                                    const MixedMatrix& B, const MixedMatrix& C) {
  const bool plainA = p.opA == CUBLAS_OP_N, plainB = p.opB == CUBLAS_OP_N;
  const T alpha = T(read_scalar(call, "alpha", p.alpha, p.scalars)),
          beta = T(read_scalar(call, "beta", p.beta, p.scalars));
  const int rowsA = std::max(1, plainA ? p.m : p.k), rowsB = std::max(1, plainB ? p.k : p.n), rowsC = p.m;
  const std::vector<T> a = numbers<T>(call, "A", A, plainA ? p.m : p.k, plainA ? p.k : p.m),
                       b = numbers<T>(call, "B", B, plainB ? p.k : p.n, plainB ? p.n : p.k);
  u8* const out = located(call, "C", C, p.m, p.n);
  if (!out) return;
  std::vector<T> c = numbers<T>(call, "C", C, p.m, p.n);
  call.blas<T>("gemm", letter_of(p.opA), letter_of(p.opB), &p.m, &p.n, &p.k, &alpha, a.data(), &rowsA,
               b.data(), &rowsB, &beta, c.data(), &rowsC);
  const std::size_t size = bytes_of(C.type), rows = std::size_t(p.m);
  for (std::size_t j = 0; j < std::size_t(p.n); ++j) {
    const std::size_t column = j * std::size_t(C.ld) * size;
    for (std::size_t i = 0; i < rows; ++i)
      write_number(out + column + i * size, C.type, double(c[j * rows + i]));
    call.written(static_cast<const u8*>(C.pointer) + column, rows * size);
  }
}

void multiply(const CublasCall& call, const MixedProduct& p, const MixedMatrix& A, const MixedMatrix& B,
              const MixedMatrix& C) {
  call.want(p.m >= 0 && p.n >= 0 && p.k >= 0);
  const bool wide = p.scalars == CUDA_R_64F || p.scalars == CUDA_R_32I;
  wide ? multiply_as<double>(call, p, A, B, C) : multiply_as<float>(call, p, A, B, C);
}

// The i-th matrix of a batch. The stride between matrices is in elements.
MixedMatrix moved(const MixedMatrix& matrix, long long stride, int i) {
  return {moved_bytes(matrix.pointer, u64(stride) * bytes_of(matrix.type), i), matrix.type, matrix.ld};
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
