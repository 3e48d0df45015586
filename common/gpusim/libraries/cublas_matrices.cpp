// cuBLAS level 3: matrices with matrices. (Products of mixed types are in cublas_mixed.cpp.)
#include <complex>

#include "libraries/cublas_call.h"

using namespace gpusim::libraries;

namespace {

// Rows and columns of a matrix A, if op(A) has `rows` × `columns`.
struct Shape {
  int rows, columns;
};
Shape before(cublasOperation_t op, int rows, int columns) {
  return op == CUBLAS_OP_N ? Shape{rows, columns} : Shape{columns, rows};
}

template <class T> struct Product {
  cublasOperation_t opA, opB;
  int m, n, k;
  const T *alpha, *beta;
  int lda, ldb, ldc;
};

template <class T> void multiply(const CublasCall& call, const Product<T>& p, const T* A, const T* B, T* C) {
  call.want(p.m >= 0 && p.n >= 0 && p.k >= 0);
  const Shape a = before(p.opA, p.m, p.k), b = before(p.opB, p.k, p.n);
  const char *letterA = letter_of(p.opA), *letterB = letter_of(p.opB);
  const T *const inA = call.matrix("A", A, a.rows, a.columns, p.lda), *const inB = call.matrix(
                                                                          "B", B, b.rows, b.columns, p.ldb);
  T* const out = call.matrix("C", C, p.m, p.n, p.ldc);
  if (!out) return;
  if (p.k > 0 && !is_zero(*call.scalar("alpha", p.alpha))) {
    call.reads_matrix(A, a.rows, a.columns, p.lda);
    call.reads_matrix(B, b.rows, b.columns, p.ldb);
  }
  if (!is_zero(*call.scalar("beta", p.beta))) call.reads_matrix(C, p.m, p.n, p.ldc);
  call.blas<T>("gemm", letterA, letterB, &p.m, &p.n, &p.k, call.scalar("alpha", p.alpha), inA, &p.lda, inB,
               &p.ldb, call.scalar("beta", p.beta), out, &p.ldc);
  call.wrote_matrix(C, p.m, p.n, p.ldc);
}

template <class T>
cublasStatus_t symm(const char* name, const char* function, cublasHandle_t handle, cublasSideMode_t side,
                    cublasFillMode_t fill, int m, int n, const T* alpha, const T* A, int lda, const T* B,
                    int ldb, const T* beta, T* C, int ldc) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(m >= 0 && n >= 0);
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* const a = call.matrix("A", A, order, order, lda);
    const T* const b = call.matrix("B", B, m, n, ldb);
    T* const c = call.matrix("C", C, m, n, ldc);
    if (!c) return;
    call.blas<T>(function, letter_of(side), letter_of(fill), &m, &n, call.scalar("alpha", alpha), a, &lda, b,
                 &ldb, call.scalar("beta", beta), c, &ldc);
    call.wrote_matrix(C, m, n, ldc);
  });
}

template <class T, class Factor>
cublasStatus_t syrk(const char* name, const char* function, cublasHandle_t handle, cublasFillMode_t fill,
                    cublasOperation_t op, int n, int k, const Factor* alpha, const T* A, int lda,
                    const Factor* beta, T* C, int ldc) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(n >= 0 && k >= 0);
    const Shape shape = before(op, n, k);
    const T* const a = call.matrix("A", A, shape.rows, shape.columns, lda);
    T* const c = call.matrix("C", C, n, n, ldc);
    if (!c) return;
    const char* const letter = kIsComplex<T> || op != CUBLAS_OP_C ? letter_of(op) : "T";
    call.blas<T>(function, letter_of(fill), letter, &n, &k, call.scalar("alpha", alpha), a, &lda,
                 call.scalar("beta", beta), c, &ldc);
    call.wrote_matrix(C, n, n, ldc);
  });
}

// B = alpha op(A) B, or the solution X of op(A) X = alpha B; or the same with A on the right side.
template <class T>
void triangular(const CublasCall& call, const char* function, cublasSideMode_t side, cublasFillMode_t fill,
                cublasOperation_t op, cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* A,
                int lda, T* B, int ldb) {
  call.want(m >= 0 && n >= 0);
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  const T* const a = call.matrix("A", A, order, order, lda);
  T* const b = call.matrix("B", B, m, n, ldb);
  if (!b) return;
  call.blas<T>(function, letter_of(side), letter_of(fill), letter_of(op), letter_of(diagonal), &m, &n,
               call.scalar("alpha", alpha), a, &lda, b, &ldb);
  call.wrote_matrix(B, m, n, ldb);
}

