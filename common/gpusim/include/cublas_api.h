// cuBLAS on the simulated GPU: matrices lie column by column in device memory, and a BLAS library of the host computes
// them. What each function does is described in NVIDIA's "cuBLAS Library" manual. Sums may be rounded in another order
// than a GPU's, as they are from one GPU to the next.
#pragma once
#define CUBLAS_API_H_

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"
#if defined(__cplusplus)
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLAS_VER_MAJOR 11
#define CUBLAS_VER_MINOR 11
#define CUBLAS_VER_PATCH 3
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)
#define CUBLASWINAPI
#define CUBLASAPI

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
  CUBLAS_OP_HERMITAN = 2,
  CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5,
  CUBLAS_GEMM_ALGO6 = 6,
  CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9,
  CUBLAS_GEMM_ALGO10 = 10,
  CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13,
  CUBLAS_GEMM_ALGO14 = 14,
  CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17,
  CUBLAS_GEMM_ALGO18 = 18,
  CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21,
  CUBLAS_GEMM_ALGO22 = 22,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP = 101,
  CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103,
  CUBLAS_GEMM_ALGO4_TENSOR_OP = 104,
  CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106,
  CUBLAS_GEMM_ALGO7_TENSOR_OP = 107,
  CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109,
  CUBLAS_GEMM_ALGO10_TENSOR_OP = 110,
  CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112,
  CUBLAS_GEMM_ALGO13_TENSOR_OP = 113,
  CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext* cublasHandle_t;

#if defined(__cplusplus)
extern "C" {
#endif

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
size_t cublasGetCudartVersion(void);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value);
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int bytes, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int bytes, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int bytes, const void* A, int lda, void* B,
                                    int ldb, cudaStream_t stream);

// clang-format off
// P: the letter of the type T; Q and R: those of its real numbers.
#define GPUSIM_CUBLAS(P, T, Q, R, A)                                                                                  \
  cublasStatus_t cublasI##A##amax_v2(cublasHandle_t, int n, const T* x, int incx, int* result);                       \
  cublasStatus_t cublasI##A##amin_v2(cublasHandle_t, int n, const T* x, int incx, int* result);                       \
  cublasStatus_t cublas##Q##asum_v2(cublasHandle_t, int n, const T* x, int incx, R* result);                          \
  cublasStatus_t cublas##Q##nrm2_v2(cublasHandle_t, int n, const T* x, int incx, R* result);                          \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t, int n, const T* alpha, const T* x, int incx, T* y, int incy);     \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t, int n, const T* x, int incx, T* y, int incy);                     \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t, int n, T* x, int incx, T* y, int incy);                           \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t, int n, const T* alpha, T* x, int incx);                           \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t, cublasOperation_t, int m, int n, const T* alpha, const T* A,      \
                                    int lda, const T* x, int incx, const T* beta, T* y, int incy);                    \
  cublasStatus_t cublas##P##trmv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,     \
                                    const T* A, int lda, T* x, int incx);                                             \
  cublasStatus_t cublas##P##trsv_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int n,     \
                                    const T* A, int lda, T* x, int incx);                                             \
  cublasStatus_t cublas##P##gemm_v2(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,        \
                                    const T* alpha, const T* A, int lda, const T* B, int ldb, const T* beta, T* C,    \
                                    int ldc);                                                                         \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k,    \
                                        const T* alpha, const T* const A[], int lda, const T* const B[], int ldb,     \
                                        const T* beta, T* const C[], int ldc, int count);                             \
  cublasStatus_t cublas##P##gemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,    \
                                               int k, const T* alpha, const T* A, int lda, long long strideA,         \
                                               const T* B, int ldb, long long strideB, const T* beta, T* C, int ldc,  \
                                               long long strideC, int count);                                         \
  cublasStatus_t cublas##P##symm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m, int n, const T* alpha, \
                                    const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc);          \
  cublasStatus_t cublas##P##syrk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k,                \
                                    const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc);               \
  cublasStatus_t cublas##P##trsm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,            \
                                    cublasDiagType_t, int m, int n, const T* alpha, const T* A, int lda, T* B,        \
                                    int ldb);                                                                         \
  cublasStatus_t cublas##P##trmm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,            \
                                    cublasDiagType_t, int m, int n, const T* alpha, const T* A, int lda, const T* B,  \
                                    int ldb, T* C, int ldc);                                                          \
  cublasStatus_t cublas##P##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, const T* alpha,  \
                                 const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc);             \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t, cublasSideMode_t, int m, int n, const T* A, int lda, const T* x,     \
                                 int incx, T* C, int ldc);
GPUSIM_CUBLAS(S, float, S, float, s)
GPUSIM_CUBLAS(D, double, D, double, d)
GPUSIM_CUBLAS(C, cuComplex, Sc, float, c)
GPUSIM_CUBLAS(Z, cuDoubleComplex, Dz, double, z)
#undef GPUSIM_CUBLAS

