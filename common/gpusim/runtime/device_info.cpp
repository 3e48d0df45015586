// The simulated devices: what they are, and the settings that they accept.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "cuda_runtime_api.h"
#include "memory/textures.h"
#include "runtime/allocations.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/memory_pools.h"
#include "runtime/process.h"
#include "runtime/registry.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

template <std::size_t n> void set(int (&to)[n], const int (&from)[n]) { std::copy(from, from + n, to); }

// The limits of compute capability 8.0 for those kinds of textures and surfaces that are simulated.
void describe_textures(cudaDeviceProp& p) {
  p.maxTexture1D = 131072;
  p.maxTexture1DLinear = 1 << 28;
  set(p.maxTexture2D, {131072, 65536});
  set(p.maxTexture2DLinear, {131072, 65000, 2097120});
  set(p.maxTexture3D, {16384, 16384, 16384});
  set(p.maxTexture3DAlt, {8192, 8192, 32768});
  set(p.maxTexture1DLayered, {32768, 2048});
  set(p.maxTexture2DLayered, {32768, 32768, 2048});
  p.maxSurface1D = 32768;
  set(p.maxSurface2D, {131072, 65536});
  set(p.maxSurface3D, {16384, 16384, 16384});
  set(p.maxSurface1DLayered, {32768, 2048});
  set(p.maxSurface2DLayered, {32768, 32768, 2048});
}

cudaDeviceProp describe() {
  cudaDeviceProp p = {};
  const Capacity& capacity = device().capacity;
  std::snprintf(p.name, sizeof p.name, "Simulated GPU");
  p.totalGlobalMem = device().memory.total();
  p.sharedMemPerBlock = Limits::static_shared_bytes;
  p.sharedMemPerBlockOptin = capacity.shared_bytes_of_block;
  p.sharedMemPerMultiprocessor = capacity.shared_bytes;
  p.reservedSharedMemPerBlock = capacity.shared_bytes_reserved();
  p.regsPerBlock = p.regsPerMultiprocessor = int(capacity.registers);
  p.warpSize = kWarpSize;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = Limits::max_threads_per_block;
  p.maxThreadsPerMultiProcessor = int(capacity.threads);
  p.maxBlocksPerMultiProcessor = int(capacity.blocks);
  p.maxThreadsDim[0] = Limits::max_block_x;
  p.maxThreadsDim[1] = Limits::max_block_y;
  p.maxThreadsDim[2] = Limits::max_block_z;
  p.maxGridSize[0] = Limits::max_grid_x;
  p.maxGridSize[1] = Limits::max_grid_y;
  p.maxGridSize[2] = Limits::max_grid_z;
  p.totalConstMem = 64 * 1024;
  p.major = 8;
  p.minor = 0;
  p.textureAlignment = p.surfaceAlignment = 512;
  describe_textures(p);
  p.memoryPoolsSupported = p.hostRegisterSupported = 1;
  p.texturePitchAlignment = kTexturePitch;
  p.multiProcessorCount = int(capacity.multiprocessors);
  p.deviceOverlap = p.concurrentKernels = p.streamPrioritiesSupported = 1;
  p.asyncEngineCount = 1;
  p.cooperativeLaunch = p.canMapHostMemory = p.unifiedAddressing = p.canUseHostPointerForRegisteredMem = 1;
  p.managedMemory = p.concurrentManagedAccess = 1;
  p.l2CacheSize = 40 * 1024 * 1024;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  if (!process().machine) return p;
  const timing::Machine& machine = *process().machine;
  std::snprintf(p.name, sizeof p.name, "Simulated %s", machine.name().c_str());
  p.major = int(machine.major);
  p.minor = int(machine.minor);
  p.l2CacheSize = int(machine.l2_bytes);
  p.clockRate = int(1e3 * machine.clock_limit_megahertz);  // kHz
  p.memoryClockRate = int(1e3 * machine.memory_clock_megahertz);
  p.memoryBusWidth = int(machine.memory_bus_bits);
  return p;
}

// "0000:00:00.0". Each GPU has a bus number of its own.
std::string bus_id_of(int device) {
  char text[16];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", unsigned(device) & 0xff);
  return text;
}

cudaError_t check_device(int device) { return is_gpu(device) ? cudaSuccess : refuse(cudaErrorInvalidDevice); }

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (!count) return refuse(cudaErrorInvalidValue);
  const DeviceLock lock;
  *count = int(process().visible);
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  if (!device) return refuse(cudaErrorInvalidValue);
  *device = int(current_number());
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  const DeviceLock lock;
  if (const cudaError_t error = check_device(device)) return error;
  set_current(gpusim::u32(device));
  return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  const DeviceLock lock;
  if (flags & ~unsigned(cudaDeviceMask)) return refuse(cudaErrorInvalidValue);
  current().flags = flags;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  const DeviceLock lock;
  if (!flags) return refuse(cudaErrorInvalidValue);
  *flags = current().flags;
  return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) { return check_device(device); }
