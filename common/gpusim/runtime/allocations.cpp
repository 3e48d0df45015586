// cudaMalloc and its kin: device memory, pinned and managed host memory.
#include "runtime/allocations.h"

#include <sys/mman.h>

#include <cstdlib>
#include <map>

#include "base/sizes.h"
#include "cuda_runtime_api.h"
#include "execution/events.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/memory_pools.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

constexpr std::size_t kPitchAlignment = 512;  // bytes
constexpr std::size_t kPage = 4096;

Memory& memory() { return device().memory; }
// These two tell the checks of memory that is allocated and freed.
void tell_allocated(u64 base) {
  for (Observer* observer : owner_of(base).observers) observer->allocated(*memory_of(base).find(base));
}
void release(u64 base) {
  for (Observer* observer : owner_of(base).observers) observer->freed(*memory_of(base).find(base));
  memory_of(base).release(base);
  tell_pools_freed(base);
}

// Host memory that GPUs can use. True: the runtime has allocated it. False: it belongs to the program
// (cudaHostRegister). All GPUs see it, and GPU 0 has the list.
std::map<u64, bool>& mapped_is_ours() { return process().contexts[0]->mapped_is_ours; }
Memory& host_memory() { return process().contexts[0]->gpu.device.memory; }

cudaError_t allocate_host(void** pointer, std::size_t size, MemoryKind kind) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_unsafe()) return error;
  if (const cudaError_t error = synchronise()) return error;
  if (!pointer) return refuse(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (size == 0) return kind == MemoryKind::managed ? refuse(cudaErrorInvalidValue) : cudaSuccess;
  if (size > memory().total()) return refuse(cudaErrorMemoryAllocation);
  void* host = std::aligned_alloc(kPage, align_up(size, kPage));
  if (!host) return refuse(cudaErrorMemoryAllocation);
  if (!host_memory().map_host(host, size, kind)) {
    std::free(host);
    return refuse(cudaErrorMemoryAllocation);
  }
  mapped_is_ours()[number(host)] = true;
  tell_allocated(number(host));
  *pointer = host;
  return cudaSuccess;
}

// Unmaps the memory that starts at `pointer`. Returns false if it is not mapped, or not of this kind.
bool unmap(void* pointer, MemoryKind kind, bool ours) {
  const Allocation* found = memory_of(number(pointer)).find(number(pointer));
  const auto mapped = mapped_is_ours().find(number(pointer));
  if (!found || found->base != number(pointer) || found->kind != kind) return false;
  if (mapped == mapped_is_ours().end() || mapped->second != ours) return false;
  release(number(pointer));
  mapped_is_ours().erase(mapped);
  if (ours) std::free(pointer);
  return true;
}

cudaError_t free_memory(void* pointer) {
  if (const cudaError_t error = synchronise()) return error;
  if (!pointer || unmap(pointer, MemoryKind::managed, true)) return cudaSuccess;
  const Allocation* found = memory_of(number(pointer)).find(number(pointer));
  if (!found || found->base != number(pointer) || found->kind != MemoryKind::device)
    return refuse(cudaErrorInvalidValue);
  release(found->base);
  return cudaSuccess;
}

// The place of managed memory makes no difference here, but a range that is not managed is an error.
cudaError_t check_managed(const void* pointer, size_t count, int device) {
  const DeviceLock lock;
  if (!is_gpu(device) && device != cudaCpuDeviceId) return refuse(cudaErrorInvalidDevice);
  const Allocation* found = memory_of(number(pointer)).find(number(pointer));
  if (!found || found->kind != MemoryKind::managed || !found->contains(number(pointer), count))
    return refuse(cudaErrorInvalidValue);
  return cudaSuccess;
}

}  // namespace

namespace gpusim::runtime {

// msync() asks to write mapped pages back. It fails if a page of the range is not mapped, and is harmless
// otherwise.
bool is_mapped(u64 address, std::size_t size) {
  if (!can_lie_at(address, size)) return false;
  const u64 first = address / kPage * kPage;
  return msync(reinterpret_cast<void*>(first), address + size - first, MS_ASYNC) == 0;
}

void free_everything() {
  std::map<u64, Allocation> live = memory().allocations();
  for (const auto& [base, allocation] : live) {
    if (allocation.kind == MemoryKind::device) release(base);
    if (&memory() != &host_memory()) continue;
    if (const auto mapped = mapped_is_ours().find(base); mapped != mapped_is_ours().end())
      unmap(reinterpret_cast<void*>(base), allocation.kind, mapped->second);
  }
}

}  // namespace gpusim::runtime

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_unsafe()) return error;
  if (const cudaError_t error = synchronise()) return error;
  if (!pointer) return refuse(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  const u64 address = memory().allocate(size);
  if (address == 0) return refuse(cudaErrorMemoryAllocation);
  tell_allocated(address);
  *pointer = reinterpret_cast<void*>(address);
  return cudaSuccess;
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  const DeviceLock lock;
  if (!pitch || width > SIZE_MAX - kPitchAlignment) return refuse(cudaErrorInvalidValue);
  const size_t row = align_up(width, kPitchAlignment);
  const cudaError_t error = cudaMalloc(pointer, times(row, height));
  if (error != cudaSuccess) return error;
  *pitch = row;
  if (*pointer) memory().set_pitch(number(*pointer), row);
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_unsafe()) return error;
  finish_all();  // kernels of other GPUs may use it as well
  return free_memory(pointer);
}