#define GPUSIM_CUBLAS_REAL(P, T)                                                                                      \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t, int n, const T* x, int incx, const T* y, int incy, T* result);     \
  cublasStatus_t cublas##P##rot_v2(cublasHandle_t, int n, T* x, int incx, T* y, int incy, const T* c, const T* s);    \
  cublasStatus_t cublas##P##ger_v2(cublasHandle_t, int m, int n, const T* alpha, const T* x, int incx, const T* y,    \
                                   int incy, T* A, int lda);                                                          \
  cublasStatus_t cublas##P##symv_v2(cublasHandle_t, cublasFillMode_t, int n, const T* alpha, const T* A, int lda,     \
                                    const T* x, int incx, const T* beta, T* y, int incy);                             \
  cublasStatus_t cublas##P##syr_v2(cublasHandle_t, cublasFillMode_t, int n, const T* alpha, const T* x, int incx,     \
                                   T* A, int lda);
GPUSIM_CUBLAS_REAL(S, float)
GPUSIM_CUBLAS_REAL(D, double)
#undef GPUSIM_CUBLAS_REAL

#define GPUSIM_CUBLAS_COMPLEX(P, T, PR, R)                                                                            \
  cublasStatus_t cublas##P##dotu_v2(cublasHandle_t, int n, const T* x, int incx, const T* y, int incy, T* result);    \
  cublasStatus_t cublas##P##dotc_v2(cublasHandle_t, int n, const T* x, int incx, const T* y, int incy, T* result);    \
  cublasStatus_t cublas##PR##scal_v2(cublasHandle_t, int n, const R* alpha, T* x, int incx);                          \
  cublasStatus_t cublas##P##geru_v2(cublasHandle_t, int m, int n, const T* alpha, const T* x, int incx, const T* y,   \
                                    int incy, T* A, int lda);                                                         \
  cublasStatus_t cublas##P##gerc_v2(cublasHandle_t, int m, int n, const T* alpha, const T* x, int incx, const T* y,   \
                                    int incy, T* A, int lda);                                                         \
  cublasStatus_t cublas##P##hemm_v2(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m, int n, const T* alpha, \
                                    const T* A, int lda, const T* B, int ldb, const T* beta, T* C, int ldc);          \
  cublasStatus_t cublas##P##herk_v2(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n, int k,                \
                                    const R* alpha, const T* A, int lda, const R* beta, T* C, int ldc);
GPUSIM_CUBLAS_COMPLEX(C, cuComplex, Cs, float)
GPUSIM_CUBLAS_COMPLEX(Z, cuDoubleComplex, Zd, double)
#undef GPUSIM_CUBLAS_COMPLEX
// clang-format on

// Products of mixed types: real ones of 8 bits (into 32), 16, 32 and 64.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                            int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda,
                            const void* B, cudaDataType Btype, int ldb, const void* beta, void* C,
                            cudaDataType Ctype, int ldc, cublasComputeType_t computeType,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, cudaDataType Atype, int lda, long long strideA,
                                          const void* B, cudaDataType Btype, int ldb, long long strideB,
                                          const void* beta, void* C, cudaDataType Ctype, int ldc,
                                          long long strideC, int count, cublasComputeType_t computeType,
                                          cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void* alpha, const void* const A[],
                                   cudaDataType Atype, int lda, const void* const B[], cudaDataType Btype,
                                   int ldb, const void* beta, void* const C[], cudaDataType Ctype, int ldc,
                                   int count, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                             int n, int k, const float* alpha, const void* A, cudaDataType Atype, int lda,
                             const void* B, cudaDataType Btype, int ldb, const float* beta, void* C,
                             cudaDataType Ctype, int ldc);

#if defined(__cplusplus)
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                           int n, int k, const __half* alpha, const __half* A, int lda, const __half* B,
                           int ldb, const __half* beta, __half* C, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                         cublasOperation_t transb, int m, int n, int k, const __half* alpha,
                                         const __half* A, int lda, long long strideA, const __half* B,
                                         int ldb, long long strideB, const __half* beta, __half* C, int ldc,
                                         long long strideC, int count);
}

// Until CUDA 10 the type of the computation was that of its numbers.
static inline cublasComputeType_t gpusim_compute_type(cudaDataType type) {
  return type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
         : type == CUDA_R_64F ? CUBLAS_COMPUTE_64F
         : type == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                              : CUBLAS_COMPUTE_32F;
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k, const void* alpha,
                                          const void* A, cudaDataType Atype, int lda, const void* B,
                                          cudaDataType Btype, int ldb, const void* beta, void* C,
                                          cudaDataType Ctype, int ldc, cudaDataType computeType,
                                          cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype,
                      ldc, gpusim_compute_type(computeType), algo);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B,
    cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype, int ldc,
    long long strideC, int count, cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype,
                                    ldb, strideB, beta, C, Ctype, ldc, strideC, count,
                                    gpusim_compute_type(computeType), algo);
}
#endif
// SPDX-License-Identifier: MIT
