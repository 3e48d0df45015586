// What every function of cuBLAS does first: it checks the handle and finds its operands in memory.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "base/sizes.h"
#include "cublas_api.h"
#include "libraries/blas.h"
#include "runtime/errors.h"
#include "runtime/process.h"
#include "runtime/work.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
};

namespace gpusim::libraries {

// Whether cublasCreate has made this handle and the program has not destroyed it.
bool is_handle(cublasHandle_t);

// Elements from one operand to the next: |inc|. Computed with 64 bits, because abs() of the lowest int is
// undefined.
inline std::size_t distance(int inc) { return std::size_t(std::abs(s64(inc))); }

// The i-th operand of a batch whose operands are `stride` bytes apart. As on a GPU, the address is computed
// modulo 2^64, and is checked only when it is read.
inline const void* moved_bytes(const void* pointer, u64 stride, int i) {
  return reinterpret_cast<const void*>(reinterpret_cast<u64>(pointer) + stride * u64(i));
}
template <class T> T* moved(T* pointer, long long stride, int i) {
  return static_cast<T*>(const_cast<void*>(moved_bytes(pointer, u64(stride) * sizeof(T), i)));
}

template <class T> bool is_zero(const T& value) {
  if constexpr (kIsComplex<T>) return value.x == 0 && value.y == 0;
  else return value == 0;
}

// One call by a program. An error ends it as an exception, which is a status.
class CublasCall {
 public:
  // `in`: the stream that it is work of; null if the order of streams is not recorded.
  CublasCall(cublasHandle_t handle, const char* name, const CUstream_st* in)
      : handle_(handle), name_(name), in_(in) {}

  // Refuses the call unless the arguments are as the manual asks.
  void want(bool holds, cublasStatus_t status = CUBLAS_STATUS_INVALID_VALUE) const {
    if (!holds) throw status;
  }

  // The host address of `count` elements at a device address. An address out of bounds is a fault, as in a
  // kernel.
  template <class T> T* device(const char* operand, const T* pointer, std::size_t count) const {
    return static_cast<T*>(bytes(operand, pointer, times(count, sizeof(T))));
  }
  void* bytes(const char* operand, const void* pointer, std::size_t count) const;

  // The elements of a vector; the elements of a matrix whose columns are `ld` elements apart.
  template <class T> T* vector(const char* operand, const T* x, int n, int inc) const {
    return n <= 0 ? nullptr : device(operand, x, extent_of_rows(distance(inc), 1, std::size_t(n)));
  }
  template <class T> T* matrix(const char* operand, const T* a, int rows, int columns, int ld) const {
    want(ld >= std::max(1, rows));
    return rows <= 0 || columns <= 0
               ? nullptr
               : device(operand, a, extent_of_rows(std::size_t(ld), std::size_t(rows), std::size_t(columns)));
  }

  // alpha, beta, and results of one number. They are in host or device memory, as the handle's pointer mode
  // says.
  template <class T> const T* scalar(const char* operand, const T* pointer) const {
    want(pointer != nullptr);
    return on_host() ? pointer : device(operand, pointer, 1);
  }
  template <class T> void give(T* result, T value) const {
    want(result != nullptr);
    if (on_host()) *result = value, runtime::host_comes_after(in_ ? in_->clock : runtime::Clock());
    else *device("the result", result, 1) = value, written(result, sizeof value);
  }
  const CUstream_st* in() const { return in_; }
  bool on_host() const { return handle_->pointer_mode == CUBLAS_POINTER_MODE_HOST; }

  // These tell the checks what the call reads, and then what it has written.
  void reads(const void* pointer, std::size_t count) const;
  template <class T> void reads_vector(const T* x, int n, int inc) const {
    if (n > 0 && distance(inc) == 1) reads(x, std::size_t(n) * sizeof(T));
    else
      for (int i = 0; i < n; ++i) reads(x + std::size_t(i) * distance(inc), sizeof(T));
  }
  template <class T> void reads_matrix(const T* a, int rows, int columns, int ld) const {
    if (rows == ld) return reads(a, std::size_t(rows) * std::size_t(std::max(columns, 0)) * sizeof(T));
    for (int j = 0; j < columns; ++j)
      reads(a + std::size_t(j) * std::size_t(ld), std::size_t(rows) * sizeof(T));
  }
  void written(const void* pointer, std::size_t count) const;
  template <class T> void wrote_vector(const T* x, int n, int inc) const {
    if (n > 0 && distance(inc) == 1) written(x, std::size_t(n) * sizeof(T));
    else
      for (int i = 0; i < n; ++i) written(x + std::size_t(i) * distance(inc), sizeof(T));
  }
  template <class T> void wrote_matrix(const T* a, int rows, int columns, int ld) const {
    for (int j = 0; j < columns; ++j)
      written(a + std::size_t(j) * std::size_t(ld), std::size_t(rows) * sizeof(T));
  }

  // Calls a function of the BLAS library for numbers of type T: blas<float>("gemm", …) calls sgemm_. (Fortran
  // passes the lengths of texts after the arguments; here all are 1.)
  template <class T, class... Pointers> void blas(const char* name, Pointers... pointers) const {
    using Function = void (*)(Pointers..., std::size_t, std::size_t, std::size_t, std::size_t);
    reinterpret_cast<Function>(find(kLetter<T>, name))(pointers..., 1, 1, 1, 1);
  }

 private:
  void* find(char letter, const char* name) const;

  cublasHandle_t handle_;
  const char* name_;
  const CUstream_st* in_;
};

// Runs `body`, which computes a function of cuBLAS as work of the stream, and returns the status of the call.
template <class Body>
cublasStatus_t cublas_call_in(cudaStream_t stream, cublasHandle_t handle, const char* name, Body body) {
  const DeviceLock lock;
  if (!is_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (runtime::is_multi_gpu()) runtime::finish(runtime::current());
  if (runtime::synchronise() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  try {
    body(CublasCall(handle, name, runtime::is_multi_gpu() ? nullptr : runtime::begin_now(stream)));
  } catch (cublasStatus_t status) {
    return status;
  } catch (const std::bad_alloc&) {
    return CUBLAS_STATUS_ALLOC_FAILED;
  }
  return CUBLAS_STATUS_SUCCESS;
}

// The same in the handle's stream.
template <class Body> cublasStatus_t cublas_call(cublasHandle_t handle, const char* name, Body body) {
  const DeviceLock lock;
  return cublas_call_in(is_handle(handle) ? handle->stream : nullptr, handle, name, body);
}

// The letters that the Fortran functions take.
inline const char* letter_of(cublasOperation_t op) {
  return op == CUBLAS_OP_N   ? "N"
         : op == CUBLAS_OP_T ? "T"
         : op == CUBLAS_OP_C ? "C"
                             : throw CUBLAS_STATUS_INVALID_VALUE;
}
inline const char* letter_of(cublasFillMode_t mode) {
  return mode == CUBLAS_FILL_MODE_LOWER   ? "L"
         : mode == CUBLAS_FILL_MODE_UPPER ? "U"
                                          : throw CUBLAS_STATUS_INVALID_VALUE;
}
inline const char* letter_of(cublasSideMode_t mode) {
  return mode == CUBLAS_SIDE_LEFT ? "L" : mode == CUBLAS_SIDE_RIGHT ? "R" : throw CUBLAS_STATUS_INVALID_VALUE;
}
inline const char* letter_of(cublasDiagType_t type) {
  return type == CUBLAS_DIAG_UNIT       ? "U"
         : type == CUBLAS_DIAG_NON_UNIT ? "N"
                                        : throw CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
