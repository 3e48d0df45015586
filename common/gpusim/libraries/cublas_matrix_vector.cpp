// cuBLAS level 2: a matrix with vectors.
#include "libraries/cublas_call.h"

using namespace gpusim::libraries;

namespace {

template <class T>
cublasStatus_t gemv(const char* name, cublasHandle_t handle, cublasOperation_t op, int m, int n,
                    const T* alpha, const T* A, int lda, const T* x, int incx, const T* beta, T* y,
                    int incy) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(m >= 0 && n >= 0 && incx != 0 && incy != 0 && lda >= std::max(1, m));
    const char* const letter = letter_of(op);
    if (m == 0 || n == 0) return;
    const int in = op == CUBLAS_OP_N ? n : m, out = op == CUBLAS_OP_N ? m : n;
    call.blas<T>("gemv", letter, &m, &n, call.scalar("alpha", alpha), call.matrix("A", A, m, n, lda), &lda,
                 call.vector("x", x, in, incx), &incx, call.scalar("beta", beta),
                 call.vector("y", y, out, incy), &incy);
    if (!is_zero(*call.scalar("alpha", alpha))) {
      call.reads_matrix(A, m, n, lda);
      call.reads_vector(x, in, incx);
    }
    if (!is_zero(*call.scalar("beta", beta))) call.reads_vector(y, out, incy);
    call.wrote_vector(y, out, incy);
  });
}

// x = A x; and the solution x of A x = b.
template <class T>
cublasStatus_t triangular(const char* name, const char* function, cublasHandle_t handle,
                          cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal, int n,
                          const T* A, int lda, T* x, int incx) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(n >= 0 && incx != 0 && lda >= std::max(1, n));
    if (n == 0) return;
    call.blas<T>(function, letter_of(fill), letter_of(op), letter_of(diagonal), &n,
                 call.matrix("A", A, n, n, lda), &lda, call.vector("x", x, n, incx), &incx);
    call.wrote_vector(x, n, incx);
  });
}

// A += alpha x yᵀ
template <class T>
cublasStatus_t ger(const char* name, const char* function, cublasHandle_t handle, int m, int n,
                   const T* alpha, const T* x, int incx, const T* y, int incy, T* A, int lda) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(m >= 0 && n >= 0 && incx != 0 && incy != 0 && lda >= std::max(1, m));
    if (m == 0 || n == 0) return;
    call.blas<T>(function, &m, &n, call.scalar("alpha", alpha), call.vector("x", x, m, incx), &incx,
                 call.vector("y", y, n, incy), &incy, call.matrix("A", A, m, n, lda), &lda);
    call.wrote_matrix(A, m, n, lda);
  });
}

template <class T>
cublasStatus_t symv(const char* name, cublasHandle_t handle, cublasFillMode_t fill, int n, const T* alpha,
                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(n >= 0 && incx != 0 && incy != 0 && lda >= std::max(1, n));
    if (n == 0) return;
    call.blas<T>("symv", letter_of(fill), &n, call.scalar("alpha", alpha), call.matrix("A", A, n, n, lda),
                 &lda, call.vector("x", x, n, incx), &incx, call.scalar("beta", beta),
                 call.vector("y", y, n, incy), &incy);
    call.wrote_vector(y, n, incy);
  });
}

template <class T>
cublasStatus_t syr(const char* name, cublasHandle_t handle, cublasFillMode_t fill, int n, const T* alpha,
                   const T* x, int incx, T* A, int lda) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(n >= 0 && incx != 0 && lda >= std::max(1, n));
    if (n == 0) return;
    call.blas<T>("syr", letter_of(fill), &n, call.scalar("alpha", alpha), call.vector("x", x, n, incx), &incx,
                 call.matrix("A", A, n, n, lda), &lda);
    call.wrote_matrix(A, n, n, lda);
  });
}

}  // namespace

extern "C" {

#define FUNCTIONS(P, T)                                                                                      \
  cublasStatus_t cublas##P##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,    \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y,          \
                                    int incy) {                                                              \
    return gemv("cublas" #P "gemv", h, op, m, n, alpha, A, lda, x, incx, beta, y, incy);                     \
  }                                                                                                          \
  cublasStatus_t cublas##P##trmv_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,           \
                                    cublasDiagType_t diagonal, int n, const T* A, int lda, T* x, int incx) { \
    return triangular("cublas" #P "trmv", "trmv", h, fill, op, diagonal, n, A, lda, x, incx);                \
  }                                                                                                          \
  cublasStatus_t cublas##P##trsv_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,           \
                                    cublasDiagType_t diagonal, int n, const T* A, int lda, T* x, int incx) { \
    return triangular("cublas" #P "trsv", "trsv", h, fill, op, diagonal, n, A, lda, x, incx);                \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)

#define RANK_ONE(P, T, which)                                                                                \
  cublasStatus_t cublas##P##which##_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, \
                                       const T* y, int incy, T* A, int lda) {                                \
    return ger("cublas" #P #which, #which, h, m, n, alpha, x, incx, y, incy, A, lda);                        \
  }
RANK_ONE(S, float, ger)
RANK_ONE(D, double, ger)
RANK_ONE(C, cuComplex, geru)
RANK_ONE(C, cuComplex, gerc)
RANK_ONE(Z, cuDoubleComplex, geru)
RANK_ONE(Z, cuDoubleComplex, gerc)

#define SYMMETRIC(P, T)                                                                             \
  cublasStatus_t cublas##P##symv_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, \
                                    int incy) {                                                     \
    return symv("cublas" #P "symv", h, fill, n, alpha, A, lda, x, incx, beta, y, incy);             \
  }                                                                                                 \
  cublasStatus_t cublas##P##syr_v2(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha,  \
                                   const T* x, int incx, T* A, int lda) {                           \
    return syr("cublas" #P "syr", h, fill, n, alpha, x, incx, A, lda);                              \
  }
SYMMETRIC(S, float)
SYMMETRIC(D, double)

}  // extern "C"

#undef FUNCTIONS
// SPDX-License-Identifier: MIT
