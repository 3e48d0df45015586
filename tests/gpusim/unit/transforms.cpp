// cuFFT by its calls: plans and what they refuse, and transforms short enough to be done by hand. (Lengths, dimensions and
// types against written sums: programs/cufft_transforms.cu.)
#include <cufft.h>
#include <cufftXt.h>
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "device_values.h"
#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

struct Transforms : FreshDevice {
  bool is_there = false;

  Transforms() {
    cufftHandle plan = 0;
    is_there = cufftPlan1d(&plan, 2, CUFFT_C2C, 1) == CUFFT_SUCCESS;
    if (is_there) CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
    else MESSAGE("skipped: FFTW is not installed (apt-get install libfftw3-double3)");
  }
};

}  // namespace

TEST_CASE_FIXTURE(Transforms, "a plan is made once, of lengths, types and layouts that there are") {
  if (!is_there) return;
  cufftHandle plan = -7;
  size_t bytes = 99;
  int n[] = {2, 3}, embed[] = {2, 3}, none[] = {1, 0};
  long long n64[] = {4, 4, 4, 4}, too_long[] = {0x80000000ll}, wide[] = {1, 0x80000000ll};
  CHECK(cufftCreate(nullptr) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlan1d(nullptr, 8, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlan1d(&plan, 8, cufftType(1), 1) == CUFFT_INVALID_TYPE);
  CHECK(cufftPlan1d(&plan, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan1d(&plan, 8, CUFFT_C2C, 0) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan2d(&plan, 8, -1, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan3d(&plan, 8, 8, 0, CUFFT_R2C) == CUFFT_INVALID_SIZE);
  CHECK(cufftPlan3d(&plan, 1 << 30, 1 << 30, 1 << 30, CUFFT_C2C) == CUFFT_INVALID_SIZE);
  CHECK(plan == -7);  // not touched by what failed

  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);  // not made yet
  CHECK(cufftMakePlanMany64(plan, 0, n64, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_VALUE);
  CHECK(cufftMakePlanMany64(plan, 4, n64, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_VALUE);
  CHECK(cufftMakePlanMany64(plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_VALUE);
  CHECK(cufftMakePlanMany64(plan, 1, too_long, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_SIZE);
  CHECK(cufftMakePlanMany(plan, 0, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_VALUE);
  CHECK(cufftMakePlanMany(plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_VALUE);
  CHECK(cufftMakePlanMany(plan, 2, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes) ==
        CUFFT_INVALID_VALUE);
  // Strides, distances and rows of either side.
  const auto many = [&](int* in, int istride, int idist, int* out, int ostride, int odist) {
    return cufftMakePlanMany(plan, 2, n, in, istride, idist, out, ostride, odist, CUFFT_C2C, 1, &bytes);
  };
  CHECK(many(embed, 0, 6, embed, 1, 6) == CUFFT_INVALID_VALUE);
  CHECK(many(embed, 1, -1, embed, 1, 6) == CUFFT_INVALID_VALUE);
  CHECK(many(embed, 1, 6, embed, 0, 6) == CUFFT_INVALID_VALUE);
  CHECK(many(none, 1, 6, embed, 1, 6) == CUFFT_INVALID_VALUE);
  CHECK(many(embed, 1, 6, none, 1, 6) == CUFFT_INVALID_VALUE);
  const auto many64 = [&](long long* in, long long istride, long long idist) {
    return cufftMakePlanMany64(plan, 2, n64, in, istride, idist, n64, 1, 16, CUFFT_C2C, 1, &bytes);
  };
  CHECK(many64(n64, 0x80000000ll, 16) == CUFFT_INVALID_VALUE);
  CHECK(many64(n64, 1, (1ll << 36) + 1) == CUFFT_INVALID_VALUE);
  CHECK(many64(wide, 1, 16) == CUFFT_INVALID_VALUE);
  CHECK(bytes == 99);
  CHECK(many(embed, 1, 6, embed, 1, 6) == CUFFT_SUCCESS);
  CHECK(bytes == 0);
  CHECK(many(embed, 1, 6, embed, 1, 6) == CUFFT_INVALID_PLAN);  // made already
  CHECK(cufftMakePlan1d(plan, 8, CUFFT_C2C, 1, nullptr) == CUFFT_INVALID_PLAN);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(plan) == CUFFT_INVALID_PLAN);
  CHECK(cufftXtExec(plan, nullptr, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);
  CHECK(cufftMakePlan2d(plan, 8, 8, CUFFT_C2C, &bytes) == CUFFT_INVALID_PLAN);
  CHECK(cufftPlanMany(nullptr, 2, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  CHECK(cufftPlanMany(&plan, 2, n, none, 1, 6, embed, 1, 6, CUFFT_C2C, 1) == CUFFT_INVALID_VALUE);
  // Either side without rows: both are packed.
  for (const bool of_input : {true, false}) {
    REQUIRE(cufftPlanMany(&plan, 2, n, of_input ? none : nullptr, 0, 0, of_input ? nullptr : none, 0, 0,
                          CUFFT_C2C, 1) == CUFFT_SUCCESS);
    CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  }
}

TEST_CASE_FIXTURE(Transforms, "sums and differences: transforms of two numbers, of each type") {
  if (!is_there) return;
  cufftHandle plan = 0;
  auto* const c = on_device(std::vector<cufftComplex>{{1, 2}, {3, 5}});
  auto* const r = on_device(Floats{5, 3, 0, 0});
  auto* const z = on_device(std::vector<cufftDoubleComplex>{{1, 2}, {3, 5}});
  auto* const d = on_device(Doubles{5, 3, 0, 0});
  auto* const c_out = on_device(std::vector<cufftComplex>(2));
  auto* const z_out = on_device(std::vector<cufftDoubleComplex>(2));

  REQUIRE(cufftPlan1d(&plan, 2, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, c, c_out, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(parts<float>(c_out, 2) == Floats{4, 7, -2, -3});
  CHECK(cufftXtExec(plan, c_out, c, CUFFT_INVERSE) == CUFFT_SUCCESS);
  CHECK(parts<float>(c, 2) == Floats{2, 4, 6, 10});  // twice what it was: nothing is divided
  CHECK(cufftExecC2C(plan, c, c_out, 0) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(plan, nullptr, c_out, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecC2C(plan, c, nullptr, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);
  CHECK(cufftExecZ2Z(plan, z, z_out, CUFFT_FORWARD) == CUFFT_INVALID_VALUE);  // of another type
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, c, c_out, CUFFT_FORWARD) == CUFFT_INVALID_PLAN);

  REQUIRE(cufftPlan1d(&plan, 2, CUFFT_R2C, 1) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(plan, r, c_out, CUFFT_INVERSE) == CUFFT_SUCCESS);  // the type says which way
  CHECK(parts<float>(c_out, 2) == Floats{8, 0, 2, 0});
  CHECK(cufftExecR2C(plan, r, reinterpret_cast<cufftComplex*>(r)) == CUFFT_SUCCESS);
  CHECK(parts<float>(r, 4) == Floats{8, 0, 2, 0});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan1d(&plan, 2, CUFFT_C2R, 1) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(plan, c_out, r, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(parts<float>(r, 2) == Floats{10, 6});
  CHECK(cufftExecC2R(plan, c_out, reinterpret_cast<float*>(c_out)) == CUFFT_SUCCESS);
  CHECK(parts<float>(c_out, 1) == Floats{10, 6});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);

  REQUIRE(cufftPlan1d(&plan, 2, CUFFT_Z2Z, 1) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(plan, z, z_out, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(parts<double>(z_out, 2) == Doubles{4, 7, -2, -3});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan1d(&plan, 2, CUFFT_D2Z, 1) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(plan, d, z_out, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(parts<double>(z_out, 2) == Doubles{8, 0, 2, 0});
  CHECK(cufftExecD2Z(plan, d, reinterpret_cast<cufftDoubleComplex*>(d)) == CUFFT_SUCCESS);
  CHECK(parts<double>(d, 4) == Doubles{8, 0, 2, 0});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  REQUIRE(cufftPlan1d(&plan, 2, CUFFT_Z2D, 1) == CUFFT_SUCCESS);
  CHECK(cufftXtExec(plan, z_out, d, CUFFT_INVERSE) == CUFFT_SUCCESS);
  CHECK(parts<double>(d, 2) == Doubles{10, 6});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}

TEST_CASE_FIXTURE(Transforms, "columns that lie in a matrix are transformed where they are") {
  if (!is_there) return;
  cufftHandle plan = 0;
  // Two transforms of two numbers each, which are three elements apart; the transforms begin side by side.
  int n[] = {2}, embed[] = {2};
  auto* const in = on_device(std::vector<cufftComplex>{{1, 0}, {10, 0}, {7, 7}, {3, 0}, {30, 0}});
  auto* const out = on_device(std::vector<cufftComplex>(4));
  REQUIRE(cufftPlanMany(&plan, 1, n, embed, 3, 1, embed, 1, 2, CUFFT_C2C, 2) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, in, out, CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(parts<float>(out, 4) == Floats{4, 0, -2, 0, 40, 0, -20, 0});
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  // Three dimensions in rows that are longer: a one in the corner has the transform of ones.
  long long n3[] = {2, 2, 2}, embed3[] = {2, 3, 4};
  std::vector<cufftDoubleComplex> corner(24);
  corner[0] = {1, 0};
  auto* const cube = on_device(corner);
  auto* const cube_out = on_device(std::vector<cufftDoubleComplex>(8));
  size_t bytes = 1;
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  CHECK(cufftXtMakePlanMany(plan, 3, n3, embed3, 1, 24, CUDA_C_64F, n3, 1, 8, CUDA_C_64F, 1, &bytes,
                            CUDA_C_64F) == CUFFT_SUCCESS);
  CHECK(bytes == 0);
  CHECK(cufftExecZ2Z(plan, cube, cube_out, CUFFT_FORWARD) == CUFFT_SUCCESS);
  Doubles ones;
  for (int i = 0; i < 8; ++i) ones.insert(ones.end(), {1, 0});
  CHECK(parts<double>(cube_out, 8) == ones);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
  // What is not simulated.
  REQUIRE(cufftCreate(&plan) == CUFFT_SUCCESS);
  cufftResult result = CUFFT_SUCCESS;
  CHECK(said_by([&] {
          result = cufftXtMakePlanMany(plan, 1, n3, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F, 1,
                                       &bytes, CUDA_C_16F);
        }) ==
        "gpusim: of cuFFT's types, float and double are simulated: half precision and mixtures are not\n");
  CHECK(result == CUFFT_NOT_SUPPORTED);
  for (const auto& [from, to, computed] :
       {std::array{CUDA_C_32F, CUDA_C_32F, CUDA_C_64F}, std::array{CUDA_C_32F, CUDA_C_64F, CUDA_C_64F},
        std::array{CUDA_R_32F, CUDA_R_32F, CUDA_C_32F}})
    CHECK(cufftXtMakePlanMany(plan, 1, n3, nullptr, 1, 0, from, nullptr, 1, 0, to, 1, &bytes, computed) ==
          CUFFT_NOT_SUPPORTED);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}

TEST_CASE_FIXTURE(Transforms, "an input that is too short is a fault of the device, which stays") {
  if (!is_there) return;
  cufftHandle plan = 0;
  auto* const little = on_device(std::vector<cufftComplex>(4));
  auto* const enough = on_device(std::vector<cufftComplex>(8));
  REQUIRE(cufftPlan1d(&plan, 8, CUFFT_C2C, 1) == CUFFT_SUCCESS);
  cufftResult result = CUFFT_SUCCESS;
  CHECK(said_by([&] {
          result = cufftExecC2C(plan, little, enough, CUFFT_FORWARD);
        }).find("cuFFT: the input is of 64 bytes, which are not all in device memory") != std::string::npos);
  CHECK(result == CUFFT_EXEC_FAILED);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cufftExecC2C(plan, enough, enough, CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  CHECK(cufftDestroy(plan) == CUFFT_SUCCESS);
}
// SPDX-License-Identifier: MIT
