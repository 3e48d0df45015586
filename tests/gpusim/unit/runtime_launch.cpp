#include <doctest/doctest.h>

#include <string>

#include "gpusim/report.h"
#include "runtime_module.h"

using namespace runtime_test;

namespace {

cudaError_t launch(const char& stub, dim3 grid = 1, dim3 block = 1) {
  return cudaLaunchKernel((const void*)&stub, grid, block, nullptr, 0, nullptr);
}

}  // namespace

TEST_CASE_FIXTURE(FreshDevice, "a launch that does not fit the device gives the error of a GPU") {
  int* d = nullptr;
  cudaMalloc(&d, 4);
  struct Row {
    dim3 grid, block;
    size_t shared_bytes;
    cudaError_t error;
  };
  const Row rows[] = {
      {1, 1024, 0, cudaSuccess},
      {1, 1025, 0, cudaErrorInvalidConfiguration},
      {1, dim3(32, 32, 2), 0, cudaErrorInvalidConfiguration},
      {1, dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration},
      {1, 0, 0, cudaErrorInvalidConfiguration},
      {0, 1, 0, cudaErrorInvalidConfiguration},
      {dim3(1, 65536), 1, 0, cudaErrorInvalidConfiguration},
      {1, 1, 48 * 1024, cudaSuccess},
      {1, 1, 48 * 1024 + 1, cudaErrorInvalidValue},
  };
  for (const Row& row : rows) {
    CAPTURE(row.grid.x);
    CAPTURE(row.block.x);
    CAPTURE(row.shared_bytes);
    CHECK(launch_set_int(d, 1, row.grid, row.block, row.shared_bytes) == row.error);
    CHECK(cudaGetLastError() == row.error);
    CHECK(cudaGetLastError() == cudaSuccess);
  }
}

TEST_CASE_FIXTURE(FreshDevice, "more threads than __launch_bounds__ allows are refused") {
  CHECK(launch(bounded, 1, 64) == cudaSuccess);
  CHECK(launch(bounded, 1, 65) == cudaErrorInvalidValue);
  CHECK(gpusim::last_fault().find("65 threads per block, but its __launch_bounds__ allow only 64") !=
        std::string::npos);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, (const void*)&bounded) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 64);
}

TEST_CASE_FIXTURE(FreshDevice, "dynamic shared memory above 48 KiB wants the attribute") {
  int* d = nullptr;
  cudaMalloc(&d, 4);
  const void* kernel = &set_int;
  const auto limit = cudaFuncAttributeMaxDynamicSharedMemorySize;
  CHECK(launch_set_int(d, 1, 1, 1, 100 * 1024) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(kernel, limit, 100 * 1024) == cudaSuccess);
  CHECK(launch_set_int(d, 1, 1, 1, 100 * 1024) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(kernel, limit, 163 * 1024) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(kernel, limit, 163 * 1024 + 1) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "a kernel that nobody registered, or that cannot be simulated, is not launched") {
  char nobody = 0;
  CHECK(launch(nobody) == cudaErrorInvalidResourceHandle);
  CHECK(launch(unsupported) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "a fault shows at the next synchronisation and sticks until the device is reset") {
  int *d = nullptr, *other = nullptr;
  cudaMalloc(&d, 8);
  void* arguments[] = {&d};
  CHECK(cudaLaunchKernel((const void*)&misaligned, 1, 1, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  CHECK(cudaGetLastError() == cudaErrorMisalignedAddress);
  CHECK(cudaPeekAtLastError() == cudaErrorMisalignedAddress);
  CHECK(cudaMalloc(&other, 4) == cudaErrorMisalignedAddress);
  CHECK(launch_set_int(d, 1) == cudaErrorMisalignedAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaMalloc(&d, 4) == cudaSuccess);
  CHECK(launch_set_int(d, 9) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "an occupancy is bounded by threads, by blocks and by shared memory") {
  const void* kernel = &set_int;
  int blocks = 0;
  const auto occupancy = [&](int threads, size_t shared_bytes) {
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes) ==
          cudaSuccess);
    return blocks;
  };
  CHECK(occupancy(1024, 0) == 2);
  CHECK(occupancy(256, 0) == 8);
  CHECK(occupancy(33, 0) == 32);
  CHECK(occupancy(32, 0) == 32);
  CHECK(occupancy(128, 40 * 1024) == 4);
  CHECK(occupancy(2048, 0) == 0);
}

TEST_CASE("every error has its name, number and text") {
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidValue)) == "cudaErrorInvalidValue");
  CHECK(std::string(cudaGetErrorString(cudaErrorInvalidValue)) == "invalid argument");
  CHECK(std::string(cudaGetErrorString(cudaSuccess)) == "no error");
  CHECK(std::string(cudaGetErrorName(cudaError_t(12345))) == "unrecognized error code");
  CHECK(int(cudaErrorIllegalAddress) == 700);
  CHECK(int(cudaErrorInvalidConfiguration) == 9);
}
// SPDX-License-Identifier: MIT
