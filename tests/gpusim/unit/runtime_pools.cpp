// Pools of memory, and what they refuse. (In the order of streams: programs/memory_pools.cu.)
#include <doctest/doctest.h>

#include <vector>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

using Number = unsigned long long;

cudaMemPoolProps properties_on(int device) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  return properties;
}
cudaMemPool_t pool_on(int device) {
  const cudaMemPoolProps properties = properties_on(device);
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  return pool;
}
Number number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  Number value = 99;
  CHECK(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess);
  return value;
}
const auto kNoPool = reinterpret_cast<cudaMemPool_t>(0x40);

}  // namespace

TEST_CASE_FIXTURE(FreshDevice, "a device takes memory of the pool that it was given") {
  cudaMemPool_t usual = nullptr, current = nullptr;
  CHECK(cudaDeviceGetDefaultMemPool(&usual, 0) == cudaSuccess);
  CHECK(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == usual);
  const cudaMemPool_t own = pool_on(0);
  CHECK(cudaDeviceSetMemPool(0, own) == cudaSuccess);
  CHECK(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == own);
  void* pointer = nullptr;
  CHECK(cudaMallocAsync(&pointer, 1000, nullptr) == cudaSuccess);
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 1000);
  CHECK(number(usual, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaSuccess);
  CHECK(number(own, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(number(own, cudaMemPoolAttrUsedMemHigh) == 1000);
  CHECK(number(own, cudaMemPoolAttrReservedMemHigh) == 1000);
  CHECK(cudaMemPoolDestroy(own) == cudaSuccess);
  CHECK(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == usual);  // again
  CHECK(cudaMemPoolDestroy(usual) == cudaErrorInvalidValue);

  CHECK(cudaDeviceGetDefaultMemPool(&usual, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetDefaultMemPool(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetMemPool(&usual, -1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetMemPool(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetMemPool(1, usual) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceSetMemPool(0, own) == cudaErrorInvalidValue);  // destroyed
  CHECK(cudaDeviceSetMemPool(0, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "memory of a pool that is destroyed stays until it is freed") {
  const cudaMemPool_t pool = pool_on(0);
  int *pointer = nullptr, back = 0;
  CHECK(cudaMallocFromPoolAsync((void**)&pointer, 4, pool, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaErrorInvalidValue);
  void* other = nullptr;
  CHECK(cudaMallocFromPoolAsync(&other, 4, pool, nullptr) == cudaErrorInvalidValue);
  CHECK(launch_set_int(pointer, 12) == cudaSuccess);
  CHECK(cudaMemcpy(&back, pointer, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == 12);
  CHECK(cudaFree(pointer) == cudaSuccess);
  CHECK(cudaFreeAsync(pointer, nullptr) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "attributes of a pool are read and set, each with its own kind of value") {
  const cudaMemPool_t pool = pool_on(0);
  for (const cudaMemPoolAttr flag :
       {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic,
        cudaMemPoolReuseAllowInternalDependencies}) {
    int value = 7, two = 2;
    CHECK(cudaMemPoolGetAttribute(pool, flag, &value) == cudaSuccess);
    CHECK(value == 1);
    int zero = 0;
    CHECK(cudaMemPoolSetAttribute(pool, flag, &zero) == cudaSuccess);
    CHECK(cudaMemPoolGetAttribute(pool, flag, &value) == cudaSuccess);
    CHECK(value == 0);
    CHECK(cudaMemPoolSetAttribute(pool, flag, &two) == cudaSuccess);
    CHECK(cudaMemPoolGetAttribute(pool, flag, &value) == cudaSuccess);
    CHECK(value == 1);
  }
  Number threshold = 1 << 20, zero = 0, one = 1;
  CHECK(number(pool, cudaMemPoolAttrReleaseThreshold) == 0);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess);
  CHECK(number(pool, cudaMemPoolAttrReleaseThreshold) == threshold);
  void *first = nullptr, *second = nullptr;
  CHECK(cudaMallocFromPoolAsync(&first, 100, pool, nullptr) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&second, 50, pool, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(first, nullptr) == cudaSuccess);
  CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) == 150);
  CHECK(number(pool, cudaMemPoolAttrUsedMemCurrent) == 50);
  CHECK(number(pool, cudaMemPoolAttrReservedMemCurrent) == 50);
  // A high-water mark can be set back, to nothing else.
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &one) == cudaErrorInvalidValue);
  CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) == 150);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaSuccess);
  CHECK(number(pool, cudaMemPoolAttrUsedMemHigh) == 50);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReservedMemHigh, &zero) == cudaSuccess);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttr(99), &zero) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttr(99), &zero) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAttribute(kNoPool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAttribute(kNoPool, cudaMemPoolAttrUsedMemHigh, &zero) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(kNoPool, 0) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(second, nullptr) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "a pool belongs to one device, and is refused where it would be another's") {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties = properties_on(0);
  CHECK(cudaMemPoolCreate(nullptr, &properties) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolCreate(&pool, nullptr) == cudaErrorInvalidValue);
  properties.allocType = cudaMemAllocationTypeInvalid;
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  properties = properties_on(1);
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  properties = properties_on(0);
  properties.location.type = cudaMemLocationTypeInvalid;
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorInvalidValue);
  properties = properties_on(0);
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaError_t error = cudaSuccess;
  CHECK(said_by([&] { error = cudaMemPoolCreate(&pool, &properties); }) ==
        "gpusim: pools that processes share are not simulated\n");
  CHECK(error == cudaErrorNotSupported);

  pool = pool_on(0);
  cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0}, nowhere = {cudaMemLocationTypeDevice, 1};
  CHECK(cudaMemPoolGetAccess(&flags, pool, &here) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  CHECK(cudaMemPoolGetAccess(&flags, pool, &nowhere) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAccess(nullptr, pool, &here) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAccess(&flags, pool, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolGetAccess(&flags, kNoPool, &here) == cudaErrorInvalidValue);
  cudaMemAccessDesc access = {here, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);
  CHECK(cudaMemPoolSetAccess(pool, nullptr, 0) == cudaSuccess);
  CHECK(cudaMemPoolSetAccess(pool, nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolSetAccess(kNoPool, &access, 1) == cudaErrorInvalidValue);
  access.flags = cudaMemAccessFlagsProtNone;  // its own GPU always has access
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidDevice);
  access = {nowhere, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidValue);
  access.location.type = cudaMemLocationTypeInvalid;
  CHECK(cudaMemPoolSetAccess(pool, &access, 1) == cudaErrorInvalidValue);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "what cannot be allocated in the order of a stream is refused") {
  void* pointer = nullptr;
  const auto no_stream = reinterpret_cast<cudaStream_t>(0x40);
  CHECK(cudaMallocAsync(nullptr, 4, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMallocAsync(&pointer, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMallocAsync(&pointer, 4, no_stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMallocFromPoolAsync(&pointer, 4, kNoPool, nullptr) == cudaErrorInvalidValue);
  size_t free_bytes = 0, total = 0;
  REQUIRE(cudaMemGetInfo(&free_bytes, &total) == cudaSuccess);
  CHECK(cudaMallocAsync(&pointer, total + 1, nullptr) == cudaErrorMemoryAllocation);
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  cudaError_t error = cudaSuccess;
  CHECK(said_by([&] { error = cudaMallocAsync(&pointer, 4, stream); }) ==
        "gpusim: memory that a graph allocates is not simulated: allocate it before the capture\n");
  CHECK(error == cudaErrorNotSupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}
// SPDX-License-Identifier: MIT
