// cuBLAS level 1: vectors.
#include <cmath>
#include <complex>

#include "libraries/cublas_call.h"

using namespace gpusim::libraries;

namespace {

template <class T> double magnitude(T x) {  // of a complex number: |re| + |im|, as BLAS has it
  if constexpr (kIsComplex<T>) return double(std::fabs(x.x)) + double(std::fabs(x.y));
  else return std::fabs(double(x));
}

// The index, counted from 1, of the first element with the largest or smallest magnitude.
template <class T, class Better>
cublasStatus_t extreme(const char* name, cublasHandle_t handle, int n, const T* x, int incx, int* result,
                       Better better) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    int found = 0;
    if (n > 0 && incx > 0) {
      const T* const at = call.vector("x", x, n, incx);
      call.reads_vector(x, n, incx);
      for (int i = found = 1; i < n; ++i)
        if (better(magnitude(at[std::size_t(i) * std::size_t(incx)]),
                   magnitude(at[std::size_t(found - 1) * std::size_t(incx)])))
          found = i + 1;
    }
    call.give(result, found);
  });
}

// Sums of many terms are computed in double. They are at least as exact as a GPU's, which adds in pairs.
template <class T, class R> cublasStatus_t asum(const char* name, cublasHandle_t handle, int n, const T* x,
                                                int incx, R* result) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    double sum = 0;
    if (n > 0 && incx > 0) {
      const T* const at = call.vector("x", x, n, incx);
      call.reads_vector(x, n, incx);
      for (int i = 0; i < n; ++i) sum += magnitude(at[std::size_t(i) * std::size_t(incx)]);
    }
    call.give(result, R(sum));
  });
}
template <class T, class R> cublasStatus_t nrm2(const char* name, cublasHandle_t handle, int n, const T* x,
                                                int incx, R* result) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    double sum = 0, scale = 1;
    if (n > 0 && incx > 0) {
      const T* const at = call.vector("x", x, n, incx);
      call.reads_vector(x, n, incx);
      double largest = 0;
      for (int i = 0; i < n; ++i)
        largest = std::max(largest, magnitude(at[std::size_t(i) * std::size_t(incx)]));
      if (largest > 1e150 || (largest < 1e-150 && largest > 0))
        // The square of such a number does not fit a double.
        scale = largest;
      for (int i = 0; i < n; ++i) {
        const T& element = at[std::size_t(i) * std::size_t(incx)];
        if constexpr (kIsComplex<T>)
          sum += element.x / scale * (element.x / scale) + element.y / scale * (element.y / scale);
        else sum += element / scale * (element / scale);
      }
    }
    call.give(result, R(scale * std::sqrt(sum)));
  });
}

template <class T>
cublasStatus_t dot(const char* name, cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy,
                   T* result, bool conjugated = false) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    std::complex<double> sum = 0;
    if (n > 0) {
      const T* a = call.vector("x", x, n, incx);
      const T* b = call.vector("y", y, n, incy);
      call.reads_vector(x, n, incx);
      call.reads_vector(y, n, incy);
      if (incx < 0) a -= std::ptrdiff_t(n - 1) * incx;
      if (incy < 0) b -= std::ptrdiff_t(n - 1) * incy;
      for (int i = 0; i < n; ++i, a += incx, b += incy) {
        if constexpr (kIsComplex<T>)
          sum += std::complex<double>(a->x, conjugated ? -a->y : a->y) * std::complex<double>(b->x, b->y);
        else sum += double(*a) * double(*b);
      }
    }
    if constexpr (kIsComplex<T>) call.give(result, T{decltype(T::x)(sum.real()), decltype(T::x)(sum.imag())});
    else call.give(result, T(sum.real()));
  });
}

