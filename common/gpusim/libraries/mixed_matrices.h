// Matrices of real numbers of any type that cuBLAS has, in device memory: what cublasGemmEx and cublasLtMatmul read and write.
#pragma once

#include "libraries/cublas_call.h"

namespace gpusim::libraries {

struct MixedMatrix {
  const void* pointer;  // device memory
  cudaDataType type;
  s64 ld;                // elements from column to column, or from row to row
  bool by_rows = false;  // whether rows lie one after another, in place of columns
};

// Bytes of a number. These throw CUBLAS_STATUS_NOT_SUPPORTED for a type that is not simulated.
std::size_t bytes_of(cudaDataType);
cudaDataType scalar_type(cublasComputeType_t);  // of alpha and beta

double read_number(const u8* bytes, cudaDataType);
// Rounds once; integers of 8 bits saturate.
void write_number(u8* bytes, cudaDataType, double value);

// alpha or beta, in the memory that the call's pointer mode says.
double read_scalar(const CublasCall&, const char* name, const void* pointer, cudaDataType);

// The host address of a matrix; null if it has no elements. Refuses an ld that is too small.
u8* located(const CublasCall&, const char* name, const MixedMatrix&, int rows, int columns);

// The i-th matrix of a batch. The stride between matrices is in elements.
MixedMatrix moved(const MixedMatrix&, long long stride, int i);

// Calls act(where the line begins, bytes from `pointer`, number of elements) for each column, or row.
template <class Act> void for_each_line(const MixedMatrix& matrix, int rows, int columns, Act act) {
  const int lines = matrix.by_rows ? rows : columns, length = matrix.by_rows ? columns : rows;
  for (int line = 0; line < lines && length > 0; ++line)
    act(line, std::size_t(line) * std::size_t(matrix.ld) * bytes_of(matrix.type), length);
}

// The numbers of a matrix, column by column, without gaps between the columns.
template <class T> std::vector<T> numbers(const CublasCall& call, const char* name, const MixedMatrix& matrix,
                                          int rows, int columns) {
  const u8* const at = located(call, name, matrix, rows, columns);
  const std::size_t size = bytes_of(matrix.type), height = std::size_t(std::max(rows, 0));
  std::vector<T> values(height * std::size_t(std::max(columns, 0)));
  if (!at) return values;
  for_each_line(matrix, rows, columns, [&](int line, std::size_t begin, int length) {
    call.reads(static_cast<const u8*>(matrix.pointer) + begin, std::size_t(length) * size);
    for (int k = 0; k < length; ++k) {
      const std::size_t i = std::size_t(matrix.by_rows ? line : k),
                        j = std::size_t(matrix.by_rows ? k : line);
      values[j * height + i] = T(read_number(at + begin + std::size_t(k) * size, matrix.type));
    }
  });
  return values;
}

// Writes such numbers to a matrix.
template <class T> void store(const CublasCall& call, const char* name, const MixedMatrix& matrix, int rows,
                              int columns, const std::vector<T>& values) {
  u8* const at = located(call, name, matrix, rows, columns);
  const std::size_t size = bytes_of(matrix.type), height = std::size_t(std::max(rows, 0));
  if (!at) return;
  for_each_line(matrix, rows, columns, [&](int line, std::size_t begin, int length) {
    for (int k = 0; k < length; ++k) {
      const std::size_t i = std::size_t(matrix.by_rows ? line : k),
                        j = std::size_t(matrix.by_rows ? k : line);
      write_number(at + begin + std::size_t(k) * size, matrix.type, double(values[j * height + i]));
    }
    call.written(static_cast<const u8*>(matrix.pointer) + begin, std::size_t(length) * size);
  });
}

// c = alpha op(a) op(b) + beta c, of matrices without gaps; op(a) is m × k.
template <class T> void multiply_dense(const CublasCall& call, cublasOperation_t opA, cublasOperation_t opB,
                                       int m, int n, int k, T alpha, const std::vector<T>& a,
                                       const std::vector<T>& b, T beta, std::vector<T>& c) {
  const int lda = std::max(1, opA == CUBLAS_OP_N ? m : k), ldb = std::max(1, opB == CUBLAS_OP_N ? k : n);
  call.blas<T>("gemm", letter_of(opA), letter_of(opB), &m, &n, &k, &alpha, a.data(), &lda, b.data(), &ldb,
               &beta, c.data(), &m);
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
