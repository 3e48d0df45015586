// cudaMallocAsync and the pools that it takes memory from. Freed memory goes back at once, so a pool reserves
// exactly the memory that is in use.
#include "runtime/memory_pools.h"

#include <algorithm>
#include <map>
#include <memory>

#include "cuda_runtime_api.h"
#include "runtime/capture.h"
#include "runtime/errors.h"

using namespace gpusim;
using namespace gpusim::runtime;

struct CUmemPoolHandle_st {
  u32 gpu = 0;
  bool is_default = false;
  bool is_destroyed = false;  // by the program, which still uses memory of the pool
  int follow_events = 1, opportunistic = 1, internal = 1;
  u64 threshold = 0, used = 0, high = 0;
  std::map<u64, u64> pieces = {};  // address and bytes of each allocation
};

namespace {

using Pool = CUmemPoolHandle_st;

// The pools of all GPUs: the default ones that a program has asked for, those that it has made, and for each
// GPU the one that it uses.
struct Pools {
  std::map<u32, Pool> defaults;
  std::map<u32, Pool*> chosen;
  std::map<Pool*, std::unique_ptr<Pool>> made;
};
Pools& pools() {
  static Pools& instance = *new Pools;  // never destroyed, like process()
  return instance;
}

Pool& default_of(u32 gpu) {
  Pool& pool = pools().defaults[gpu];
  pool.gpu = gpu;
  pool.is_default = true;
  return pool;
}
Pool& used_by(u32 gpu) {
  const auto chosen = pools().chosen.find(gpu);
  return chosen == pools().chosen.end() ? default_of(gpu) : *chosen->second;
}

bool is_pool(const Pool* pool) {
  const auto is_it = [&](auto& item) { return &item.second == pool; };
  const auto own = pools().made.find(const_cast<Pool*>(pool));
  return std::ranges::any_of(pools().defaults, is_it) || (own != pools().made.end() && !pool->is_destroyed);
}

// The member for an attribute that a program can set; null for others.
int* flag(Pool& pool, cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies: return &pool.follow_events;
    case cudaMemPoolReuseAllowOpportunistic: return &pool.opportunistic;
    case cudaMemPoolReuseAllowInternalDependencies: return &pool.internal;
    default: return nullptr;
  }
}

cudaError_t allocate(void** pointer, size_t size, Pool& pool, cudaStream_t stream) {
  if (!pointer || size == 0) return refuse(cudaErrorInvalidValue);
  if (!find_stream(stream)) return refuse(cudaErrorInvalidResourceHandle);
  if (capturing(stream)) {
    tell("memory that a graph allocates is not simulated: allocate it before the capture");
    return refuse(cudaErrorNotSupported);
  }
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  const OnGpu on(*process().contexts[pool.gpu]);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;  // captures of other streams do not forbid this
  cudaThreadExchangeStreamCaptureMode(&mode);
  const cudaError_t error = cudaMalloc(pointer, size);
  cudaThreadExchangeStreamCaptureMode(&mode);
  if (error != cudaSuccess) return error;
  pool.pieces[reinterpret_cast<u64>(*pointer)] = size;
  pool.used += size;
  pool.high = std::max(pool.high, pool.used);
  // Until its turn in the stream, the pool may still have given this memory to another stream.
  if (const CUstream_st* const s = is_multi_gpu() ? nullptr : begin_now(stream))
    tell_in_stream("cudaMallocAsync", reinterpret_cast<u64>(*pointer), size, true, *s, "allocates");
  return cudaSuccess;
}

}  // namespace

