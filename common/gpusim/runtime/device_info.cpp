// The one simulated device: what it is, and the settings that it accepts.
#include <cstdio>
#include <map>

#include "cuda_runtime_api.h"
#include "runtime/allocations.h"
#include "runtime/errors.h"
#include "runtime/registry.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

constexpr int kMultiprocessors = 108;  // of compute capability 8.0

cudaDeviceProp describe() {
  cudaDeviceProp p = {};
  std::snprintf(p.name, sizeof p.name, "Simulated GPU");
  p.totalGlobalMem = Device::instance().memory.total();
  p.sharedMemPerBlock = Limits::static_shared_bytes;
  p.sharedMemPerBlockOptin = Limits::dynamic_shared_bytes;
  p.sharedMemPerMultiprocessor = Limits::shared_bytes_per_sm;
  p.reservedSharedMemPerBlock = Limits::shared_bytes_per_sm - Limits::dynamic_shared_bytes;
  p.regsPerBlock = p.regsPerMultiprocessor = Limits::registers_per_sm;
  p.warpSize = kWarpSize;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = Limits::max_threads_per_block;
  p.maxThreadsPerMultiProcessor = Limits::threads_per_sm;
  p.maxBlocksPerMultiProcessor = Limits::blocks_per_sm;
  p.maxThreadsDim[0] = Limits::max_block_x;
  p.maxThreadsDim[1] = Limits::max_block_y;
  p.maxThreadsDim[2] = Limits::max_block_z;
  p.maxGridSize[0] = Limits::max_grid_x;
  p.maxGridSize[1] = Limits::max_grid_y;
  p.maxGridSize[2] = Limits::max_grid_z;
  p.totalConstMem = 64 * 1024;
  p.major = 8;
  p.minor = 0;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = kMultiprocessors;
  p.deviceOverlap = p.concurrentKernels = p.streamPrioritiesSupported = 1;
  p.asyncEngineCount = 1;
  p.canMapHostMemory = p.unifiedAddressing = p.canUseHostPointerForRegisteredMem = 1;
  p.managedMemory = p.concurrentManagedAccess = 1;
  p.l2CacheSize = 40 * 1024 * 1024;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  return p;
}

cudaError_t check_device(int device) { return device == 0 ? cudaSuccess : refuse(cudaErrorInvalidDevice); }

std::map<int, size_t>& limits() {
  static auto& map = *new std::map<int, size_t>{
      {cudaLimitStackSize, 1024}, {cudaLimitPrintfFifoSize, 1 << 20}, {cudaLimitMallocHeapSize, 8 << 20}};
  return map;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return refuse(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (!device) return refuse(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return check_device(device); }
cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return wanted ? cudaGetDevice(device) : refuse(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (!properties) return refuse(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device)) return error;
  *properties = describe();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (!value) return refuse(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device)) return error;
  const cudaDeviceProp p = describe();
  switch (attribute) {
#define DEVICE_ATTRIBUTE(name, number, expression) \
  case cudaDevAttr##name: *value = int(expression); return cudaSuccess;
#include "gpusim/detail/device_attributes.def"
#undef DEVICE_ATTRIBUTE
  }
  return refuse(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSynchronize() {
  const DeviceLock lock;
  return synchronise();
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }

cudaError_t cudaDeviceReset() {
  const DeviceLock lock;
  free_everything();
  unload_modules();
  forget_errors();
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (!version) return refuse(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const DeviceLock lock;
  if (!value || !limits().count(limit)) return refuse(cudaErrorInvalidValue);
  *value = limits()[limit];
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const DeviceLock lock;
  if (!limits().count(limit)) return refuse(cudaErrorInvalidValue);
  limits()[limit] = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  if (!can) return refuse(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device)) return error;
  if (const cudaError_t error = check_device(peer)) return error;
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

// There is no cache to prefer, and no profiler.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // extern "C"
