// How the numbers of mixed matrices lie in memory.
#include "libraries/mixed_matrices.h"

#include <cmath>
#include <cstring>

#include "lanes/half.h"

namespace gpusim::libraries {
namespace {

template <class T> T read_as(const u8* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

template <class T> void write_as(u8* bytes, T value) { std::memcpy(bytes, &value, sizeof value); }

}  // namespace

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

double read_scalar(const CublasCall& call, const char* name, const void* pointer, cudaDataType type) {
  call.want(pointer != nullptr);
  const void* const at = call.on_host() ? pointer : call.bytes(name, pointer, bytes_of(type));
  return read_number(static_cast<const u8*>(at), type);
}

u8* located(const CublasCall& call, const char* name, const MixedMatrix& matrix, int rows, int columns) {
  const int length = matrix.by_rows ? columns : rows, lines = matrix.by_rows ? rows : columns;
  call.want(matrix.ld >= std::max(1, length));
  if (rows <= 0 || columns <= 0) return nullptr;
  const std::size_t elements =
      extent_of_rows(std::size_t(matrix.ld), std::size_t(length), std::size_t(lines));
  return static_cast<u8*>(call.bytes(name, matrix.pointer, times(elements, bytes_of(matrix.type))));
}

MixedMatrix moved(const MixedMatrix& matrix, long long stride, int i) {
  MixedMatrix found = matrix;
  found.pointer = moved_bytes(matrix.pointer, u64(stride) * bytes_of(matrix.type), i);
  return found;
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
