// The driver API, written with the runtime API: one GPU, one context, and the same error numbers. A module is
// registered like the PTX text of an object file, and its kernels like those of an object file.
#include <cstdio>
#include <cstring>
#include <iterator>
#include <set>
#include <string>

#include "base/files.h"
#include "cuda.h"
#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/graph.h"
#include "runtime/process.h"

using namespace gpusim;
using namespace gpusim::runtime;

struct CUctx_st {
  bool is_current = false;
};
struct CUfunc_st {};  // its address identifies a kernel, as a host stub's does
struct CUmod_st {
  std::string ptx;
  const Image* image;
  std::map<std::string, CUfunc_st> functions = {}, variables = {};
};

namespace {

bool cu_init_called = false;

CUctx_st& primary() {
  static CUctx_st context;
  return context;
}

// By cuInit(), or by the runtime API, which makes the primary context the current one.
bool is_initialised() {
  if (!cu_init_called && process().has_context) cu_init_called = primary().is_current = true;
  return cu_init_called;
}

// The driver's error for an error of the runtime.
CUresult result(cudaError_t error) {
  return error == cudaErrorInvalidConfiguration ? CUDA_ERROR_INVALID_VALUE : CUresult(error);
}

CUresult ready() {
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  return primary().is_current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

// Calls the runtime, if there is a context.
template <class Call> CUresult in_context(Call call) {
  const DeviceLock lock;
  if (const CUresult error = ready()) return error;
  return result(call());
}

void* pointer_of(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

CUresult make_current(CUcontext* context, CUdevice device) {
  const DeviceLock lock;
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  primary().is_current = true;
  *context = &primary();
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned int flags) {
  const DeviceLock lock;
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  cu_init_called = true;
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) { return result(cudaDriverGetVersion(version)); }
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  *text = cudaGetErrorString(cudaError_t(error));
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** name) {
  static const std::map<CUresult, const char*> names = {
#define NAME(name) {name, #name}
      NAME(CUDA_SUCCESS),
      NAME(CUDA_ERROR_INVALID_VALUE),
      NAME(CUDA_ERROR_OUT_OF_MEMORY),
      NAME(CUDA_ERROR_NOT_INITIALIZED),
      NAME(CUDA_ERROR_DEINITIALIZED),
      NAME(CUDA_ERROR_NO_DEVICE),
      NAME(CUDA_ERROR_INVALID_DEVICE),
      NAME(CUDA_ERROR_INVALID_IMAGE),
      NAME(CUDA_ERROR_INVALID_CONTEXT),
      NAME(CUDA_ERROR_INVALID_PTX),
      NAME(CUDA_ERROR_FILE_NOT_FOUND),
      NAME(CUDA_ERROR_INVALID_HANDLE),
      NAME(CUDA_ERROR_NOT_FOUND),
      NAME(CUDA_ERROR_NOT_READY),
      NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
      NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
      NAME(CUDA_ERROR_LAUNCH_FAILED),
      NAME(CUDA_ERROR_NOT_SUPPORTED),
#undef NAME
  };
  const auto found = names.find(error);
  if (!name) return CUDA_ERROR_INVALID_VALUE;
  *name = found == names.end() ? "CUDA_ERROR_UNKNOWN" : found->second;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return is_initialised() ? result(cudaGetDeviceCount(count)) : CUDA_ERROR_NOT_INITIALIZED;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return result(error);
  if (!name || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, std::size_t(length), "%s", properties.name);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
  return result(cudaDeviceGetAttribute(value, cudaDeviceAttr(attribute), device));
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  if (const CUresult error =
          cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
    return error;
  return cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}
CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice device) {
  cudaDeviceProp properties;
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, device)) return result(error);
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  *bytes = properties.totalGlobalMem;
  return CUDA_SUCCESS;
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned int, CUdevice device) {
  return make_current(context, device);
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return make_current(context, device);
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  return is_initialised() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}
CUresult cuCtxSetCurrent(CUcontext context) {
  const DeviceLock lock;
  if (!is_initialised()) return CUDA_ERROR_NOT_INITIALIZED;
  if (context && context != &primary()) return CUDA_ERROR_INVALID_CONTEXT;
  primary().is_current = context != nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  const DeviceLock lock;
  if (!context) return CUDA_ERROR_INVALID_VALUE;
  *context = is_initialised() && primary().is_current ? &primary() : nullptr;
  return CUDA_SUCCESS;
}
CUresult cuCtxDestroy_v2(CUcontext context) {
  return context == &primary() ? cuCtxSetCurrent(nullptr) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return context ? cuCtxSetCurrent(context) : CUDA_ERROR_INVALID_CONTEXT;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  if (const CUresult error = ready()) return error;
  if (context) *context = &primary();
  return cuCtxSetCurrent(nullptr);
}
CUresult cuCtxGetDevice(CUdevice* device) {
  return in_context([=] { return cudaGetDevice(device); });
}
CUresult cuCtxSynchronize() { return in_context(cudaDeviceSynchronize); }