template <class T>
cublasStatus_t axpy(const char* name, cublasHandle_t handle, int n, const T* alpha, const T* x, int incx,
                    T* y, int incy) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    if (n <= 0) return;
    call.blas<T>("axpy", &n, call.scalar("alpha", alpha), call.vector("x", x, n, incx), &incx,
                 call.vector("y", y, n, incy), &incy);
    call.reads_vector(x, n, incx);
    call.reads_vector(y, n, incy);
    call.wrote_vector(y, n, incy);
  });
}
template <class T> cublasStatus_t copy(const char* name, cublasHandle_t handle, int n, const T* x, int incx,
                                       T* y, int incy) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    if (n <= 0) return;
    call.blas<T>("copy", &n, call.vector("x", x, n, incx), &incx, call.vector("y", y, n, incy), &incy);
    call.wrote_vector(y, n, incy);
  });
}
template <class T> cublasStatus_t swap(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y,
                                       int incy) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    if (n <= 0) return;
    call.blas<T>("swap", &n, call.vector("x", x, n, incx), &incx, call.vector("y", y, n, incy), &incy);
    call.wrote_vector(x, n, incx);
    call.wrote_vector(y, n, incy);
  });
}
template <class T, class Factor>
cublasStatus_t scal(const char* name, cublasHandle_t handle, int n, const Factor* alpha, T* x, int incx) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    if (n <= 0 || incx <= 0) return;
    const Factor* const factor = call.scalar("alpha", alpha);
    T* const at = call.vector("x", x, n, incx);
    if constexpr (std::is_same_v<T, Factor>) call.blas<T>("scal", &n, factor, at, &incx);
    else call.blas<T>(kLetter<Factor> == 's' ? "sscal" : "dscal", &n, factor, at, &incx);
    call.wrote_vector(x, n, incx);
  });
}
template <class T>
cublasStatus_t rot(const char* name, cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c,
                   const T* s) {
  return cublas_call(handle, name, [&](const CublasCall& call) {
    if (n <= 0) return;
    call.blas<T>("rot", &n, call.vector("x", x, n, incx), &incx, call.vector("y", y, n, incy), &incy,
                 call.scalar("c", c), call.scalar("s", s));
    call.wrote_vector(x, n, incx);
    call.wrote_vector(y, n, incy);
  });
}

}  // namespace

extern "C" {

#define FUNCTIONS(P, T, Q, R, A)                                                                          \
  cublasStatus_t cublasI##A##amax_v2(cublasHandle_t h, int n, const T* x, int incx, int* result) {        \
    return extreme("cublasI" #A "amax", h, n, x, incx, result, [](double a, double b) { return a > b; }); \
  }                                                                                                       \
  cublasStatus_t cublasI##A##amin_v2(cublasHandle_t h, int n, const T* x, int incx, int* result) {        \
    return extreme("cublasI" #A "amin", h, n, x, incx, result, [](double a, double b) { return a < b; }); \
  }                                                                                                       \
  cublasStatus_t cublas##Q##asum_v2(cublasHandle_t h, int n, const T* x, int incx, R* result) {           \
    return asum("cublas" #Q "asum", h, n, x, incx, result);                                               \
  }                                                                                                       \
  cublasStatus_t cublas##Q##nrm2_v2(cublasHandle_t h, int n, const T* x, int incx, R* result) {           \
    return nrm2("cublas" #Q "nrm2", h, n, x, incx, result);                                               \
  }                                                                                                       \
  cublasStatus_t cublas##P##axpy_v2(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y,  \
                                    int incy) {                                                           \
    return axpy("cublas" #P "axpy", h, n, alpha, x, incx, y, incy);                                       \
  }                                                                                                       \
  cublasStatus_t cublas##P##copy_v2(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {      \
    return copy("cublas" #P "copy", h, n, x, incx, y, incy);                                              \
  }                                                                                                       \
  cublasStatus_t cublas##P##swap_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {            \
    return swap("cublas" #P "swap", h, n, x, incx, y, incy);                                              \
  }                                                                                                       \
  cublasStatus_t cublas##P##scal_v2(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {            \
    return scal("cublas" #P "scal", h, n, alpha, x, incx);                                                \
  }
FUNCTIONS(S, float, S, float, s)
FUNCTIONS(D, double, D, double, d)
FUNCTIONS(C, cuComplex, Sc, float, c)
FUNCTIONS(Z, cuDoubleComplex, Dz, double, z)

#define REAL(P, T)                                                                                      \
  cublasStatus_t cublas##P##dot_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, \
                                   T* result) {                                                         \
    return dot("cublas" #P "dot", h, n, x, incx, y, incy, result);                                      \
  }                                                                                                     \
  cublasStatus_t cublas##P##rot_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* c, \
                                   const T* s) {                                                        \
    return rot("cublas" #P "rot", h, n, x, incx, y, incy, c, s);                                        \
  }
REAL(S, float)
REAL(D, double)

#define COMPLEX(P, T, PR, R)                                                                             \
  cublasStatus_t cublas##P##dotu_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, \
                                    T* result) {                                                         \
    return dot("cublas" #P "dotu", h, n, x, incx, y, incy, result);                                      \
  }                                                                                                      \
  cublasStatus_t cublas##P##dotc_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, \
                                    T* result) {                                                         \
    return dot("cublas" #P "dotc", h, n, x, incx, y, incy, result, true);                                \
  }                                                                                                      \
  cublasStatus_t cublas##PR##scal_v2(cublasHandle_t h, int n, const R* alpha, T* x, int incx) {          \
    return scal("cublas" #PR "scal", h, n, alpha, x, incx);                                              \
  }
COMPLEX(C, cuComplex, Cs, float)
COMPLEX(Z, cuDoubleComplex, Zd, double)

}  // extern "C"

#undef FUNCTIONS
// SPDX-License-Identifier: MIT