// Does not wait: what other streams do with the memory must be ordered before.
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const DeviceLock lock;
  if (capturing(stream)) {
    tell("freeing memory in a graph is not simulated: free it after the launches of the graph");
    return refuse(cudaErrorNotSupported);
  }
  if (!pointer) return refuse(cudaErrorInvalidValue);
  if (!find_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  if (is_multi_gpu()) return cudaFree(pointer);
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  const CUstream_st* const s = begin_now(stream);
  const Allocation* const found = memory_of(number(pointer)).find(number(pointer));
  if (s && found) tell_in_stream("cudaFreeAsync", found->base, found->size, true, *s, "frees");
  return free_memory(pointer);
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const DeviceLock lock;
  if (const cudaError_t error = synchronise()) return error;
  if (!free_bytes || !total_bytes) return refuse(cudaErrorInvalidValue);
  *total_bytes = memory().total();
  *free_bytes = memory().total() - memory().used();
  return cudaSuccess;
}

cudaError_t cudaMallocHost(void** pointer, size_t size) {
  const DeviceLock lock;
  return allocate_host(pointer, size, MemoryKind::pinned);
}

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  const DeviceLock lock;
  if (flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
    return refuse(cudaErrorInvalidValue);
  return allocate_host(pointer, size, MemoryKind::pinned);
}

cudaError_t cudaFreeHost(void* pointer) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_unsafe()) return error;
  finish_all();
  if (const cudaError_t error = synchronise()) return error;
  if (!pointer || unmap(pointer, MemoryKind::pinned, true)) return cudaSuccess;
  return refuse(cudaErrorInvalidValue);
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int) {
  const DeviceLock lock;
  if (const cudaError_t error = synchronise()) return error;
  if (!pointer || size == 0 || !is_mapped(number(pointer), size)) return refuse(cudaErrorInvalidValue);
  if (!host_memory().map_host(pointer, size, MemoryKind::pinned))
    return refuse(cudaErrorHostMemoryAlreadyRegistered);
  mapped_is_ours()[number(pointer)] = false;
  tell_allocated(number(pointer));
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* pointer) {
  const DeviceLock lock;
  finish_all();
  if (const cudaError_t error = synchronise()) return error;
  if (!pointer) return refuse(cudaErrorInvalidValue);
  return unmap(pointer, MemoryKind::pinned, false) ? cudaSuccess : refuse(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetDevicePointer(void** device_pointer, void* host_pointer, unsigned int flags) {
  const DeviceLock lock;
  if (!device_pointer || flags != 0) return refuse(cudaErrorInvalidValue);
  const Allocation* found = memory_of(number(host_pointer)).find(number(host_pointer));
  if (!found || found->kind != MemoryKind::pinned) return refuse(cudaErrorInvalidValue);
  *device_pointer = host_pointer;
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host_pointer) {
  const DeviceLock lock;
  if (!flags) return refuse(cudaErrorInvalidValue);
  const auto mapped = mapped_is_ours().find(number(host_pointer));
  const Allocation* found = memory_of(number(host_pointer)).find(number(host_pointer));
  if (!found || found->kind != MemoryKind::pinned || mapped == mapped_is_ours().end())
    return refuse(cudaErrorInvalidValue);
  *flags = cudaHostAllocMapped;  // with unified addresses, all pinned memory is mapped
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  const DeviceLock lock;
  if (!attributes) return refuse(cudaErrorInvalidValue);
  void* const p = const_cast<void*>(pointer);
  *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, p};
  const Allocation* found = memory_of(number(pointer)).find(number(pointer));
  if (!found) return cudaSuccess;
  switch (found->kind) {
    case MemoryKind::pinned: *attributes = {cudaMemoryTypeHost, 0, p, p}; break;
    case MemoryKind::managed: *attributes = {cudaMemoryTypeManaged, 0, p, p}; break;
    default: *attributes = {cudaMemoryTypeDevice, int(Memory::gpu_of(number(pointer))), p, nullptr}; break;
  }
  return cudaSuccess;
}

}  // extern "C"

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags) {
  const DeviceLock lock;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return refuse(cudaErrorInvalidValue);
  return allocate_host(pointer, size, MemoryKind::managed);
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t) {
  const DeviceLock lock;
  return check_managed(pointer, count, device);
}
cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise, int device) {
  const DeviceLock lock;
  return check_managed(pointer, count, device);
}
// No effect: every stream may use managed memory at any time, because no kernel runs at the same time as host
// code.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void* pointer, size_t, unsigned int flags) {
  const DeviceLock lock;
  const Allocation* found = memory_of(number(pointer)).find(number(pointer));
  if (!found || found->kind != MemoryKind::managed ||
      (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle))
    return refuse(cudaErrorInvalidValue);
  return cudaSuccess;
}
// SPDX-License-Identifier: MIT
