// cuBLAS on matrices by its calls: products, triangular and Hermitian matrices, batches, numbers of several types, small
// enough to be done by hand, and what is refused. (Larger ones against written sums: programs/cublas_*.cu.)
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "blas_handle.h"
#include "device_values.h"
#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

constexpr auto N = CUBLAS_OP_N, T = CUBLAS_OP_T, H = CUBLAS_OP_C;
constexpr auto kLower = CUBLAS_FILL_MODE_LOWER, kUpper = CUBLAS_FILL_MODE_UPPER;
constexpr auto kLeft = CUBLAS_SIDE_LEFT, kRight = CUBLAS_SIDE_RIGHT;
constexpr auto kUnit = CUBLAS_DIAG_UNIT, kNotUnit = CUBLAS_DIAG_NON_UNIT;
constexpr auto kDone = CUBLAS_STATUS_SUCCESS;
constexpr auto kInvalid = CUBLAS_STATUS_INVALID_VALUE;

}  // namespace

TEST_CASE_FIXTURE(Handle,
                  "triangular products of matrices from either side, into another matrix or in place") {
  if (!is_there) return;
  const float one = 1, two = 2;
  // ((2 0) (1 4)) by columns; the 9 is not read. B = ((1 3) (2 4)).
  float* const A = on_device(Floats{2, 1, 9, 4});
  float* const B = on_device(Floats{1, 2, 3, 4});
  float* const C = on_device(Floats(6, 7));
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, 2, 2, &one, A, 2, B, 2, C, 3) == kDone);
  CHECK(parts<float>(C, 6) == Floats{2, 9, 7, 6, 19, 7});
  CHECK(cublasStrmm(handle, kRight, kLower, T, kUnit, 2, 2, &two, A, 2, B, 2, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{2, 4, 8, 12});  // B ((1 1) (0 1)), twice
  CHECK(parts<float>(B, 4) == Floats{1, 2, 3, 4});
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, 2, 2, &one, A, 2, B, 2, B, 2) == kDone);
  CHECK(parts<float>(B, 4) == Floats{2, 9, 6, 19});
  CHECK(cublasStrsm(handle, kLeft, kLower, N, kNotUnit, 2, 2, &one, A, 2, B, 2) == kDone);
  CHECK(parts<float>(B, 4) == Floats{1, 2, 3, 4});
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, -1, 2, &one, A, 2, B, 2, C, 2) == kInvalid);
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, 2, -1, &one, A, 2, B, 2, C, 2) == kInvalid);
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, 2, 2, &one, A, 1, B, 2, C, 2) == kInvalid);
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, 2, 2, &one, A, 2, B, 1, C, 2) == kInvalid);
  CHECK(cublasStrmm(handle, kLeft, kLower, N, kNotUnit, 0, 2, &one, A, 2, B, 2, C, 2) == kDone);
  CHECK(cublasStrsm(handle, kLeft, kLower, N, kNotUnit, -1, 2, &one, A, 2, B, 2) == kInvalid);
  CHECK(cublasStrsm(handle, kLeft, kLower, N, kNotUnit, 2, -1, &one, A, 2, B, 2) == kInvalid);
  CHECK(cublasStrsm(handle, cublasSideMode_t(7), kLower, N, kNotUnit, 2, 2, &one, A, 2, B, 2) == kInvalid);
  CHECK(cublasStrsm(handle, kLeft, kLower, N, kNotUnit, 2, 0, &one, A, 2, B, 2) == kDone);
  CHECK(cublasStrsm(handle, kLeft, kLower, N, kNotUnit, 2, 2, nullptr, A, 2, B, 2) == kInvalid);

  const double one_d = 1;
  double* const Ad = on_device(Doubles{2, 1, 9, 4});
  double* const Bd = on_device(Doubles{1, 2, 3, 4});
  CHECK(cublasDtrmm(handle, kLeft, kUpper, N, kNotUnit, 2, 2, &one_d, Ad, 2, Bd, 2, Bd, 2) == kDone);
  CHECK(parts<double>(Bd, 4) == Doubles{20, 8, 42, 16});
  const cuComplex one_c = {1, 0};
  cuComplex* const Ac = on_device(std::vector<cuComplex>{{0, 1}});
  cuComplex* const Bc = on_device(std::vector<cuComplex>{{1, 2}});
  cuComplex* const Cc = on_device(std::vector<cuComplex>(1));
  CHECK(cublasCtrmm(handle, kLeft, kUpper, H, kNotUnit, 1, 1, &one_c, Ac, 1, Bc, 1, Cc, 1) == kDone);
  CHECK(parts<float>(Cc, 1) == Floats{2, -1});  // -i (1 + 2i)
  const cuDoubleComplex one_z = {1, 0};
  cuDoubleComplex* const Az = on_device(std::vector<cuDoubleComplex>{{0, 1}});
  cuDoubleComplex* const Bz = on_device(std::vector<cuDoubleComplex>{{1, 2}});
  CHECK(cublasZtrmm(handle, kRight, kUpper, N, kNotUnit, 1, 1, &one_z, Az, 1, Bz, 1, Bz, 1) == kDone);
  CHECK(parts<double>(Bz, 1) == Doubles{-2, 1});
}