cudaError_t cudaSetValidDevices(int* devices, int count) {
  if (count < 0 || count > int(process().visible) || (count > 0 && !devices))
    return refuse(cudaErrorInvalidValue);
  for (int k = 0; k < count; ++k)
    if (const cudaError_t error = check_device(devices[k])) return error;
  return cudaSuccess;
}

// A simulated GPU is on no bus, but programs print the name or find a device by it.
cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device) {
  if (!bus_id || length <= int(bus_id_of(0).size())) return refuse(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device)) return error;
  std::memcpy(bus_id, bus_id_of(device).c_str(), bus_id_of(device).size() + 1);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id) {
  if (!device || !bus_id) return refuse(cudaErrorInvalidValue);
  unsigned domain = 0, bus = 0, slot = 0;
  const bool names_domain = std::sscanf(bus_id, "%x:%x:%x", &domain, &bus, &slot) == 3;
  if (!names_domain && std::sscanf(bus_id, "%x:%x", &bus, &slot) != 2) return refuse(cudaErrorInvalidValue);
  if (domain != 0 || bus >= process().visible || slot != 0) return refuse(cudaErrorInvalidDevice);
  *device = int(bus);
  return cudaSuccess;
}
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
  if (const cudaError_t error = forbid_waiting_for_all()) return error;
  finish(current());
  return synchronise();
}
cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit() { return cudaDeviceReset(); }

cudaError_t cudaDeviceReset() {
  const DeviceLock lock;
  finish_all();
  free_everything();
  forget_pools();
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
  if (!value || !current().limits.count(limit)) return refuse(cudaErrorInvalidValue);
  *value = current().limits[limit];
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const DeviceLock lock;
  // Local memory of a thread, in bytes: no stack is larger. An H100 accepts any value for the other limits.
  constexpr size_t kMostLocal = 512 * 1024;
  if (!current().limits.count(limit)) return refuse(cudaErrorInvalidValue);
  if (limit == cudaLimitStackSize && value > kMostLocal) return refuse(cudaErrorInvalidValue);
  if (limit == cudaLimitPersistingL2CacheSize) value = 0;  // no more than persistingL2CacheMaxSize
  current().limits[limit] = value;
  if (limit == cudaLimitMallocHeapSize) device().memory.heap_limit = value;
  if (limit == cudaLimitStackSize) device().memory.stack_limit = value;
  return cudaSuccess;
}

cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }

// Every GPU can use the memory of every other GPU, and none is its own peer.
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  const DeviceLock lock;
  if (!can) return refuse(cudaErrorInvalidValue);
  if (const cudaError_t error = check_device(device)) return error;
  if (const cudaError_t error = check_device(peer)) return error;
  *can = device != peer;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  const DeviceLock lock;
  if (flags) return refuse(cudaErrorInvalidValue);
  const gpusim::u32 self = current().gpu.device.number;
  if (!is_gpu(peer) || gpusim::u32(peer) == self) return refuse(cudaErrorInvalidDevice);
  if (process().peers.may_use(self, gpusim::u32(peer))) return refuse(cudaErrorPeerAccessAlreadyEnabled);
  process().peers.allow(self, gpusim::u32(peer), true);
  return cudaSuccess;
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  const DeviceLock lock;
  const gpusim::u32 self = current().gpu.device.number;
  if (!is_gpu(peer) || gpusim::u32(peer) == self) return refuse(cudaErrorInvalidDevice);
  if (!process().peers.may_use(self, gpusim::u32(peer))) return refuse(cudaErrorPeerAccessNotEnabled);
  finish(current());
  process().peers.allow(self, gpusim::u32(peer), false);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
  const DeviceLock lock;
  if (!value) return refuse(cudaErrorInvalidValue);
  if (!is_gpu(device) || !is_gpu(peer) || device == peer) return refuse(cudaErrorInvalidDevice);
  *value = attribute == cudaDevP2PAttrAccessSupported || attribute == cudaDevP2PAttrNativeAtomicSupported;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

// Settings without effect: there is no cache to prefer and no profiler, and banks of shared memory are four
// bytes wide, the only width since compute capability 5.0.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache preference) {
  const DeviceLock lock;
  if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual)
    return refuse(cudaErrorInvalidValue);
  current().cache_preference = preference;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* preference) {
  const DeviceLock lock;
  if (!preference) return refuse(cudaErrorInvalidValue);
  *preference = current().cache_preference;
  return cudaSuccess;
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache preference) {
  return cudaDeviceSetCacheConfig(preference);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* preference) {
  return cudaDeviceGetCacheConfig(preference);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte
             ? refuse(cudaErrorInvalidValue)
             : cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (!config) return refuse(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

}  // extern "C"
// SPDX-License-Identifier: MIT