// A number in a type with arithmetic: std::complex for CUDA's complex types.
template <class T> auto plain(const T& value) {
  if constexpr (kIsComplex<T>) return std::complex<decltype(value.x)>(value.x, value.y);
  else return value;
}
template <class T, class Value> T packed(const Value& value) {
  if constexpr (kIsComplex<T>) return T{value.real(), value.imag()};
  else return value;
}

// An element of op(A).
template <class T> auto element(const T* a, int ld, cublasOperation_t op, int row, int column) {
  if (op != CUBLAS_OP_N) std::swap(row, column);
  auto value = plain(a[std::size_t(column) * std::size_t(ld) + std::size_t(row)]);
  if constexpr (kIsComplex<T>) return op == CUBLAS_OP_C ? std::conj(value) : value;
  else return value;
}

template <class T>
cublasStatus_t geam(const char* name, cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB,
                    int m, int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb,
                    T* C, int ldc) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(m >= 0 && n >= 0 && (A != C || (opA == CUBLAS_OP_N && lda == ldc)) &&
              (B != C || (opB == CUBLAS_OP_N && ldb == ldc)));
    const auto x = plain(*call.scalar("alpha", alpha)), y = plain(*call.scalar("beta", beta));
    const decltype(x) zero = 0;  // with a factor of 0 the matrix is not read, and need not exist
    const Shape a = before(opA, m, n), b = before(opB, m, n);
    const T* const inA = x == zero ? nullptr : call.matrix("A", A, a.rows, a.columns, lda);
    const T* const inB = y == zero ? nullptr : call.matrix("B", B, b.rows, b.columns, ldb);
    T* const out = call.matrix("C", C, m, n, ldc);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        out[std::size_t(j) * std::size_t(ldc) + std::size_t(i)] =
            packed<T>((inA ? x * element(inA, lda, opA, i, j) : zero) +
                      (inB ? y * element(inB, ldb, opB, i, j) : zero));
    call.wrote_matrix(C, m, n, ldc);
  });
}

// C = A diag(x), or C = diag(x) A.
template <class T>
cublasStatus_t dgmm(const char* name, cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A,
                    int lda, const T* x, int incx, T* C, int ldc) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    call.want(m >= 0 && n >= 0);
    const int count = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* const a = call.matrix("A", A, m, n, lda);
    const T* d = call.vector("x", x, count, incx);
    T* const c = call.matrix("C", C, m, n, ldc);
    if (!c) return;
    if (incx < 0) d -= std::ptrdiff_t(count - 1) * incx;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        c[std::size_t(j) * std::size_t(ldc) + std::size_t(i)] =
            packed<T>(element(a, lda, CUBLAS_OP_N, i, j) *
                      plain(d[std::ptrdiff_t(side == CUBLAS_SIDE_LEFT ? i : j) * incx]));
    call.wrote_matrix(C, m, n, ldc);
  });
}

}  // namespace