namespace gpusim::runtime {

void tell_pools_freed(u64 address) {
  const auto free_in = [&](Pool& pool) {
    const auto piece = pool.pieces.find(address);
    if (piece == pool.pieces.end()) return;
    pool.used -= piece->second;
    pool.pieces.erase(piece);
  };
  for (auto& [gpu, pool] : pools().defaults) free_in(pool);
  for (auto& [handle, pool] : pools().made) free_in(*pool);
  std::erase_if(pools().made,
                [](const auto& own) { return own.second->is_destroyed && own.second->pieces.empty(); });
}

void forget_pools() { pools() = {}; }

}  // namespace gpusim::runtime

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  const DeviceLock lock;
  if (!is_gpu(device)) return refuse(cudaErrorInvalidDevice);
  if (!pool) return refuse(cudaErrorInvalidValue);
  *pool = &default_of(u32(device));
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  const DeviceLock lock;
  if (!is_gpu(device)) return refuse(cudaErrorInvalidDevice);
  if (!pool) return refuse(cudaErrorInvalidValue);
  *pool = &used_by(u32(device));
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  const DeviceLock lock;
  if (!is_gpu(device)) return refuse(cudaErrorInvalidDevice);
  if (!is_pool(pool) || pool->gpu != u32(device)) return refuse(cudaErrorInvalidValue);
  pools().chosen[u32(device)] = pool;
  return cudaSuccess;
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  const DeviceLock lock;
  if (!pool || !properties || properties->allocType != cudaMemAllocationTypePinned ||
      properties->location.type != cudaMemLocationTypeDevice || !is_gpu(properties->location.id))
    return refuse(cudaErrorInvalidValue);
  if (properties->handleTypes != cudaMemHandleTypeNone) {
    tell("pools that processes share are not simulated");
    return refuse(cudaErrorNotSupported);
  }
  auto made = std::make_unique<Pool>();
  made->gpu = u32(properties->location.id);
  *pool = made.get();
  pools().made[*pool] = std::move(made);
  return cudaSuccess;
}
// Memory from the pool stays valid until it is freed.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const DeviceLock lock;
  if (!is_pool(pool) || pool->is_default) return refuse(cudaErrorInvalidValue);
  std::erase_if(pools().chosen, [&](const auto& choice) { return choice.second == pool; });
  if (pool->pieces.empty()) pools().made.erase(pool);
  else pool->is_destroyed = true;
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const DeviceLock lock;
  if (!is_pool(pool) || !value) return refuse(cudaErrorInvalidValue);
  if (const int* own = flag(*pool, attribute)) {
    *static_cast<int*>(value) = *own;
    return cudaSuccess;
  }
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold: *static_cast<u64*>(value) = pool->threshold; break;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: *static_cast<u64*>(value) = pool->used; break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: *static_cast<u64*>(value) = pool->high; break;
    default: return refuse(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  const DeviceLock lock;
  if (!is_pool(pool) || !value) return refuse(cudaErrorInvalidValue);
  if (int* own = flag(*pool, attribute)) *own = *static_cast<int*>(value) != 0;
  else if (attribute == cudaMemPoolAttrReleaseThreshold) pool->threshold = *static_cast<u64*>(value);
  else if ((attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh) &&
           *static_cast<u64*>(value) == 0)
    pool->high = pool->used;
  else return refuse(cudaErrorInvalidValue);
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  const DeviceLock lock;
  return is_pool(pool) ? cudaSuccess : refuse(cudaErrorInvalidValue);
}

// Peer access alone decides which GPUs may use a pool's memory.
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc* list, size_t count) {
  const DeviceLock lock;
  if (!is_pool(pool) || (count != 0 && !list)) return refuse(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i)
    if (list[i].location.type != cudaMemLocationTypeDevice || !is_gpu(list[i].location.id))
      return refuse(cudaErrorInvalidValue);
    else if (u32(list[i].location.id) == pool->gpu && list[i].flags == cudaMemAccessFlagsProtNone)
      return refuse(cudaErrorInvalidDevice);
    else if (u32(list[i].location.id) != pool->gpu) {
      tell("pools open to other GPUs are not simulated: cudaDeviceEnablePeerAccess opens all memory");
      return refuse(cudaErrorNotSupported);
    }
  return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  const DeviceLock lock;
  if (!is_pool(pool) || !flags || !location || !is_gpu(location->id)) return refuse(cudaErrorInvalidValue);
  *flags = u32(location->id) == pool->gpu ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  const DeviceLock lock;
  const CUstream_st* const s = find_stream(stream);
  return allocate(pointer, size, used_by(s ? s->context->gpu.device.number : current_number()), stream);
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  const DeviceLock lock;
  return is_pool(pool) ? allocate(pointer, size, *pool, stream) : refuse(cudaErrorInvalidValue);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
