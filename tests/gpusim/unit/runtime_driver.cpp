// The driver API: every call once as it is meant, and with what it must refuse. (Before cuInit: programs/driver_api.cu.)
#include <cuda.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

// A current context on a fresh device.
struct DriverContext : FreshDevice {
  CUcontext context = nullptr;

  DriverContext() {
    REQUIRE(cuInit(0) == CUDA_SUCCESS);
    REQUIRE(cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS);
  }
  ~DriverContext() { cuCtxSetCurrent(nullptr); }
};

std::string name_of(CUresult error) {
  const char* name = nullptr;
  REQUIRE(cuGetErrorName(error, &name) == CUDA_SUCCESS);
  return name;
}

}  // namespace

TEST_CASE_FIXTURE(DriverContext, "the driver names its errors") {
  CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(name_of(CUDA_ERROR_INVALID_CONTEXT) == "CUDA_ERROR_INVALID_CONTEXT");
  CHECK(name_of(CUDA_ERROR_LAUNCH_FAILED) == "CUDA_ERROR_LAUNCH_FAILED");
  CHECK(cuGetErrorName(CUDA_SUCCESS, nullptr) == CUDA_ERROR_INVALID_VALUE);
  const char* text = nullptr;
  CHECK(cuGetErrorString(CUDA_SUCCESS, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "no error");
  CHECK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text) == CUDA_SUCCESS);
  CHECK(std::string(text) == "out of memory");
  CHECK(cuGetErrorString(CUDA_SUCCESS, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE_FIXTURE(DriverContext, "the driver tells of a device what the runtime tells") {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CUdevice device = 7;
  CHECK(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CHECK(device == 0);
  CHECK(cuDeviceGet(&device, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(&device, -1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGet(nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
  int count = 0, version = 0, runtime_version = 0, major = 0, minor = 0, warp = 0;
  CHECK(cuDeviceGetCount(&count) == CUDA_SUCCESS);
  CHECK(count == 1);
  CHECK(cuDriverGetVersion(&version) == CUDA_SUCCESS);
  CHECK(cudaDriverGetVersion(&runtime_version) == cudaSuccess);
  CHECK(version == runtime_version);
  char name[64] = {}, cut[4] = {'x', 'x', 'x', 'x'};
  CHECK(cuDeviceGetName(name, sizeof name, 0) == CUDA_SUCCESS);
  CHECK(std::string(name) == "Simulated GPU");
  CHECK(cuDeviceGetName(cut, sizeof cut, 0) == CUDA_SUCCESS);
  CHECK(std::string(cut) == "Sim");
  CHECK(cuDeviceGetName(nullptr, 4, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetName(name, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetName(name, 4, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceComputeCapability(&major, &minor, 0) == CUDA_SUCCESS);
  CHECK(major == 8);
  CHECK(minor == 0);
  CHECK(cuDeviceComputeCapability(&major, &minor, 3) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0) == CUDA_SUCCESS);
  CHECK(warp == 32);
  size_t total = 0, free_bytes = 0, same_total = 0;
  CHECK(cuDeviceTotalMem_v2(&total, 0) == CUDA_SUCCESS);
  CHECK(total == properties.totalGlobalMem);
  CHECK(cuDeviceTotalMem_v2(nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceTotalMem_v2(&total, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuMemGetInfo_v2(&free_bytes, &same_total) == CUDA_SUCCESS);
  CHECK(same_total == total);
  CHECK(free_bytes <= total);
}

TEST_CASE_FIXTURE(DriverContext,
                  "a context is current, another thing is none, and without it nothing works") {
  CUcontext current = nullptr, made = nullptr;
  CUdevice device = 7;
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == context);
  CHECK(cuCtxGetCurrent(nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuCtxGetDevice(&device) == CUDA_SUCCESS);
  CHECK(device == 0);
  CHECK(cuDevicePrimaryCtxRetain(&made, 1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuDevicePrimaryCtxRetain(nullptr, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuCtxCreate_v2(&made, 0, 0) == CUDA_SUCCESS);
  CHECK(made == context);
  CHECK(cuDevicePrimaryCtxRelease_v2(0) == CUDA_SUCCESS);
  const CUcontext no_context = reinterpret_cast<CUcontext>(&device);
  CHECK(cuCtxSetCurrent(no_context) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxDestroy_v2(no_context) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPushCurrent_v2(nullptr) == CUDA_ERROR_INVALID_CONTEXT);

  CUcontext popped = nullptr;
  CHECK(cuCtxPopCurrent_v2(&popped) == CUDA_SUCCESS);
  CHECK(popped == context);
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == nullptr);
  CUdeviceptr pointer = 0;
  CUmodule module = nullptr;
  CHECK(cuCtxPopCurrent_v2(&popped) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuMemAlloc_v2(&pointer, 4) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuModuleLoadData(&module, kPtx) == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  CHECK(cuCtxPushCurrent_v2(context) == CUDA_SUCCESS);
  CHECK(cuCtxPopCurrent_v2(nullptr) == CUDA_SUCCESS);
  CHECK(cuCtxPushCurrent_v2(context) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
  CHECK(cuCtxDestroy_v2(context) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
}

TEST_CASE_FIXTURE(DriverContext, "memory of the driver: allocated, copied in all directions, filled, freed") {
  const std::vector<unsigned> values = {11, 22, 33, 44};
  const size_t bytes = values.size() * sizeof(unsigned);
  CUdeviceptr first = 0, second = 0, managed = 0;
  REQUIRE(cuMemAlloc_v2(&first, bytes) == CUDA_SUCCESS);
  REQUIRE(cuMemAlloc_v2(&second, bytes) == CUDA_SUCCESS);
  REQUIRE(cuMemAllocManaged(&managed, bytes, CU_MEM_ATTACH_GLOBAL) == CUDA_SUCCESS);
  CHECK(cuMemAlloc_v2(&managed, 0) == CUDA_ERROR_INVALID_VALUE);
  void* pinned = nullptr;
  REQUIRE(cuMemAllocHost_v2(&pinned, bytes) == CUDA_SUCCESS);
  CUstream stream = nullptr;
  REQUIRE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);

  CHECK(cuMemcpyHtoDAsync_v2(first, values.data(), bytes, stream) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoD_v2(second, first, bytes) == CUDA_SUCCESS);
  CHECK(cuMemcpy(managed, second, bytes) == CUDA_SUCCESS);
  CHECK(std::memcmp(reinterpret_cast<const void*>(managed), values.data(), bytes) == 0);
  CHECK(cuMemcpyDtoHAsync_v2(pinned, second, bytes, stream) == CUDA_SUCCESS);
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  CHECK(std::memcmp(pinned, values.data(), bytes) == 0);

  unsigned back[4] = {};
  CHECK(cuMemsetD32_v2(first + 4, 0x01020304, 2) == CUDA_SUCCESS);
  CHECK(cuMemsetD8_v2(first + 12, 9, 4) == CUDA_SUCCESS);
  CHECK(cuMemcpyDtoH_v2(back, first, bytes) == CUDA_SUCCESS);
  CHECK(back[0] == 11);
  CHECK(back[1] == 0x01020304);
  CHECK(back[2] == 0x01020304);
  CHECK(back[3] == 0x09090909);
  CHECK(cuMemsetD32_v2(first + 2, 1, 1) == CUDA_ERROR_INVALID_VALUE);   // not aligned
  CHECK(cuMemsetD32_v2(first + 12, 1, 2) == CUDA_ERROR_INVALID_VALUE);  // past the end
  CHECK(cuMemcpyHtoD_v2(first, values.data(), bytes + 1) == CUDA_ERROR_INVALID_VALUE);

  CHECK(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
  CHECK(cuMemFreeHost(pinned) == CUDA_SUCCESS);
  for (const CUdeviceptr pointer : {first, second, managed}) CHECK(cuMemFree_v2(pointer) == CUDA_SUCCESS);
  CHECK(cuMemFree_v2(first) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE_FIXTURE(DriverContext, "events of the driver are in order") {
  CUevent start = nullptr, stop = nullptr;
  CUstream stream = nullptr;
  REQUIRE(cuStreamCreate(&stream, CU_STREAM_DEFAULT) == CUDA_SUCCESS);
  REQUIRE(cuEventCreate(&start, CU_EVENT_DEFAULT) == CUDA_SUCCESS);
  REQUIRE(cuEventCreate(&stop, CU_EVENT_BLOCKING_SYNC) == CUDA_SUCCESS);
  float milliseconds = -1;
  CHECK(cuEventElapsedTime(&milliseconds, start, stop) == CUDA_ERROR_INVALID_HANDLE);  // never recorded
  CHECK(cuEventRecord(start, stream) == CUDA_SUCCESS);
  CHECK(cuEventRecord(stop, stream) == CUDA_SUCCESS);
  CHECK(cuEventSynchronize(stop) == CUDA_SUCCESS);
  CHECK(cuEventElapsedTime(&milliseconds, start, stop) == CUDA_SUCCESS);
  CHECK(milliseconds >= 0);
  CHECK(cuEventDestroy_v2(start) == CUDA_SUCCESS);
  CHECK(cuEventDestroy_v2(stop) == CUDA_SUCCESS);
  CHECK(cuEventRecord(start, stream) == CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuStreamDestroy_v2(stream) == CUDA_SUCCESS);
}

TEST_CASE_FIXTURE(DriverContext,
                  "a module is PTX text, from memory or a file; anything else is refused in one line") {
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(nullptr, kPtx) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleLoadData(&module, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CUresult error = CUDA_SUCCESS;
  const std::string cubin = said_by([&] {
    error = cuModuleLoadData(&module,
                             "\x7f"
                             "ELF...");
  });
  CHECK(error == CUDA_ERROR_INVALID_IMAGE);
  CHECK(
      cubin ==
      "gpusim: cuModuleLoadData: there is no machine code for the simulated GPU; give it PTX (simcc -ptx)\n");
  const std::string fat = said_by([&] { error = cuModuleLoadData(&module, "\x50\xed\x55\xba"); });
  CHECK(error == CUDA_ERROR_INVALID_IMAGE);
  CHECK(fat == "");  // said already
  const std::string broken = said_by([&] {
    error = cuModuleLoadData(&module,
                             ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k( { ret; }\n");
  });
  CHECK(error == CUDA_ERROR_INVALID_PTX);
  CHECK(broken.find("gpusim: cuModuleLoadData: ") == 0);
  CHECK(broken.find("line 4") != std::string::npos);
  CHECK(cuModuleLoad(&module, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleLoad(&module, "no/such/file.ptx") == CUDA_ERROR_FILE_NOT_FOUND);
  CHECK(module == nullptr);

  std::string path = std::filesystem::temp_directory_path() / "gpusim_driver_XXXXXX";
  const int file = mkstemp(path.data());
  REQUIRE(file >= 0);
  REQUIRE(write(file, kPtx, std::strlen(kPtx)) == ssize_t(std::strlen(kPtx)));
  close(file);
  CHECK(cuModuleLoad(&module, path.c_str()) == CUDA_SUCCESS);
  unlink(path.c_str());
  CUdeviceptr variable = 0;
  size_t bytes = 0;
  unsigned value = 0;
  CHECK(cuModuleGetGlobal_v2(&variable, &bytes, module, "counter") == CUDA_SUCCESS);
  CHECK(bytes == 4);
  CHECK(cuMemcpyDtoH_v2(&value, variable, 4) == CUDA_SUCCESS);
  CHECK(value == 5);
  CHECK(cuModuleGetGlobal_v2(nullptr, &bytes, module, "table") == CUDA_SUCCESS);
  CHECK(bytes == 16);
  CHECK(cuModuleGetGlobal_v2(&variable, nullptr, module, "counter") == CUDA_SUCCESS);
  CHECK(cuModuleGetGlobal_v2(&variable, &bytes, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetGlobal_v2(&variable, &bytes, module, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleGetGlobal_v2(&variable, &bytes, nullptr, "counter") == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
  CHECK(cuModuleUnload(nullptr) == CUDA_ERROR_INVALID_HANDLE);
}

TEST_CASE_FIXTURE(DriverContext, "a kernel takes its arguments one by one or from a buffer, or is refused") {
  CUmodule module = nullptr;
  CUfunction kernel = nullptr, limited = nullptr, none = nullptr;
  REQUIRE(cuModuleLoadDataEx(&module, kPtx, 0, nullptr, nullptr) == CUDA_SUCCESS);
  REQUIRE(cuModuleGetFunction(&kernel, module, "set_int") == CUDA_SUCCESS);
  REQUIRE(cuModuleGetFunction(&limited, module, "bounded") == CUDA_SUCCESS);
  CHECK(cuModuleGetFunction(&none, module, "nothing") == CUDA_ERROR_NOT_FOUND);
  CHECK(cuModuleGetFunction(nullptr, module, "set_int") == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleGetFunction(&none, nullptr, "set_int") == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuModuleGetFunction(&none, module, nullptr) == CUDA_ERROR_INVALID_VALUE);

  CUdeviceptr out = 0;
  REQUIRE(cuMemAlloc_v2(&out, 4) == CUDA_SUCCESS);
  int value = 17, back = 0;
  const auto launch = [&](CUfunction function, void** arguments, void** extra, unsigned threads = 1) {
    return cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, arguments, extra);
  };
  const auto result = [&] {
    CHECK(cuMemcpyDtoH_v2(&back, out, 4) == CUDA_SUCCESS);
    return back;
  };
  void* arguments[] = {&out, &value};
  CHECK(launch(kernel, arguments, nullptr) == CUDA_SUCCESS);
  CHECK(result() == 17);
  struct {
    CUdeviceptr out;
    int value;
  } buffer = {out, 23};
  size_t size = 12, too_small = 8;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  CHECK(launch(kernel, nullptr, extra) == CUDA_SUCCESS);
  CHECK(result() == 23);
  void* short_extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &too_small,
                         CU_LAUNCH_PARAM_END};
  CHECK(launch(kernel, nullptr, short_extra) == CUDA_ERROR_INVALID_VALUE);
  void* no_buffer[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  CHECK(launch(kernel, nullptr, no_buffer) == CUDA_ERROR_INVALID_VALUE);
  CHECK(launch(kernel, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);       // it has parameters
  CHECK(launch(limited, nullptr, nullptr) == CUDA_SUCCESS);                  // it has none
  CHECK(launch(limited, nullptr, nullptr, 65) == CUDA_ERROR_INVALID_VALUE);  // .maxntid 64
  CHECK(launch(limited, nullptr, nullptr, 4096) == CUDA_ERROR_INVALID_VALUE);
  CHECK(result() == 23);

  CHECK(cuModuleUnload(module) == CUDA_SUCCESS);
  // Another module's function may get its address: it must not become this one.
  CHECK(launch(kernel, arguments, nullptr) == CUDA_ERROR_INVALID_HANDLE);
}
// SPDX-License-Identifier: MIT
