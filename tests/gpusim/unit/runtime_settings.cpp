// Questions and settings of the runtime API, each also with what it must refuse.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

const auto kNoStream = reinterpret_cast<cudaStream_t>(0x40);
const auto kNoEvent = reinterpret_cast<cudaEvent_t>(0x40);

}  // namespace

TEST_CASE_FIXTURE(FreshDevice, "the device is found by its place on the bus") {
  char id[16] = {}, cut[4] = {};
  int device = 7;
  REQUIRE(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
  CHECK(cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaDeviceGetPCIBusId(cut, sizeof cut, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetPCIBusId(nullptr, 16, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, "00:00") == cudaSuccess);  // domain 0 needs not be said
  for (const char* wrong : {"0001:00:00.0", "0000:07:00.0", "0000:00:01.0"})
    CHECK(cudaDeviceGetByPCIBusId(&device, wrong) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetByPCIBusId(&device, "no bus") == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetByPCIBusId(&device, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetByPCIBusId(nullptr, id) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "a device is chosen and initialised where there is one") {
  int device = 7, devices[] = {0}, none[] = {1};
  cudaDeviceProp wanted = {};
  CHECK(cudaChooseDevice(&device, &wanted) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaChooseDevice(&device, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaChooseDevice(nullptr, &wanted) == cudaErrorInvalidValue);
  CHECK(cudaInitDevice(0, 0, 0) == cudaSuccess);
  CHECK(cudaInitDevice(1, 0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaSetValidDevices(devices, 1) == cudaSuccess);
  CHECK(cudaSetValidDevices(nullptr, 0) == cudaSuccess);
  CHECK(cudaSetValidDevices(none, 1) == cudaErrorInvalidDevice);
  CHECK(cudaSetValidDevices(nullptr, 1) == cudaErrorInvalidValue);
  CHECK(cudaSetValidDevices(devices, -1) == cudaErrorInvalidValue);
  CHECK(cudaSetValidDevices(devices, 2) == cudaErrorInvalidValue);
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaGetDevice(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceCount(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceProperties(nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&device, cudaDevAttrWarpSize, 1) == cudaErrorInvalidDevice);
  unsigned flags = 0;
  CHECK(cudaSetDeviceFlags(cudaDeviceScheduleYield) == cudaSuccess);
  CHECK(cudaGetDeviceFlags(&flags) == cudaSuccess);
  CHECK(flags == cudaDeviceScheduleYield);
  CHECK(cudaSetDeviceFlags(0x10000) == cudaErrorInvalidValue);
  CHECK(cudaGetDeviceFlags(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaSetDeviceFlags(0) == cudaSuccess);
  int driver = 0, runtime = 0;
  CHECK(cudaDriverGetVersion(&driver) == cudaSuccess);
  CHECK(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
  CHECK(runtime == CUDART_VERSION);
  CHECK(driver == runtime);
  CHECK(cudaRuntimeGetVersion(nullptr) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "attributes of a device are its properties") {
  cudaDeviceProp p;
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  const auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    CHECK(cudaDeviceGetAttribute(&value, which, 0) == cudaSuccess);
    return value;
  };
  CHECK(attribute(cudaDevAttrMaxThreadsPerBlock) == p.maxThreadsPerBlock);
  CHECK(attribute(cudaDevAttrMaxBlockDimX) == p.maxThreadsDim[0]);
  CHECK(attribute(cudaDevAttrMaxBlockDimZ) == p.maxThreadsDim[2]);
  CHECK(attribute(cudaDevAttrMaxGridDimX) == p.maxGridSize[0]);
  CHECK(attribute(cudaDevAttrMaxSharedMemoryPerBlock) == int(p.sharedMemPerBlock));
  CHECK(attribute(cudaDevAttrTotalConstantMemory) == int(p.totalConstMem));
  CHECK(attribute(cudaDevAttrMultiProcessorCount) == p.multiProcessorCount);
  CHECK(attribute(cudaDevAttrMaxThreadsPerMultiProcessor) == p.maxThreadsPerMultiProcessor);
  CHECK(attribute(cudaDevAttrMaxRegistersPerBlock) == p.regsPerBlock);
  CHECK(attribute(cudaDevAttrComputeCapabilityMajor) == 8);
  CHECK(attribute(cudaDevAttrComputeCapabilityMinor) == 0);
  CHECK(attribute(cudaDevAttrL2CacheSize) == p.l2CacheSize);
  // Each that the header names is answered, the same in every call, and none is a negative number.
  int count = 0;
#define DEVICE_ATTRIBUTE(name, number, expression)                          \
  CHECK_MESSAGE(attribute(cudaDevAttr##name) >= 0, #name);                  \
  CHECK(attribute(cudaDevAttr##name) == attribute(cudaDeviceAttr(number))); \
  ++count;
#include "gpusim/detail/device_attributes.def"
#undef DEVICE_ATTRIBUTE
  CHECK(count > 90);
}

TEST_CASE_FIXTURE(FreshDevice, "limits are kept as they are set, as far as a GPU takes them") {
  size_t value = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096) == cudaSuccess);
  CHECK(cudaThreadGetLimit(&value, cudaLimitStackSize) == cudaSuccess);
  CHECK(value == 4096);
  CHECK(cudaThreadSetLimit(cudaLimitStackSize, 512 * 1024 + 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 1024) == cudaSuccess);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize) == cudaSuccess);
  CHECK(value == 0);  // it has no such cache
  CHECK(cudaDeviceGetLimit(&value, cudaLimit(99)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetLimit(cudaLimit(99), 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetLimit(nullptr, cudaLimitStackSize) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "preferences are remembered; banks stay four bytes wide") {
  cudaFuncCache preference = cudaFuncCachePreferNone;
  CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared) == cudaSuccess);
  CHECK(cudaThreadGetCacheConfig(&preference) == cudaSuccess);
  CHECK(preference == cudaFuncCachePreferShared);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCache(4)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCache(-1)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetCacheConfig(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone) == cudaSuccess);
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte) == cudaSuccess);
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemConfig(3)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemConfig(-1)) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess);
  CHECK(banks == cudaSharedMemBankSizeFourByte);
  CHECK(cudaDeviceGetSharedMemConfig(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetCacheConfig(&set_int, cudaFuncCachePreferL1) == cudaSuccess);
  CHECK(cudaFuncSetSharedMemConfig(&set_int, cudaSharedMemBankSizeFourByte) == cudaSuccess);
  CHECK(cudaFuncSetCacheConfig(&preference, cudaFuncCachePreferL1) == cudaErrorInvalidResourceHandle);
  int least = 7, greatest = 7;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess);
  CHECK(least == 0);
  CHECK(greatest == -5);
  CHECK(cudaDeviceGetStreamPriorityRange(nullptr, nullptr) == cudaSuccess);
  CHECK(cudaProfilerStart() == cudaSuccess);
  CHECK(cudaProfilerStop() == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "one GPU has no peer") {
  int can = 7, value = 7;
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
  CHECK(can == 0);
  CHECK(cudaDeviceCanAccessPeer(nullptr, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceCanAccessPeer(&can, 1, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "variables of the device are written and read in part, in both directions") {
  const int values[] = {1, 2, 3, 4};
  int back[4] = {}, *address = nullptr, five = 0, nine = 9;
  size_t size = 0;
  CHECK(cudaMemcpyToSymbol(table, values, 16, 0, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpyToSymbolAsync(table, &nine, 4, 8, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbolAsync(back, table, 12, 4, cudaMemcpyDeviceToHost, nullptr) == cudaSuccess);
  CHECK(back[0] == 2);
  CHECK(back[1] == 9);
  CHECK(back[2] == 4);
  CHECK(cudaMemcpyFromSymbol(&five, counter, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(five == 5);
  CHECK(cudaGetSymbolAddress((void**)&address, counter) == cudaSuccess);
  CHECK(cudaMemcpy(&five, address, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(five == 5);
  CHECK(cudaGetSymbolSize(&size, table) == cudaSuccess);
  CHECK(size == 16);
  // Directions, bounds, what is no variable.
  const auto in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpyToSymbol(table, values, 4, 0, out) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToSymbol(table, values, 4, 0, cudaMemcpyHostToHost) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToSymbolAsync(table, values, 4, 0, out, nullptr) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyFromSymbol(back, table, 4, 0, in) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyFromSymbolAsync(back, table, 4, 0, in, nullptr) == cudaErrorInvalidMemcpyDirection);
  CHECK(cudaMemcpyToSymbol(table, values, 8, 12, in) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(table, values, 4, 17, in) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbolAsync(table, values, 4, 16, in, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromSymbol(back, table, 17, 0, out) == cudaErrorInvalidValue);
  CHECK(cudaMemcpyFromSymbolAsync(back, five, 4, 0, out, nullptr) == cudaErrorInvalidSymbol);
  CHECK(cudaMemcpyToSymbol(five, values, 4, 0, in) == cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolAddress(nullptr, table) == cudaErrorInvalidValue);
  CHECK(cudaGetSymbolAddress((void**)&address, five) == cudaErrorInvalidSymbol);
  CHECK(cudaGetSymbolSize(nullptr, table) == cudaErrorInvalidValue);
  CHECK(cudaGetSymbolSize(&size, five) == cudaErrorInvalidSymbol);
}

TEST_CASE_FIXTURE(FreshDevice, "rows are filled and copied in order, by every call that does") {
  unsigned char *d = nullptr, back[3][4] = {}, rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  REQUIRE(cudaMalloc(&d, 12) == cudaSuccess);
  CHECK(cudaMemset2DAsync(d, 4, 9, 4, 3, nullptr) == cudaSuccess);
  CHECK(cudaMemset2D(d + 1, 4, 7, 2, 2) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(d + 5, 4, rows, 3, 3, 2, cudaMemcpyHostToDevice, nullptr) == cudaSuccess);
  CHECK(cudaMemcpyPeer(back, 0, d, 0, 1) == cudaErrorInvalidValue);  // the host is no GPU
  CHECK(cudaMemcpy(back, d, 12, cudaMemcpyDeviceToHost) == cudaSuccess);
  const unsigned char wanted[3][4] = {{9, 7, 7, 9}, {9, 1, 2, 3}, {9, 4, 5, 6}};
  CHECK(std::memcmp(back, wanted, 12) == 0);
  CHECK(cudaMemset2D(d, 2, 1, 3, 2) == cudaErrorInvalidPitchValue);
  CHECK(cudaMemset2D(d, 2, 1, 3, 1) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(d, 4, 1, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset2D(d, 4, 1, 4, 0) == cudaSuccess);
  CHECK(cudaMemcpyPeer(d, 0, d, 1, 1) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeerAsync(d, 1, d, 0, 1, nullptr) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyAsync(d, rows, 4, cudaMemcpyHostToDevice, kNoStream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMemsetAsync(d, 0, 4, kNoStream) == cudaErrorInvalidResourceHandle);
  cudaError_t error = cudaSuccess;
  const auto nowhere = reinterpret_cast<void*>(0x1000);
  CHECK(
      said_by([&] { error = cudaMemcpy(d, nowhere, 4, cudaMemcpyHostToDevice); }) ==
      "gpusim: a copy was given 4 bytes of host memory at 0x1000, but the program has no memory there, or less than that\n");
  CHECK(error == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(FreshDevice, "streams have flags, a priority, a device, a number and attributes") {
  cudaStream_t stream, other;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -3) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithFlags(&other, 2) == cudaErrorInvalidValue);
  unsigned flags = 7;
  int priority = 7, device = 7;
  unsigned long long id = 0, other_id = 0;
  CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
  CHECK(flags == cudaStreamNonBlocking);
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == -3);
  CHECK(cudaStreamGetDevice(stream, &device) == cudaSuccess);
  CHECK(device == 0);
  CHECK(cudaStreamGetId(stream, &id) == cudaSuccess);
  CHECK(cudaStreamGetId(other, &other_id) == cudaSuccess);
  CHECK(id != other_id);
  CHECK(cudaStreamGetFlags(nullptr, &flags) == cudaSuccess);  // the default stream
  CHECK(flags == cudaStreamDefault);
  CHECK(cudaStreamGetPriority(cudaStreamPerThread, &priority) == cudaSuccess);
  CHECK(priority == 0);
  CHECK(cudaStreamGetFlags(kNoStream, &flags) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetPriority(kNoStream, &priority) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetDevice(kNoStream, &device) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetId(kNoStream, &id) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetFlags(stream, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetPriority(stream, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetDevice(stream, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetId(stream, nullptr) == cudaErrorInvalidValue);

  cudaStreamAttrValue value = {};
  value.syncPolicy = cudaSyncPolicyYield;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value) == cudaSuccess);
  value.priority = -2;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value) == cudaSuccess);
  value.accessPolicyWindow = {&value, 64, 0.5f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
  CHECK(cudaStreamCopyAttributes(other, stream) == cudaSuccess);
  cudaStreamAttrValue found = {};
  CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &found) == cudaSuccess);
  CHECK(found.accessPolicyWindow.num_bytes == 64);
  CHECK(cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &found) == cudaSuccess);
  CHECK(found.syncPolicy == cudaSyncPolicyYield);
  CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, &found) == cudaSuccess);
  CHECK(found.priority == -2);
  value.accessPolicyWindow.hitRatio = 1.5f;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
        cudaErrorInvalidValue);
  value.accessPolicyWindow.hitRatio = -0.5f;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
        cudaErrorInvalidValue);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) ==
        cudaErrorInvalidValue);
  CHECK(cudaStreamSetAttribute(stream, cudaLaunchAttributeIgnore, &value) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetAttribute(stream, cudaLaunchAttributeIgnore, &found) == cudaErrorInvalidValue);
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamGetAttribute(stream, cudaStreamAttributePriority, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamSetAttribute(kNoStream, cudaStreamAttributePriority, &value) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamGetAttribute(kNoStream, cudaStreamAttributePriority, &found) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCopyAttributes(kNoStream, stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamCopyAttributes(stream, kNoStream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaCtxResetPersistingL2Cache() == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamDestroy(other) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "functions of the host run in a stream, and may not call CUDA there") {
  static cudaError_t inside;
  int calls = 0;
  const auto callback = [](cudaStream_t, cudaError_t status, void* data) {
    *static_cast<int*>(data) += status == cudaSuccess;
    void* pointer = nullptr;
    inside = cudaMemcpy(pointer, pointer, 1, cudaMemcpyDefault);
  };
  const std::string text =
      said_by([&] { CHECK(cudaStreamAddCallback(nullptr, callback, &calls, 0) == cudaSuccess); });
  CHECK(calls == 1);
  CHECK(inside == cudaErrorNotPermitted);
  CHECK(
      text ==
      "gpusim: a function that a stream calls (cudaLaunchHostFunc, cudaStreamAddCallback) may not call CUDA: the "
      "stream waits for it\n");
  CHECK(cudaStreamAddCallback(nullptr, nullptr, nullptr, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamAddCallback(kNoStream, callback, &calls, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaLaunchHostFunc(nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaLaunchHostFunc(kNoStream, [](void*) {}, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(calls == 1);
}

TEST_CASE_FIXTURE(FreshDevice, "events refuse what they are not") {
  cudaEvent_t event = nullptr;
  float milliseconds = 0;
  CHECK(cudaEventCreateWithFlags(&event, 64) == cudaErrorInvalidValue);
  CHECK(cudaEventCreateWithFlags(nullptr, 0) == cudaErrorInvalidValue);
  REQUIRE(cudaEventCreate(&event, cudaEventDefault) == cudaSuccess);
  CHECK(cudaEventQuery(event) == cudaSuccess);  // never recorded: nothing to wait for
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaEventQuery(kNoEvent) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventSynchronize(kNoEvent) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(event, kNoStream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecordWithFlags(event, nullptr, 0) == cudaSuccess);
  CHECK(cudaEventRecordWithFlags(event, nullptr, cudaEventRecordExternal) ==
        cudaSuccess);  // no capture: as usual
  CHECK(cudaEventRecordWithFlags(event, nullptr, 2) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(nullptr, event, 0) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(kNoStream, event, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaStreamWaitEvent(nullptr, kNoEvent, 0) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(nullptr, event, event) == cudaErrorInvalidValue);
  CHECK(cudaEventElapsedTime(&milliseconds, event, kNoEvent) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventElapsedTime(&milliseconds, event, event) == cudaErrorNotReady);  // nothing has waited for it
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, event, event) == cudaSuccess);
  CHECK(milliseconds == 0);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaErrorInvalidResourceHandle);
}

TEST_CASE_FIXTURE(FreshDevice, "memory of the host has its own questions") {
  void *pinned = nullptr, *managed = nullptr, *other = nullptr;
  char own[64] = {};
  unsigned flags = 0;
  CHECK(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined) == cudaSuccess);
  CHECK(cudaHostAlloc(&other, 64, 64) == cudaErrorInvalidValue);
  CHECK(cudaHostAlloc(&other, 0, 0) == cudaSuccess);
  CHECK(other == nullptr);
  CHECK(cudaHostAlloc(nullptr, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostGetFlags(&flags, pinned) == cudaSuccess);
  CHECK(flags == cudaHostAllocMapped);
  CHECK(cudaHostGetFlags(&flags, own) == cudaErrorInvalidValue);
  CHECK(cudaHostGetFlags(nullptr, pinned) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer(&other, pinned, 0) == cudaSuccess);
  CHECK(other == pinned);
  CHECK(cudaHostGetDevicePointer(&other, pinned, 1) == cudaErrorInvalidValue);
  CHECK(cudaHostGetDevicePointer((void**)nullptr, pinned, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(nullptr, 4, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostRegister(own, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaHostUnregister(pinned) == cudaErrorHostMemoryNotRegistered);  // it was allocated

  CHECK(cudaMallocManaged(&managed, 64, 7) == cudaErrorInvalidValue);
  CHECK(cudaMallocManaged(&managed, 0, cudaMemAttachGlobal) == cudaErrorInvalidValue);
  REQUIRE(cudaMallocManaged(&managed, 64, cudaMemAttachHost) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 64, 0, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 64, cudaCpuDeviceId, nullptr) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(managed, 65, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaMemPrefetchAsync(managed, 64, 1, nullptr) == cudaErrorInvalidDevice);
  CHECK(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  CHECK(cudaMemAdvise(pinned, 64, cudaMemAdviseSetReadMostly, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 0, cudaMemAttachSingle) == cudaSuccess);
  CHECK(cudaStreamAttachMemAsync(nullptr, managed, 0, 9) == cudaErrorInvalidValue);
  CHECK(cudaStreamAttachMemAsync(nullptr, pinned, 0, cudaMemAttachGlobal) == cudaErrorInvalidValue);
  cudaPointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeManaged);
  CHECK(cudaPointerGetAttributes(&attributes, own) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(attributes.devicePointer == nullptr);
  CHECK(cudaPointerGetAttributes(nullptr, own) == cudaErrorInvalidValue);
  size_t size = 0;
  CHECK(cudaMemGetInfo(nullptr, &size) == cudaErrorInvalidValue);
  CHECK(cudaMemGetInfo(&size, nullptr) == cudaErrorInvalidValue);
  size_t pitch = 0;
  CHECK(cudaMallocPitch(&other, nullptr, 4, 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocPitch(&other, &pitch, ~size_t(0), 4) == cudaErrorInvalidValue);
  CHECK(cudaMallocPitch(&other, &pitch, 4, ~size_t(0) / 8) == cudaErrorMemoryAllocation);
  CHECK(cudaFreeAsync(nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFree(managed) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "kernels tell their attributes, and take some") {
  cudaFuncAttributes attributes;
  const char* name = nullptr;
  int blocks = -1;
  size_t bytes = 0;
  int nothing = 0;
  REQUIRE(cudaFuncGetAttributes(&attributes, &set_int) == cudaSuccess);
  CHECK(attributes.maxThreadsPerBlock == 1024);
  CHECK(attributes.binaryVersion == 80);
  CHECK(attributes.maxDynamicSharedSizeBytes == 48 * 1024);
  CHECK(cudaFuncGetAttributes(nullptr, &set_int) == cudaErrorInvalidValue);
  CHECK(cudaFuncGetAttributes(&attributes, &nothing) == cudaErrorInvalidResourceHandle);
  CHECK(cudaFuncGetName(&name, &set_int) == cudaSuccess);
  CHECK(std::string(name) == "set_int");
  CHECK(cudaFuncGetName(nullptr, &set_int) == cudaErrorInvalidValue);
  CHECK(cudaFuncGetName(&name, nullptr) == cudaErrorInvalidDeviceFunction);
  const auto shared = cudaFuncAttributeMaxDynamicSharedMemorySize;
  CHECK(cudaFuncSetAttribute(&set_int, shared, 100 * 1024) == cudaSuccess);
  CHECK(cudaFuncGetAttributes(&attributes, &set_int) == cudaSuccess);
  CHECK(attributes.maxDynamicSharedSizeBytes == 100 * 1024);
  CHECK(cudaFuncSetAttribute(&set_int, shared, 164 * 1024) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&set_int, shared, -1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&set_int, cudaFuncAttributePreferredSharedMemoryCarveout, 50) == cudaSuccess);
  CHECK(cudaFuncSetAttribute(&set_int, cudaFuncAttributePreferredSharedMemoryCarveout, 101) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&set_int, cudaFuncAttributePreferredSharedMemoryCarveout, -2) ==
        cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&set_int, cudaFuncAttribute(99), 1) == cudaErrorInvalidValue);
  CHECK(cudaFuncSetAttribute(&nothing, shared, 1) == cudaErrorInvalidResourceHandle);

  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded, 64, 0) == cudaSuccess);
  CHECK(blocks == 32);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded, 65, 0) == cudaSuccess);
  CHECK(blocks == 0);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, &bounded, 64, 0) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &nothing, 64, 0) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &bounded, 64, 0, 9) ==
        cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &bounded, 4, 64) == cudaSuccess);
  // So much, and not a byte more, lets four blocks be there.
  CHECK(cudaFuncSetAttribute(&bounded, shared, 100 * 1024) == cudaSuccess);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded, 64, bytes) == cudaSuccess);
  CHECK(blocks == 4);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &bounded, 64, bytes + 1) == cudaSuccess);
  CHECK(blocks == 3);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &bounded, 33, 64) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &bounded, 1, 65) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &bounded, 0, 64) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, &bounded, 1, 64) == cudaErrorInvalidValue);
  CHECK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, &nothing, 1, 64) == cudaErrorInvalidResourceHandle);
}

