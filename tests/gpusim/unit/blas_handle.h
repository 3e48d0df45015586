// A handle of cuBLAS for each test case, if there is a library behind it.
#pragma once

#include <cublas_v2.h>
#include <doctest/doctest.h>

#include "runtime_module.h"

namespace runtime_test {

struct Handle : FreshDevice {
  cublasHandle_t handle = nullptr;
  bool is_there = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;

  Handle() {
    if (!is_there) MESSAGE("skipped: no BLAS library is installed (sh common/bootstrap.sh --libraries)");
  }
  ~Handle() {
    if (is_there) CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  }
};

}  // namespace runtime_test
// SPDX-License-Identifier: MIT