TEST_CASE_FIXTURE(Handle, "symmetric and Hermitian matrices: one triangle is read, or written") {
  if (!is_there) return;
  const float one = 1, zero = 0;
  float* const A = on_device(Floats{2, 1, 9, 4});  // ((2 1) (1 4))
  float* const B = on_device(Floats{1, 2, 3, 4});
  float* const C = on_device(Floats(4, 100));
  CHECK(cublasSsymm(handle, kLeft, kLower, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{4, 9, 10, 19});
  CHECK(cublasSsymm(handle, kRight, kLower, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{5, 8, 13, 18});
  CHECK(cublasSsymm(handle, kLeft, kLower, -1, 2, &one, A, 2, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSsymm(handle, kLeft, kLower, 2, -1, &one, A, 2, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSsymm(handle, kLeft, kLower, 2, 0, &one, A, 2, B, 2, &zero, C, 2) == kDone);
  CHECK(cublasSsymm(handle, cublasSideMode_t(7), kLower, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kInvalid);
  // B Bᵀ = ((10 14) (14 20)); Bᵀ B = ((5 11) (11 25))
  CHECK(cublasSsyrk(handle, kLower, N, 2, 2, &one, B, 2, &zero, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{10, 14, 13, 20});
  CHECK(cublasSsyrk(handle, kUpper, H, 2, 2, &one, B, 2, &zero, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{5, 14, 11, 25});
  CHECK(cublasSsyrk(handle, kLower, N, -1, 2, &one, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSsyrk(handle, kLower, N, 2, -1, &one, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSsyrk(handle, kLower, N, 0, 2, &one, B, 2, &zero, C, 2) == kDone);
  // ((1 -i) (i 2)), of which the lower triangle is given: times (1, i).
  const cuComplex one_c = {1, 0}, zero_c = {0, 0};
  cuComplex* const Hc = on_device(std::vector<cuComplex>{{1, 0}, {0, 1}, {9, 9}, {2, 0}});
  cuComplex* const x = on_device(std::vector<cuComplex>{{1, 0}, {0, 1}});
  cuComplex* const y = on_device(std::vector<cuComplex>(4));
  CHECK(cublasChemm(handle, kLeft, kLower, 2, 1, &one_c, Hc, 2, x, 2, &zero_c, y, 2) == kDone);
  CHECK(parts<float>(y, 2) == Floats{2, 0, 0, 3});
  // x xᴴ = ((1 -i) (i 1))
  CHECK(cublasCherk(handle, kLower, N, 2, 1, &one, x, 2, &zero, y, 2) == kDone);
  CHECK(parts<float>(y, 2) == Floats{1, 0, 0, 1});
  CHECK(parts<float>(y + 3, 1) == Floats{1, 0});
  const double one_d = 1, zero_d = 0;
  const cuDoubleComplex one_z = {1, 0}, zero_z = {0, 0};
  cuDoubleComplex* const Hz = on_device(std::vector<cuDoubleComplex>{{1, 0}, {9, 9}, {0, -1}, {2, 0}});
  cuDoubleComplex* const xz = on_device(std::vector<cuDoubleComplex>{{1, 0}, {0, 1}});
  cuDoubleComplex* const yz = on_device(std::vector<cuDoubleComplex>(4));
  CHECK(cublasZhemm(handle, kLeft, kUpper, 2, 1, &one_z, Hz, 2, xz, 2, &zero_z, yz, 2) == kDone);
  CHECK(parts<double>(yz, 2) == Doubles{2, 0, 0, 3});
  CHECK(cublasZherk(handle, kUpper, H, 1, 2, &one_d, xz, 2, &zero_d, yz, 1) == kDone);
  CHECK(parts<double>(yz, 1) == Doubles{2, 0});
}

TEST_CASE_FIXTURE(Handle, "sums of matrices, and rows or columns times numbers") {
  if (!is_there) return;
  const float one = 1, ten = 10, zero = 0;
  float* const A = on_device(Floats{1, 2, 3, 4, 5, 6});  // 3 rows, 2 columns
  float* const B = on_device(Floats{1, 1, 2, 2, 3, 3});  // 2 rows, 3 columns
  float* const C = on_device(Floats(6, 0));
  CHECK(cublasSgeam(handle, N, T, 3, 2, &ten, A, 3, &one, B, 2, C, 3) == kDone);
  CHECK(parts<float>(C, 6) == Floats{11, 22, 33, 41, 52, 63});
  CHECK(cublasSgeam(handle, T, N, 2, 3, &one, A, 3, &zero, nullptr, 2, C, 2) == kDone);
  CHECK(parts<float>(C, 6) == Floats{1, 4, 2, 5, 3, 6});
  CHECK(cublasSgeam(handle, N, N, 2, 3, &zero, nullptr, 2, &ten, B, 2, C, 2) == kDone);
  CHECK(parts<float>(C, 6) == Floats{10, 10, 20, 20, 30, 30});
  // In place, where it is neither transposed nor of other rows.
  CHECK(cublasSgeam(handle, N, N, 2, 3, &one, C, 2, &one, C, 2, C, 2) == kDone);
  CHECK(parts<float>(C, 6) == Floats{20, 20, 40, 40, 60, 60});
  CHECK(cublasSgeam(handle, T, N, 2, 2, &one, C, 2, &one, B, 2, C, 2) == kInvalid);
  CHECK(cublasSgeam(handle, N, N, 2, 2, &one, C, 3, &one, B, 2, C, 2) == kInvalid);
  CHECK(cublasSgeam(handle, N, T, 2, 2, &one, B, 2, &one, C, 2, C, 2) == kInvalid);
  CHECK(cublasSgeam(handle, N, N, 2, 2, &one, B, 2, &one, C, 3, C, 2) == kInvalid);
  CHECK(cublasSgeam(handle, N, N, -1, 2, &one, A, 2, &one, B, 2, C, 2) == kInvalid);
  CHECK(cublasSgeam(handle, N, N, 2, -1, &one, A, 2, &one, B, 2, C, 2) == kInvalid);
  CHECK(cublasSgeam(handle, N, N, 2, 0, &one, A, 2, &one, B, 2, C, 2) == kDone);
  float* const x = on_device(Floats{1, 10, 100});
  CHECK(cublasSdgmm(handle, kLeft, 3, 2, A, 3, x, 1, C, 3) == kDone);
  CHECK(parts<float>(C, 6) == Floats{1, 20, 300, 4, 50, 600});
  CHECK(cublasSdgmm(handle, kLeft, 3, 2, A, 3, x, -1, C, 3) == kDone);
  CHECK(parts<float>(C, 6) == Floats{100, 20, 3, 400, 50, 6});
  CHECK(cublasSdgmm(handle, kRight, 3, 2, A, 3, x, 2, C, 3) == kDone);
  CHECK(parts<float>(C, 6) == Floats{1, 2, 3, 400, 500, 600});
  CHECK(cublasSdgmm(handle, kRight, -1, 2, A, 3, x, 1, C, 3) == kInvalid);
  CHECK(cublasSdgmm(handle, kRight, 3, -1, A, 3, x, 1, C, 3) == kInvalid);
  CHECK(cublasSdgmm(handle, kRight, 3, 0, A, 3, x, 1, C, 3) == kDone);
  const cuComplex one_c = {1, 0}, zero_c = {0, 0};
  cuComplex* const z = on_device(std::vector<cuComplex>{{1, 2}});
  cuComplex* const w = on_device(std::vector<cuComplex>(1));
  CHECK(cublasCgeam(handle, H, N, 1, 1, &one_c, z, 1, &zero_c, z, 1, w, 1) == kDone);
  CHECK(parts<float>(w, 1) == Floats{1, -2});
  CHECK(cublasCgeam(handle, T, N, 1, 1, &one_c, z, 1, &one_c, z, 1, w, 1) == kDone);
  CHECK(parts<float>(w, 1) == Floats{2, 4});
  CHECK(cublasCdgmm(handle, kLeft, 1, 1, z, 1, z, 1, w, 1) == kDone);
  CHECK(parts<float>(w, 1) == Floats{-3, 4});
}

TEST_CASE_FIXTURE(Handle, "products one by one and in batches, and which sizes are none") {
  if (!is_there) return;
  const float one = 1, zero = 0;
  float* const A = on_device(Floats{1, 2, 3, 4});  // ((1 3) (2 4))
  float* const B = on_device(Floats{0, 1, 1, 0});
  float* const C = on_device(Floats(8, 0));
  CHECK(cublasSgemm(handle, N, N, 2, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{3, 4, 1, 2});
  CHECK(cublasSgemm(handle, T, T, 2, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kDone);
  CHECK(parts<float>(C, 4) == Floats{2, 4, 1, 3});
  CHECK(cublasSgemm(handle, N, N, -1, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSgemm(handle, N, N, 2, -1, 2, &one, A, 2, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSgemm(handle, N, N, 2, 2, -1, &one, A, 2, B, 2, &zero, C, 2) == kInvalid);
  CHECK(cublasSgemm(handle, N, N, 0, 2, 2, &one, A, 2, B, 2, &zero, C, 2) == kDone);
  float* const* const a = on_device(std::vector<float*>{A, B});
  float* const* const b = on_device(std::vector<float*>{B, B});
  float* const* const c = on_device(std::vector<float*>{C, C + 4});
  CHECK(cublasSgemmBatched(handle, N, N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2, 2) == kDone);
  CHECK(parts<float>(C, 8) == Floats{3, 4, 1, 2, 1, 0, 0, 1});
  CHECK(cublasSgemmBatched(handle, N, N, 2, 2, 2, &one, a, 2, b, 2, &zero, c, 2, -1) == kInvalid);
  CHECK(cublasSgemmBatched(handle, N, N, 2, 2, 2, &one, nullptr, 2, nullptr, 2, &zero, nullptr, 2, 0) ==
        kDone);
  CHECK(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, A, 2, 0, B, 2, 0, &one, C, 2, 4, 2) == kDone);
  CHECK(parts<float>(C, 8) == Floats{6, 8, 2, 4, 4, 4, 1, 3});
  CHECK(cublasSgemmStridedBatched(handle, N, N, 2, 2, 2, &one, A, 2, 0, B, 2, 0, &one, C, 2, 4, -1) ==
        kInvalid);
  // The other types: 2 · 3, (1 + i)(1 - i) and (1 + i)².
  const double one_d = 1, zero_d = 0;
  double* const D = on_device(Doubles{2, 3, 0});
  double* const* const d = on_device(std::vector<double*>{D, D + 1, D + 2});
  CHECK(cublasDgemmBatched(handle, N, N, 1, 1, 1, &one_d, d, 1, d + 1, 1, &zero_d, d + 2, 1, 1) == kDone);
  CHECK(parts<double>(D, 3) == Doubles{2, 3, 6});
  CHECK(cublasDgemmBatched(handle, N, N, 1, 1, 1, &one_d, d, 1, d, 1, &zero_d, d, 1, 0) == kDone);
  const cuComplex one_c = {1, 0}, zero_c = {0, 0};
  cuComplex* const Z = on_device(std::vector<cuComplex>{{1, 1}, {0, 0}});
  cuComplex* const* const z = on_device(std::vector<cuComplex*>{Z, Z + 1});
  CHECK(cublasCgemmBatched(handle, N, H, 1, 1, 1, &one_c, z, 1, z, 1, &zero_c, z + 1, 1, 1) == kDone);
  CHECK(parts<float>(Z, 2) == Floats{1, 1, 2, 0});
  CHECK(cublasCgemmBatched(handle, N, N, 1, 1, 1, &one_c, z, 1, z, 1, &zero_c, z, 1, 0) == kDone);
  const cuDoubleComplex one_z = {1, 0}, zero_z = {0, 0};
  cuDoubleComplex* const Y = on_device(std::vector<cuDoubleComplex>{{1, 1}, {0, 0}});
  cuDoubleComplex* const* const y = on_device(std::vector<cuDoubleComplex*>{Y, Y + 1});
  CHECK(cublasZgemmBatched(handle, N, T, 1, 1, 1, &one_z, y, 1, y, 1, &zero_z, y + 1, 1, 1) == kDone);
  CHECK(parts<double>(Y, 2) == Doubles{1, 1, 0, 2});
  CHECK(cublasZgemmBatched(handle, N, N, 1, 1, 1, &one_z, y, 1, y, 1, &zero_z, y, 1, 0) == kDone);
}

TEST_CASE_FIXTURE(Handle,
                  "products of bytes, halves, integers and doubles, each with scalars of its own type") {
  if (!is_there) return;
  const auto any = CUBLAS_GEMM_DEFAULT;
  const int32_t one_i = 1, zero_i = 0;
  const float one = 1, zero = 0, hundred = 100;
  const double one_d = 1, zero_d = 0;
  const uint16_t half_one = 0x3c00, half_zero = 0;
  // 1 row times 1 column of 3: 1·4 - 2·5 + 3·6 = 12
  int8_t* const a8 = on_device(std::vector<int8_t>{1, -2, 3});
  int8_t* const b8 = on_device(std::vector<int8_t>{4, 5, 6});
  int32_t* const c32 = on_device(std::vector<int32_t>{7});
  const auto product = [&](const void* alpha, const void* A, cudaDataType type_A, const void* B,
                           cudaDataType type_B, const void* beta, void* C, cudaDataType type_C,
                           cublasComputeType_t computed) {
    return cublasGemmEx(handle, N, N, 1, 1, 3, alpha, A, type_A, 1, B, type_B, 3, beta, C, type_C, 1,
                        computed, any);
  };
  for (const auto computed : {CUBLAS_COMPUTE_32I, CUBLAS_COMPUTE_32I_PEDANTIC})
    CHECK(product(&one_i, a8, CUDA_R_8I, b8, CUDA_R_8I, &zero_i, c32, CUDA_R_32I, computed) == kDone);
  CHECK(parts<int32_t>(c32, 1) == std::vector<int32_t>{12});
  // Unsigned bytes: 255, 1 and 2 as rows; a sum of 300 in a byte is the greatest byte.
  uint8_t* const u8s = on_device(std::vector<uint8_t>{255, 1, 2});
  float* const c = on_device(Floats{0});
  CHECK(product(&one, u8s, CUDA_R_8U, b8, CUDA_R_8I, &zero, c, CUDA_R_32F, CUBLAS_COMPUTE_32F) == kDone);
  CHECK(parts<float>(c, 1) == Floats{255 * 4 + 5 + 12});
  int8_t* const c8 = on_device(std::vector<int8_t>{0});
  CHECK(product(&one, a8, CUDA_R_8I, b8, CUDA_R_8I, &zero, c8, CUDA_R_8I, CUBLAS_COMPUTE_32F_PEDANTIC) ==
        kDone);
  CHECK(parts<int8_t>(c8, 1) == std::vector<int8_t>{12});
  CHECK(product(&hundred, a8, CUDA_R_8I, b8, CUDA_R_8I, &zero, c8, CUDA_R_8I, CUBLAS_COMPUTE_32F) == kDone);
  CHECK(parts<int8_t>(c8, 1) == std::vector<int8_t>{127});
  // Halves 1, 2, 3 times bfloats 1, 0.5, 4: 1 + 1 + 12 = 14, which is 0x4b00 and 0x4160.
  uint16_t* const halves = on_device(std::vector<uint16_t>{0x3c00, 0x4000, 0x4200});
  uint16_t* const brains = on_device(std::vector<uint16_t>{0x3f80, 0x3f00, 0x4080});
  uint16_t* const c16 = on_device(std::vector<uint16_t>{0});
  for (const auto computed :
       {CUBLAS_COMPUTE_32F_FAST_16F, CUBLAS_COMPUTE_32F_FAST_16BF, CUBLAS_COMPUTE_32F_FAST_TF32}) {
    CHECK(product(&one, halves, CUDA_R_16F, brains, CUDA_R_16BF, &zero, c16, CUDA_R_16F, computed) == kDone);
    CHECK(parts<uint16_t>(c16, 1) == std::vector<uint16_t>{0x4b00});
  }
  for (const auto computed : {CUBLAS_COMPUTE_16F, CUBLAS_COMPUTE_16F_PEDANTIC}) {
    CHECK(product(&half_one, halves, CUDA_R_16F, brains, CUDA_R_16BF, &half_zero, c16, CUDA_R_16BF,
                  computed) == kDone);
    CHECK(parts<uint16_t>(c16, 1) == std::vector<uint16_t>{0x4160});
  }
  double* const d = on_device(Doubles{1, 2, 3});
  double* const cd = on_device(Doubles{0});
  for (const auto computed : {CUBLAS_COMPUTE_64F, CUBLAS_COMPUTE_64F_PEDANTIC})
    CHECK(product(&one_d, d, CUDA_R_64F, d, CUDA_R_64F, &zero_d, cd, CUDA_R_64F, computed) == kDone);
  CHECK(parts<double>(cd, 1) == Doubles{14});
  int32_t* const i32 = on_device(std::vector<int32_t>{1, 2, 3});
  CHECK(product(&one, i32, CUDA_R_32I, b8, CUDA_R_8I, &zero, c, CUDA_R_32F, CUBLAS_COMPUTE_32F) == kDone);
  CHECK(parts<float>(c, 1) == Floats{32});
  // What there is not.
  CHECK(product(&one, d, CUDA_C_32F, d, CUDA_R_32F, &zero, c, CUDA_R_32F, CUBLAS_COMPUTE_32F) ==
        CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(product(&one, d, CUDA_R_32F, d, CUDA_R_32F, &zero, c, CUDA_R_32F, cublasComputeType_t(1)) ==
        CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK(product(nullptr, d, CUDA_R_32F, d, CUDA_R_32F, &zero, c, CUDA_R_32F, CUBLAS_COMPUTE_32F) == kInvalid);
  const auto sized = [&](int m, int n, int k, int lda, cublasOperation_t opA, cublasOperation_t opB) {
    return cublasSgemmEx(handle, opA, opB, m, n, k, &one, u8s, CUDA_R_8U, lda, b8, CUDA_R_8I, 3, &zero, c,
                         CUDA_R_32F, 1);
  };
  CHECK(sized(1, 1, 3, 1, N, N) == kDone);
  CHECK(parts<float>(c, 1) == Floats{1037});
  CHECK(sized(1, 1, 3, 3, T, N) == kDone);
  CHECK(sized(1, 1, 1, 1, N, T) == kDone);
  CHECK(parts<float>(c, 1) == Floats{1020});
  CHECK(sized(-1, 1, 3, 1, N, N) == kInvalid);
  CHECK(sized(1, -1, 3, 1, N, N) == kInvalid);
  CHECK(sized(1, 1, -1, 1, N, N) == kInvalid);
  CHECK(sized(1, 1, 3, 2, T, N) == kInvalid);
  CHECK(sized(0, 1, 3, 1, N, N) == kDone);
  CHECK(sized(1, 0, 3, 1, N, N) == kDone);
  CHECK(sized(1, 1, 0, 1, N, N) == kDone);
  CHECK(parts<float>(c, 1) == Floats{0});  // an empty sum
  // In batches, and of halves alone.
  void* const* const as = on_device(std::vector<void*>{u8s, u8s + 1});
  void* const* const bs = on_device(std::vector<void*>{b8, b8 + 1});
  float* const c2 = on_device(Floats{0, 0});
  void* const* const cs = on_device(std::vector<void*>{c2, c2 + 1});
  const auto batch = [&](int count) {
    return cublasGemmBatchedEx(handle, N, N, 1, 1, 1, &one, as, CUDA_R_8U, 1, bs, CUDA_R_8I, 1, &zero, cs,
                               CUDA_R_32F, 1, count, CUBLAS_COMPUTE_32F, any);
  };
  CHECK(batch(-1) == kInvalid);
  CHECK(batch(0) == kDone);
  CHECK(parts<float>(c2, 2) == Floats{0, 0});
  CHECK(batch(2) == kDone);
  CHECK(parts<float>(c2, 2) == Floats{1020, 5});
  const auto strided = [&](int count) {
    return cublasGemmStridedBatchedEx(handle, N, N, 1, 1, 1, &one, u8s, CUDA_R_8U, 1, 2, b8, CUDA_R_8I, 1, 1,
                                      &zero, c2, CUDA_R_32F, 1, 1, count, CUBLAS_COMPUTE_32F, any);
  };
  CHECK(strided(-1) == kInvalid);
  CHECK(strided(2) == kDone);
  CHECK(parts<float>(c2, 2) == Floats{1020, 10});
  const __half* const one_h = reinterpret_cast<const __half*>(&half_one);
  const __half* const zero_h = reinterpret_cast<const __half*>(&half_zero);
  const __half* const in = reinterpret_cast<const __half*>(halves);
  __half* const out = reinterpret_cast<__half*>(c16);
  CHECK(cublasHgemm(handle, N, N, 1, 1, 3, one_h, in, 1, in, 3, zero_h, out, 1) == kDone);
  CHECK(parts<uint16_t>(c16, 1) == std::vector<uint16_t>{0x4b00});  // 1 + 4 + 9
  CHECK(cublasHgemmStridedBatched(handle, N, N, 1, 1, 1, one_h, in, 1, 0, in + 1, 1, 0, zero_h, out, 1, 0,
                                  1) == kDone);
  CHECK(parts<uint16_t>(c16, 1) == std::vector<uint16_t>{0x4000});
  CHECK(cublasHgemmStridedBatched(handle, N, N, 1, 1, 1, one_h, in, 1, 0, in, 1, 0, zero_h, out, 1, 0, -1) ==
        kInvalid);
  // Scalars in the device's memory.
  float* const scalars = on_device(Floats{2, 0});
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == kDone);
  CHECK(product(scalars, u8s, CUDA_R_8U, b8, CUDA_R_8I, scalars + 1, c, CUDA_R_32F, CUBLAS_COMPUTE_32F) ==
        kDone);
  CHECK(parts<float>(c, 1) == Floats{2074});
}
// SPDX-License-Identifier: MIT
