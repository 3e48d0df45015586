#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "runtime_module.h"

using namespace runtime_test;

TEST_CASE_FIXTURE(FreshDevice, "bytes go to the device and come back") {
  const std::string text = "warp by warp";
  std::string back(text.size(), ' ');
  char *d_a = nullptr, *d_b = nullptr;
  REQUIRE(cudaMalloc(&d_a, text.size()) == cudaSuccess);
  REQUIRE(cudaMalloc(&d_b, text.size()) == cudaSuccess);
  CHECK(cudaMemcpy(d_a, text.data(), text.size(), cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(d_b, d_a, text.size(), cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(back.data(), d_b, text.size(), cudaMemcpyDefault) == cudaSuccess);
  CHECK(back == text);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "a copy against its direction, or past an end, is refused and copies nothing") {
  int *d = nullptr, host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, other[8] = {};
  cudaMalloc(&d, sizeof host);
  CHECK(cudaMemcpy(host, other, sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(other, host, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(d + 1, host, sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(nullptr, host, sizeof host, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(d, host, 4, cudaMemcpyKind(9)) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(host[0] == 1);
  CHECK(other[0] == 0);
}

// As an H200 answers (driver 580.159.04, CUDA 13.0): memory that the runtime knows may stand at either side.
TEST_CASE_FIXTURE(FreshDevice,
                  "the side of a copy that its direction calls the device's must be known memory") {
  char *device = nullptr, *pinned = nullptr, *managed = nullptr, pageable[64] = {}, registered[64] = {};
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 64) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 64) == cudaSuccess);
  REQUIRE(cudaHostRegister(registered, 64, 0) == cudaSuccess);
  char* const places[] = {pageable, pinned, managed, device, registered};
  for (char* to : places)
    for (char* from : places) {
      const cudaError_t to_host = from == pageable ? cudaErrorInvalidValue : cudaSuccess;
      const cudaError_t to_device = to == pageable ? cudaErrorInvalidValue : cudaSuccess;
      CHECK(cudaMemcpy(to, from, 8, cudaMemcpyHostToHost) == cudaSuccess);
      CHECK(cudaMemcpy(to, from, 8, cudaMemcpyHostToDevice) == to_device);
      CHECK(cudaMemcpy(to, from, 8, cudaMemcpyDeviceToHost) == to_host);
      CHECK(cudaMemcpy(to, from, 8, cudaMemcpyDeviceToDevice) == (to_device ? to_device : to_host));
      CHECK(cudaMemcpy(to, from, 8, cudaMemcpyDefault) == cudaSuccess);
    }
  for (char* to : places)
    CHECK(cudaMemset(to, 0, 8) == (to == pageable ? cudaErrorInvalidValue : cudaSuccess));
  CHECK(cudaHostUnregister(registered) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "the host's memory is what it was again when it is no longer registered") {
  char host[64] = {}, *device = nullptr;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  REQUIRE(cudaHostRegister(host, 64, 0) == cudaSuccess);
  REQUIRE(cudaHostUnregister(host) == cudaSuccess);
  CHECK(cudaMemcpy(device, host, 64, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(cudaFree(device) == cudaSuccess);
  CHECK(cudaMemcpy(host, device, 64, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "memory is freed once, by the function of its kind") {
  void *d = nullptr, *pinned = nullptr, *managed = nullptr;
  REQUIRE(cudaMalloc(&d, 100) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 100) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 100) == cudaSuccess);
  CHECK(cudaFree(static_cast<char*>(d) + 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(d) == cudaErrorInvalidValue);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK(cudaFree(d) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(cudaFreeHost(nullptr) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "free memory shrinks by what is allocated, and too much is refused") {
  size_t before = 0, after = 0, total = 0;
  void* d = nullptr;
  CHECK(cudaMemGetInfo(&before, &total) == cudaSuccess);
  CHECK(before <= total);
  REQUIRE(cudaMalloc(&d, 1 << 20) == cudaSuccess);
  cudaMemGetInfo(&after, &total);
  CHECK(before - after >= (1 << 20));
  void* too_much = &d;
  CHECK(cudaMalloc(&too_much, total + 1) == cudaErrorMemoryAllocation);
  CHECK(too_much == nullptr);
  CHECK(cudaMalloc(&d, 0) == cudaSuccess);
  CHECK(d == nullptr);
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 4) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "registered host memory is the device's until it is unregistered") {
  std::vector<int> values(100, 1);
  int* d = nullptr;
  CHECK(cudaHostGetDevicePointer(&d, values.data(), 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(values.data(), 400, cudaHostRegisterMapped) == cudaSuccess);
  CHECK(cudaHostRegister(values.data(), 400, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostGetDevicePointer(&d, values.data(), 0) == cudaSuccess);
  CHECK(launch_set_int(d, 42) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(values[0] == 42);
  CHECK(cudaFreeHost(values.data()) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(values.data()) == cudaSuccess);
  CHECK(cudaHostUnregister(values.data()) == cudaErrorHostMemoryNotRegistered);
}

TEST_CASE_FIXTURE(FreshDevice, "a pointer says what kind of memory it points to") {
  void *d = nullptr, *pinned = nullptr, *managed = nullptr;
  int host = 0;
  cudaMalloc(&d, 4), cudaMallocHost(&pinned, 4), cudaMallocManaged(&managed, 4);
  cudaPointerAttributes a;
  CHECK((cudaPointerGetAttributes(&a, d) == cudaSuccess && a.type == cudaMemoryTypeDevice &&
         a.devicePointer == d));
  CHECK((cudaPointerGetAttributes(&a, pinned) == cudaSuccess && a.type == cudaMemoryTypeHost));
  CHECK((cudaPointerGetAttributes(&a, managed) == cudaSuccess && a.type == cudaMemoryTypeManaged));
  CHECK((cudaPointerGetAttributes(&a, &host) == cudaSuccess && a.type == cudaMemoryTypeUnregistered));
}

TEST_CASE_FIXTURE(FreshDevice, "a 2D copy moves rows and leaves what lies between them") {
  char *d = nullptr, host[3 * 8], back[3 * 5];
  size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&d, &pitch, 5, 3) == cudaSuccess);
  CHECK(pitch % 512 == 0);
  CHECK(pitch >= 5);
  for (int i = 0; i < 24; ++i) host[i] = char(i);
  CHECK(cudaMemset2D(d, pitch, 99, pitch, 3) == cudaSuccess);
  CHECK(cudaMemcpy2D(d, pitch, host, 8, 5, 3, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(back, 5, d, pitch, 5, 3, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int row = 0; row < 3; ++row)
    for (int i = 0; i < 5; ++i) CHECK(back[row * 5 + i] == row * 8 + i);
  char between = 0;
  cudaMemcpy(&between, d + 5, 1, cudaMemcpyDeviceToHost);
  CHECK(between == 99);
  CHECK(cudaMemcpy2D(d, 4, host, 8, 5, 3, cudaMemcpyHostToDevice) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemcpy2D(d, 4, host, 8, 5, 1, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "extents whose product wraps round are refused, and nothing is copied") {
  constexpr std::size_t kHalf = std::size_t(1) << 32, kQuarter = std::size_t(1) << 62;
  cudaPitchedPtr pitched{};
  CHECK(cudaMalloc3D(&pitched, {16, kHalf, kHalf}) == cudaErrorMemoryAllocation);
  CHECK(pitched.ptr == nullptr);
  REQUIRE(cudaMalloc3D(&pitched, {16, 2, 2}) == cudaSuccess);
  cudaPitchedPtr huge = pitched;
  huge.ysize = kQuarter;
  CHECK(cudaMemset3D(huge, 0, {16, 1, 2}) == cudaErrorInvalidValue);

  const cudaChannelFormatDesc floats = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaArray_t array = nullptr;
  CHECK(cudaMallocArray(&array, &floats, kQuarter, 1) == cudaErrorInvalidValue);
  CHECK(cudaMalloc3DArray(&array, &floats, {1 << 16, 1 << 16, kHalf}) == cudaErrorInvalidValue);
  REQUIRE(cudaMallocArray(&array, &floats, 4, 2) == cudaSuccess);

  float host[8] = {};
  cudaMemcpy3DParms copy{};
  copy.srcPtr = {host, sizeof(float) * 4, 4, 2};
  copy.dstArray = array;
  copy.extent = {4, 2, 1};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy) == cudaSuccess);
  copy.dstPos.x = kQuarter;  // times 4 bytes: 0
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  copy.dstPos.x = 0;
  copy.extent.width = kQuarter;
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  copy.extent.width = 4;
  copy.srcPos.z = kQuarter;
  CHECK(cudaMemcpy3D(&copy) == cudaErrorInvalidValue);
  CHECK(cudaFreeArray(array) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "device variables are read and written by name, within their size") {
  const int values[4] = {1, 2, 3, 4};
  int back[4] = {}, number = 0;
  size_t size = 0;
  CHECK(cudaMemcpyToSymbol((const void*)&table, values, 16, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(back, (const void*)&table, 8, 8, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back[0] == 3);
  CHECK(back[1] == 4);
  CHECK(cudaMemcpyFromSymbol(&number, (const void*)&counter, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(number == 5);
  CHECK(cudaMemcpyToSymbol((const void*)&table, values, 16, 4, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol((const void*)&number, values, 4, 0, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolSize(&size, (const void*)&table) == cudaSuccess);
  CHECK(size == 16);
}

TEST_CASE_FIXTURE(FreshDevice, "a memset fills exactly its range") {
  unsigned char* d = nullptr;
  unsigned char host[8];
  cudaMalloc(&d, 8);
  CHECK(cudaMemset(d, 0, 8) == cudaSuccess);
  CHECK(cudaMemset(d + 2, 0x1ff, 3) == cudaSuccess);
  cudaMemcpy(host, d, 8, cudaMemcpyDeviceToHost);
  const unsigned char expected[8] = {0, 0, 255, 255, 255, 0, 0, 0};
  CHECK(std::memcmp(host, expected, 8) == 0);
  CHECK(cudaMemset(d, 0, 9) == cudaErrorInvalidValue);
  CHECK(cudaMemset(host, 0, 8) == cudaErrorInvalidValue);
}
// SPDX-License-Identifier: MIT
