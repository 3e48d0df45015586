#include <doctest/doctest.h>

#include <cstring>

#include "runtime_module.h"

using namespace runtime_test;

TEST_CASE_FIXTURE(FreshDevice, "events measure host time, in the order of recording") {
  cudaEvent_t start, stop, untimed, never;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&stop) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  REQUIRE(cudaEventCreate(&never) == cudaSuccess);
  CHECK(cudaEventRecord(start) == cudaSuccess);
  CHECK(cudaEventRecord(untimed) == cudaSuccess);
  CHECK(cudaEventRecord(stop) == cudaSuccess);
  CHECK(cudaEventQuery(stop) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(&milliseconds, start, never) == cudaErrorInvalidResourceHandle);
  for (cudaEvent_t event : {start, stop, untimed, never}) CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventRecord(start) == cudaErrorInvalidResourceHandle);
}

TEST_CASE_FIXTURE(FreshDevice, "a stream works in order, and ends when it is destroyed") {
  cudaStream_t stream;
  int *d = nullptr, back = 0;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  cudaMalloc(&d, 4);
  const int value = 17;
  CHECK(cudaMemcpyAsync(d, &value, 4, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(&back, d, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  int calls = 0;
  CHECK(cudaLaunchHostFunc(stream, [](void* data) { ++*static_cast<int*>(data); }, &calls) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(back == 17);
  CHECK(calls == 1);
  CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
}

TEST_CASE_FIXTURE(FreshDevice, "the device says that it is simulated, and what fits on it") {
  int count = 0, value = 0;
  cudaDeviceProp p;
  CHECK(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 1);
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  CHECK(std::strcmp(p.name, "Simulated GPU") == 0);
  CHECK(p.major == 8);
  CHECK(p.warpSize == 32);
  CHECK(p.multiProcessorCount == 108);
  CHECK(p.sharedMemPerBlock == 48 * 1024);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0) == cudaSuccess);
  CHECK(value == p.maxThreadsPerBlock);
  CHECK(cudaDeviceGetAttribute(&value, cudaDeviceAttr(4711), 0) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceProperties(&p, 1) == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
}
// SPDX-License-Identifier: MIT