TEST_CASE_FIXTURE(FreshDevice, "a launch by a list of attributes is a launch; one without a value is none") {
  int *d = nullptr, value = 31, back = 0;
  REQUIRE(cudaMalloc(&d, 4) == cudaSuccess);
  void *arguments[] = {&d, &value}, *missing[] = {&d, nullptr};
  cudaLaunchAttribute attributes[2] = {};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  cudaLaunchConfig_t config = {1, 1, 0, nullptr, attributes, 1};
  CHECK(cudaLaunchKernelExC(&config, &set_int, arguments) == cudaSuccess);
  CHECK(cudaMemcpy(&back, d, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(back == 31);
  config.numAttrs = 2;
  CHECK(cudaLaunchKernelExC(&config, &set_int, arguments) == cudaSuccess);
  config.gridDim = 1u << 20;  // more blocks than can be there at the same time
  CHECK(cudaLaunchKernelExC(&config, &set_int, arguments) == cudaErrorCooperativeLaunchTooLarge);
  CHECK(cudaLaunchKernelExC(nullptr, &set_int, arguments) == cudaErrorInvalidValue);
  CHECK(cudaLaunchKernel(&set_int, 1, 1, missing, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaLaunchKernel(&set_int, 1, 1, nullptr, 0, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaLaunchKernel(&set_int, 1, 1, arguments, 0, kNoStream) == cudaErrorInvalidResourceHandle);
}
// SPDX-License-Identifier: MIT