CUresult cuModuleLoadData(CUmodule* module, const void* ptx) {
  const DeviceLock lock;
  if (const CUresult error = ready()) return error;
  if (!module || !ptx) return CUDA_ERROR_INVALID_VALUE;
  const char* const text = static_cast<const char*>(ptx);
  if (std::strncmp(text,
                   "\x7f"
                   "ELF",
                   4) == 0 ||
      u8(text[0]) == 0x50) {  // a cubin or a fat binary
    tell("cuModuleLoadData: there is no machine code for the simulated GPU; give it PTX (simcc -ptx)");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  auto loaded = new CUmod_st{text, nullptr};
  auto image = std::make_unique<Image>();
  image->ptx = loaded->ptx.c_str();
  loaded->image = image.get();
  std::string error;
  if (!device().load(image->ptx, &error)) {
    tell("cuModuleLoadData: " + error);
    delete loaded;
    return CUDA_ERROR_INVALID_PTX;
  }
  process().registry.images.push_back(std::move(image));
  *module = loaded;
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* ptx, unsigned int, int*, void**) {
  return cuModuleLoadData(module, ptx);
}
CUresult cuModuleLoad(CUmodule* module, const char* file) {
  if (!file) return CUDA_ERROR_INVALID_VALUE;
  std::istringstream in = open_file(file);
  if (!in) return CUDA_ERROR_FILE_NOT_FOUND;
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  return cuModuleLoadData(module, text.c_str());
}
// What a module has loaded stays until the program ends. Only its names are removed, everywhere, because the
// functions of the next module may get the same addresses.
CUresult cuModuleUnload(CUmodule module) {
  const DeviceLock lock;
  if (!module) return CUDA_ERROR_INVALID_HANDLE;
  for (auto& [name, function] : module->functions) {
    process().registry.kernels.erase(&function);
    for (const auto& context : process().contexts) context->loaded.kernels.erase(&function);
  }
  for (auto& [name, variable] : module->variables) process().registry.variables.erase(&variable);
  module->functions.clear();
  module->variables.clear();
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const DeviceLock lock;
  if (!function || !module || !name) return CUDA_ERROR_INVALID_VALUE;
  CUfunc_st* const key = &module->functions[name];
  process().registry.kernels[key] = {module->image, name};
  cudaError_t error = cudaSuccess;
  if (!find_kernel(key, &error)) {
    process().registry.kernels.erase(key);
    cudaGetLastError();
    return CUDA_ERROR_NOT_FOUND;
  }
  *function = key;
  return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
  const DeviceLock lock;
  if (!module || !name) return CUDA_ERROR_INVALID_VALUE;
  CUfunc_st* const key = &module->variables[name];
  process().registry.variables[key] = {module->image, name};
  cudaError_t error = cudaSuccess;
  const Module::Variable* const variable = find_variable(key, &error);
  if (!variable) {
    process().registry.variables.erase(key);
    cudaGetLastError();
    return CUDA_ERROR_NOT_FOUND;
  }
  if (pointer) *pointer = variable->address;
  if (bytes) *bytes = variable->size;
  return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z,
                        unsigned int shared_bytes, CUstream stream, void** arguments, void** extra) {
  return in_context([&]() -> cudaError_t {
    cudaError_t error = cudaSuccess;
    const LoadedKernel* const kernel = find_kernel(function, &error);
    if (!kernel) return cudaErrorInvalidResourceHandle;
    std::vector<void*> unpacked;
    if (!arguments && extra) {  // all arguments are in one buffer
      u8* buffer = nullptr;
      std::size_t size = 0;
      for (void** option = extra; *option != CU_LAUNCH_PARAM_END; option += 2) {
        if (option[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<u8*>(option[1]);
        if (option[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<std::size_t*>(option[1]);
      }
      for (const ParamInfo& parameter : kernel->info->params) {
        if (!buffer || parameter.offset + parameter.size > size) return cudaErrorInvalidValue;
        unpacked.push_back(buffer + parameter.offset);
      }
      arguments = unpacked.data();
    }
    if (!arguments && !kernel->info->params.empty()) return cudaErrorInvalidValue;
    return cudaLaunchKernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, arguments,
                            shared_bytes, stream);
  });
}

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  return in_context([=] { return cudaMalloc(reinterpret_cast<void**>(pointer), bytes); });
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  return in_context([=] { return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags); });
}
CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return in_context([=] { return cudaMallocHost(pointer, bytes); });
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return in_context([=] { return cudaFree(pointer_of(pointer)); });
}
CUresult cuMemFreeHost(void* pointer) {
  return in_context([=] { return cudaFreeHost(pointer); });
}
CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes) {
  return in_context([=] { return cudaMemGetInfo(free_bytes, total_bytes); });
}
CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  const DeviceLock lock;
  bool found = false;
  const CUresult result = in_context([&] {
    const Allocation* const allocation = runtime::device().memory.find(pointer);
    found = allocation != nullptr;
    if (found && base) *base = CUdeviceptr(allocation->base);
    if (found && bytes) *bytes = allocation->size;
    return cudaSuccess;
  });
  return result == CUDA_SUCCESS && !found ? CUDA_ERROR_NOT_FOUND : result;
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return in_context([=] { return cudaMemcpy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault); });
}
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, size_t bytes) {
  return in_context([=] { return cudaMemcpy(pointer_of(to), from, bytes, cudaMemcpyHostToDevice); });
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, size_t bytes) {
  return in_context([=] { return cudaMemcpy(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost); });
}
CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return in_context(
      [=] { return cudaMemcpy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice); });
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return in_context(
      [=] { return cudaMemcpyAsync(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, stream); });
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return in_context(
      [=] { return cudaMemcpyAsync(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, stream); });
}
CUresult cuMemsetD8_v2(CUdeviceptr pointer, unsigned char value, size_t count) {
  return in_context([=] { return cudaMemset(pointer_of(pointer), value, count); });
}
CUresult cuMemsetD32_v2(CUdeviceptr pointer, unsigned int value, size_t count) {
  return in_context([=] { return fill_elements(pointer_of(pointer), value, sizeof value, count, nullptr); });
}

CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  return in_context([=] { return cudaStreamCreateWithFlags(stream, flags); });
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  return in_context([=] { return cudaStreamDestroy(stream); });
}
CUresult cuStreamSynchronize(CUstream stream) {
  return in_context([=] { return cudaStreamSynchronize(stream); });
}
CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  return in_context([=] { return cudaEventCreateWithFlags(event, flags); });
}
CUresult cuEventDestroy_v2(CUevent event) {
  return in_context([=] { return cudaEventDestroy(event); });
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  return in_context([=] { return cudaEventRecord(event, stream); });
}
CUresult cuEventSynchronize(CUevent event) {
  return in_context([=] { return cudaEventSynchronize(event); });
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent stop) {
  return in_context([=] { return cudaEventElapsedTime(milliseconds, start, stop); });
}

}  // extern "C"
// SPDX-License-Identifier: MIT