extern "C" {

#define FUNCTIONS(P, T)                                                                                      \
  cublasStatus_t cublas##P##gemm_v2(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m,   \
                                    int n, int k, const T* alpha, const T* A, int lda, const T* B, int ldb,  \
                                    const T* beta, T* C, int ldc) {                                          \
    return cublas_call(h, "cublas" #P "gemm", [&](const CublasCall& call) {                                  \
      multiply<T>(call, {opA, opB, m, n, k, alpha, beta, lda, ldb, ldc}, A, B, C);                           \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmBatched(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB,      \
                                        int m, int n, int k, const T* alpha, const T* const A[], int lda,    \
                                        const T* const B[], int ldb, const T* beta, T* const C[], int ldc,   \
                                        int count) {                                                         \
    return cublas_call(h, "cublas" #P "gemmBatched", [&](const CublasCall& call) {                           \
      call.want(count >= 0);                                                                                 \
      if (count == 0) return;                                                                                \
      const auto a = call.device("A", A, std::size_t(count));                                                \
      const auto b = call.device("B", B, std::size_t(count));                                                \
      const auto c = call.device("C", C, std::size_t(count));                                                \
      for (int i = 0; i < count; ++i)                                                                        \
        multiply<T>(call, {opA, opB, m, n, k, alpha, beta, lda, ldb, ldc}, a[i], b[i], c[i]);                \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##gemmStridedBatched(                                                              \
      cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T* alpha,   \
      const T* A, int lda, long long strideA, const T* B, int ldb, long long strideB, const T* beta, T* C,   \
      int ldc, long long strideC, int count) {                                                               \
    return cublas_call(h, "cublas" #P "gemmStridedBatched", [&](const CublasCall& call) {                    \
      call.want(count >= 0);                                                                                 \
      for (int i = 0; i < count; ++i)                                                                        \
        multiply<T>(call, {opA, opB, m, n, k, alpha, beta, lda, ldb, ldc}, moved(A, strideA, i),             \
                    moved(B, strideB, i), moved(C, strideC, i));                                             \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##symm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m,   \
                                    int n, const T* alpha, const T* A, int lda, const T* B, int ldb,         \
                                    const T* beta, T* C, int ldc) {                                          \
    return symm("cublas" #P "symm", "symm", h, side, fill, m, n, alpha, A, lda, B, ldb, beta, C, ldc);       \
  }                                                                                                          \
  cublasStatus_t cublas##P##syrk_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n,    \
                                    int k, const T* alpha, const T* A, int lda, const T* beta, T* C,         \
                                    int ldc) {                                                               \
    return syrk("cublas" #P "syrk", "syrk", h, fill, op, n, k, alpha, A, lda, beta, C, ldc);                 \
  }                                                                                                          \
  cublasStatus_t cublas##P##trsm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,          \
                                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
                                    const T* alpha, const T* A, int lda, T* B, int ldb) {                    \
    return cublas_call(h, "cublas" #P "trsm", [&](const CublasCall& call) {                                  \
      triangular(call, "trsm", side, fill, op, diagonal, m, n, alpha, A, lda, B, ldb);                       \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##trmm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,          \
                                    cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,           \
                                    const T* alpha, const T* A, int lda, const T* B, int ldb, T* C,          \
                                    int ldc) {                                                               \
    return cublas_call(h, "cublas" #P "trmm", [&](const CublasCall& call) {                                  \
      call.want(m >= 0 && n >= 0);                                                                           \
      const T* const b = call.matrix("B", B, m, n, ldb);                                                     \
      T* const c = call.matrix("C", C, m, n, ldc);                                                           \
      for (int j = 0; j < n && b != c; ++j)                                                                  \
        std::copy_n(b + std::ptrdiff_t(j) * ldb, m, c + std::ptrdiff_t(j) * ldc);                            \
      triangular(call, "trmm", side, fill, op, diagonal, m, n, alpha, A, lda, C, ldc);                       \
    });                                                                                                      \
  }                                                                                                          \
  cublasStatus_t cublas##P##geam(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m,      \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B,      \
                                 int ldb, T* C, int ldc) {                                                   \
    return geam("cublas" #P "geam", h, opA, opB, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                 \
  }                                                                                                          \
  cublasStatus_t cublas##P##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* A, int lda, \
                                 const T* x, int incx, T* C, int ldc) {                                      \
    return dgmm("cublas" #P "dgmm", h, side, m, n, A, lda, x, incx, C, ldc);                                 \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
FUNCTIONS(C, cuComplex)
FUNCTIONS(Z, cuDoubleComplex)

#define HERMITIAN(P, T, R)                                                                                 \
  cublasStatus_t cublas##P##hemm_v2(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, \
                                    int n, const T* alpha, const T* A, int lda, const T* B, int ldb,       \
                                    const T* beta, T* C, int ldc) {                                        \
    return symm("cublas" #P "hemm", "hemm", h, side, fill, m, n, alpha, A, lda, B, ldb, beta, C, ldc);     \
  }                                                                                                        \
  cublasStatus_t cublas##P##herk_v2(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n,  \
                                    int k, const R* alpha, const T* A, int lda, const R* beta, T* C,       \
                                    int ldc) {                                                             \
    return syrk("cublas" #P "herk", "herk", h, fill, op, n, k, alpha, A, lda, beta, C, ldc);               \
  }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)

}  // extern "C"

#undef FUNCTIONS
// SPDX-License-Identifier: MIT
