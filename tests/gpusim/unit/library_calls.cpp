// cuBLAS and cuRAND by their calls: handles and their settings, products of matrices and vectors small enough to be done by
// hand, what is refused. (Sizes, batches and mixed types: programs/cublas_*.cu, curand_host.cu.)
#include <cublas_v2.h>
#include <curand.h>
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "blas_handle.h"
#include "device_values.h"
#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

constexpr auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
constexpr auto kLower = CUBLAS_FILL_MODE_LOWER, kUpper = CUBLAS_FILL_MODE_UPPER;

}  // namespace

TEST_CASE_FIXTURE(Handle, "a handle of cuBLAS keeps what it is set to, and is one until it is destroyed") {
  if (!is_there) return;
  cublasHandle_t none = nullptr;
  cudaStream_t stream = nullptr, found_stream = nullptr;
  cublasPointerMode_t pointers;
  cublasMath_t math;
  cublasAtomicsMode_t atomics;
  int version = 0, part = 0;
  CHECK(cublasCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetStream(handle, &found_stream) == CUBLAS_STATUS_SUCCESS);
  CHECK(found_stream == stream);
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetPointerMode(handle, &pointers) == CUBLAS_STATUS_SUCCESS);
  CHECK(pointers == CUBLAS_POINTER_MODE_DEVICE);
  CHECK(cublasSetPointerMode(handle, cublasPointerMode_t(2)) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetMathMode(handle, &math) == CUBLAS_STATUS_SUCCESS);
  CHECK(math == CUBLAS_TF32_TENSOR_OP_MATH);
  CHECK(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetAtomicsMode(handle, &atomics) == CUBLAS_STATUS_SUCCESS);
  CHECK(atomics == CUBLAS_ATOMICS_ALLOWED);
  CHECK(cublasSetAtomicsMode(handle, cublasAtomicsMode_t(2)) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetWorkspace(handle, nullptr, 0) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetVersion(handle, &version) == CUBLAS_STATUS_SUCCESS);
  CHECK(version == CUBLAS_VERSION);
  CHECK(cublasGetVersion(handle, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetVersion(none, &version) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasGetProperty(MAJOR_VERSION, &part) == CUBLAS_STATUS_SUCCESS);
  CHECK(part == CUBLAS_VER_MAJOR);
  CHECK(cublasGetProperty(PATCH_LEVEL, &part) == CUBLAS_STATUS_SUCCESS);
  CHECK(part == CUBLAS_VER_PATCH);
  CHECK(cublasGetProperty(libraryPropertyType(9), &part) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetProperty(MAJOR_VERSION, nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(std::string(cublasGetStatusName(CUBLAS_STATUS_ALLOC_FAILED)) == "CUBLAS_STATUS_ALLOC_FAILED");
  CHECK(std::string(cublasGetStatusName(cublasStatus_t(99))) == "CUBLAS_STATUS_UNKNOWN");
  CHECK(std::string(cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED)) ==
        "the functionality is not supported");
  CHECK(std::string(cublasGetStatusString(cublasStatus_t(99))) == "unknown status");
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "vectors and matrices of cuBLAS are copied element by element and column by column") {
  const Floats host = {1, 2, 3, 4, 5, 6};
  float* const d = on_device(Floats(6, 0));
  CHECK(cublasSetVector(3, 4, host.data(), 2, d, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(d, 6) == Floats{1, 3, 5, 0, 0, 0});
  Floats back(6, 0);
  CHECK(cublasGetVector(2, 4, d, 1, back.data(), 3) == CUBLAS_STATUS_SUCCESS);
  CHECK(back == Floats{1, 0, 0, 3, 0, 0});
  CHECK(cublasSetVectorAsync(1, 4, host.data() + 5, 1, d + 5, 1, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetVectorAsync(1, 4, d + 5, 1, back.data(), 1, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(back[0] == 6);
  CHECK(cublasSetVector(-1, 4, host.data(), 1, d, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetVector(1, 0, host.data(), 1, d, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetVector(1, 4, host.data(), 0, d, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetVector(1, 4, d, 1, back.data(), 0) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetVector(7, 4, host.data(), 1, d, 1) == CUBLAS_STATUS_MAPPING_ERROR);  // d has six
  cudaGetLastError();
  // Two rows of the three of a matrix of two columns.
  CHECK(cublasSetMatrix(2, 2, 4, host.data(), 3, d, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(d, 4) == Floats{1, 2, 4, 5});
  back.assign(6, 0);
  CHECK(cublasGetMatrixAsync(2, 2, 4, d, 2, back.data(), 3, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(back == Floats{1, 2, 0, 4, 5, 0});
  CHECK(cublasSetMatrixAsync(1, 1, 4, host.data() + 5, 1, d, 1, nullptr) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetMatrix(1, 1, 4, d, 1, back.data(), 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(back[0] == 6);
  CHECK(cublasSetMatrix(3, 2, 4, host.data(), 2, d, 3) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetMatrix(3, 2, 4, host.data(), 3, d, 2) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetMatrix(-1, 2, 4, host.data(), 3, d, 3) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetMatrix(1, -1, 4, d, 3, back.data(), 3) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetMatrix(1, 1, 0, d, 3, back.data(), 3) == CUBLAS_STATUS_INVALID_VALUE);
}

TEST_CASE_FIXTURE(Handle,
                  "a matrix and vectors: products, triangular solutions, symmetric and rank-one updates") {
  if (!is_there) return;
  const float one = 1, two = 2, zero = 0;
  // Columns (1 2 3), (4 5 6): a matrix of 3 rows, 2 columns.
  float* const A = on_device(Floats{1, 2, 3, 4, 5, 6});
  float* const x = on_device(Floats{1, 10, 100});
  float* const y = on_device(Floats{1, 1, 1});
  CHECK(cublasSgemv(handle, N, 3, 2, &one, A, 3, x, 1, &two, y, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(y, 3) == Floats{43, 54, 65});
  CHECK(cublasSgemv(handle, T, 3, 2, &one, A, 3, x, 1, &zero, y, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(y, 3) == Floats{321, 54, 654});
  CHECK(cublasSgemv(handle, N, 3, 2, &one, A, 2, x, 1, &zero, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemv(handle, N, -1, 2, &one, A, 3, x, 1, &zero, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemv(handle, cublasOperation_t(7), 3, 2, &one, A, 3, x, 1, &zero, y, 1) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemv(handle, N, 3, 2, nullptr, A, 3, x, 1, &zero, y, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSgemv(handle, N, 0, 2, &one, A, 3, x, 1, &zero, y, 1) == CUBLAS_STATUS_SUCCESS);
  // ((2 0) (1 4)): lower triangle, by columns 2 1, 9 4; the 9 is not read.
  float* const L = on_device(Floats{2, 1, 9, 4});
  float* const v = on_device(Floats{3, 5});
  const auto diagonal = CUBLAS_DIAG_NON_UNIT;
  CHECK(cublasStrmv(handle, kLower, N, diagonal, 2, L, 2, v, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(v, 2) == Floats{6, 23});
  CHECK(cublasStrsv(handle, kLower, N, diagonal, 2, L, 2, v, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(v, 2) == Floats{3, 5});
  CHECK(cublasStrmv(handle, kLower, T, CUBLAS_DIAG_UNIT, 2, L, 2, v, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(v, 2) == Floats{8, 5});
  CHECK(cublasStrmv(handle, kLower, N, diagonal, 2, L, 1, v, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasStrmv(handle, cublasFillMode_t(7), N, diagonal, 2, L, 2, v, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasStrmv(handle, kLower, N, cublasDiagType_t(7), 2, L, 2, v, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasStrsv(handle, kLower, N, diagonal, 0, L, 1, v, 1) == CUBLAS_STATUS_SUCCESS);
  // ((2 1) (1 4)), of which the lower triangle is read.
  float* const w = on_device(Floats{1, 10});
  float* const s = on_device(Floats{100, 100});
  CHECK(cublasSsymv(handle, kLower, 2, &two, L, 2, w, 1, &one, s, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(s, 2) == Floats{124, 182});
  CHECK(cublasSsymv(handle, kLower, 2, &two, L, 1, w, 1, &one, s, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSsymv(handle, kLower, 0, &two, L, 1, w, 1, &one, s, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSsyr(handle, kUpper, 2, &one, w, 1, L, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(L, 4) == Floats{3, 1, 19, 104});  // the lower triangle stays
  CHECK(cublasSsyr(handle, kUpper, 2, &one, w, 0, L, 2) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSsyr(handle, kUpper, 0, &one, w, 1, L, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSger(handle, 2, 2, &one, w, 1, w, 1, L, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(L, 4) == Floats{4, 11, 29, 204});
  CHECK(cublasSger(handle, 2, 2, &one, w, 1, w, 1, L, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSger(handle, 2, 0, &one, w, 1, w, 1, L, 2) == CUBLAS_STATUS_SUCCESS);
  // alpha and beta in the device's memory.
  float* const scalars = on_device(Floats{3, 0});
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSgemv(handle, N, 3, 2, scalars, A, 3, x, 1, scalars + 1, y, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(y, 3) == Floats{123, 156, 189});
}

TEST_CASE_FIXTURE(Handle, "doubles and complex numbers have the same functions") {
  if (!is_there) return;
  const double one = 1, half = 0.5;
  double* const S = on_device(std::vector<double>{2, 1, 9, 4});
  double* const x = on_device(std::vector<double>{1, 10});
  double* const y = on_device(std::vector<double>{0, 2});
  CHECK(cublasDsymv(handle, kLower, 2, &one, S, 2, x, 1, &half, y, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(y, 2) == std::vector<double>{12, 42});
  CHECK(cublasDsyr(handle, kLower, 2, &one, x, 1, S, 2) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(S, 4) == std::vector<double>{3, 11, 9, 104});
  CHECK(cublasDger(handle, 1, 1, &half, x, 1, x, 1, S, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(S, 1) == std::vector<double>{3.5});
  // (1 + 2i) times itself, and times its conjugate.
  const cuComplex unit = {1, 0};
  cuComplex* const z = on_device(std::vector<cuComplex>{{1, 2}});
  cuComplex* const C = on_device(std::vector<cuComplex>{{0, 0}});
  CHECK(cublasCgeru(handle, 1, 1, &unit, z, 1, z, 1, C, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(C, 1)[0].x == -3);
  CHECK(from_device(C, 1)[0].y == 4);
  CHECK(cublasCgerc(handle, 1, 1, &unit, z, 1, z, 1, C, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(C, 1)[0].x == 2);
  CHECK(from_device(C, 1)[0].y == 4);
  const cuDoubleComplex unit_z = {1, 0}, none_z = {0, 0};
  cuDoubleComplex* const zz = on_device(std::vector<cuDoubleComplex>{{1, 2}});
  cuDoubleComplex* const Z = on_device(std::vector<cuDoubleComplex>{{0, 1}});
  cuDoubleComplex* const r = on_device(std::vector<cuDoubleComplex>{{7, 7}});
  CHECK(cublasZgemv(handle, CUBLAS_OP_C, 1, 1, &unit_z, Z, 1, zz, 1, &none_z, r, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(from_device(r, 1)[0].x == 2);  // -i (1 + 2i)
  CHECK(from_device(r, 1)[0].y == -1);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "generators of cuRAND: versions, settings, kinds that are there, and lengths that fit") {
  int version = 0, part = 0;
  CHECK(curandGetVersion(&version) == CURAND_STATUS_SUCCESS);
  CHECK(version == CURAND_VERSION);
  CHECK(curandGetVersion(nullptr) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGetProperty(MINOR_VERSION, &part) == CURAND_STATUS_SUCCESS);
  CHECK(part == CURAND_VER_MINOR);
  CHECK(curandGetProperty(libraryPropertyType(9), &part) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandGetProperty(MINOR_VERSION, nullptr) == CURAND_STATUS_OUT_OF_RANGE);
  curandGenerator_t generator = nullptr, none = nullptr;
  CHECK(curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_NOT_INITIALIZED);
  curandStatus_t status = CURAND_STATUS_SUCCESS;
  CHECK(said_by([&] { status = curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32); }) ==
        "gpusim: of cuRAND's generators, XORWOW, MRG32K3A and PHILOX4_32_10 are simulated: number " +
            std::to_string(CURAND_RNG_PSEUDO_MTGP32) + " is not\n");
  CHECK(status == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandDestroyGenerator(none) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandSetPseudoRandomGeneratorSeed(none, 1) == CURAND_STATUS_NOT_INITIALIZED);
  for (const curandRngType_t type :
       {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    REQUIRE(curandCreateGeneratorHost(&generator, type) == CURAND_STATUS_SUCCESS);
    CHECK(curandSetStream(generator, nullptr) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateSeeds(generator) == CURAND_STATUS_SUCCESS);
    std::array<float, 8> first, again;
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateUniform(generator, first.data(), 8) == CURAND_STATUS_SUCCESS);
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, 7) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerateUniform(generator, again.data(), 8) == CURAND_STATUS_SUCCESS);
    CHECK(first == again);
    for (const float each : first) CHECK((each > 0 && each <= 1));
    // Pairs: of an odd number only Philox gives some.
    const bool is_philox = type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    CHECK(curandGenerateNormal(generator, first.data(), 7, 0, 1) ==
          (is_philox ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LENGTH_NOT_MULTIPLE));
    CHECK(curandGenerateUniform(generator, first.data(), 0) == CURAND_STATUS_SUCCESS);
    CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
    CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_NOT_INITIALIZED);
  }
  // Into memory of the device that is too short.
  float* const d = on_device(Floats(4, 0));
  REQUIRE(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
  CHECK(said_by([&] {
          status = curandGenerateUniform(generator, d, 5);
        }).find("cuRAND was to write 20 bytes of random numbers, which are not all in device memory") !=
        std::string::npos);
  CHECK(status == CURAND_STATUS_LAUNCH_FAILURE);
  CHECK(curandGenerateUniform(generator, d, 4) == CURAND_STATUS_PREEXISTING_FAILURE);
  CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
}
// SPDX-License-Identifier: MIT
