// The work of each kind of node: what a call of the API would do in the stream into which the graph is
// launched. (For kernels it is in launch.cpp.)
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/sizes.h"
#include "cuda_runtime_api.h"
#include "runtime/errors.h"
#include "runtime/graph.h"
#include "runtime/work.h"

namespace gpusim::runtime {
namespace {

cudaError_t do_copy(const cudaMemcpy3DParms& what, cudaStream_t stream) {
  const cudaPitchedPtr &to = what.dstPtr, &from = what.srcPtr;
  const cudaExtent& size = what.extent;
  const auto is_start = [](const cudaPos& at) { return at.x == 0 && at.y == 0 && at.z == 0; };
  if (size.depth != 1 || !to.ptr || !from.ptr || !is_start(what.srcPos) || !is_start(what.dstPos))
    return cudaMemcpy3DAsync(&what, stream);
  if (size.height == 1) return cudaMemcpyAsync(to.ptr, from.ptr, size.width, what.kind, stream);
  return cudaMemcpy2DAsync(to.ptr, to.pitch, from.ptr, from.pitch, size.width, size.height, what.kind,
                           stream);
}

bool is_device_memory(const void* first, std::size_t bytes) {
  const u64 address = reinterpret_cast<u64>(first);
  return memory_of(address).resolve(address, bytes);
}

cudaError_t do_fill(const cudaMemsetParams& what, cudaStream_t stream) {
  if (what.elementSize == 1)
    return what.height == 1
               ? cudaMemsetAsync(what.dst, int(what.value), what.width, stream)
               : cudaMemset2DAsync(what.dst, what.pitch, int(what.value), what.width, what.height, stream);
  const std::size_t bytes = times(what.width, what.elementSize);
  if (what.height > 1 && bytes > what.pitch) return refuse(cudaErrorInvalidPitchValue);
  if (!is_device_memory(what.dst, extent_of_rows(what.pitch, bytes, what.height)))
    return refuse(cudaErrorInvalidValue);
  for (std::size_t y = 0; y < what.height; ++y)
    if (const cudaError_t error = fill_elements(static_cast<u8*>(what.dst) + y * what.pitch, what.value,
                                                what.elementSize, what.width, stream))
      return error;
  return cudaSuccess;
}

// The pinned or managed memory at this address: its serial number; 0: it is none.
u64 host_memory_at(const void* pointer) {
  const u64 address = reinterpret_cast<u64>(pointer);
  const Allocation* const a = memory_of(address).find(address);
  return a && a->is_of_host() ? a->serial : 0;
}

// A graph keeps addresses. `serial`: of the memory that was at the pointer when the node was made.
bool is_freed(const void* pointer, u64 serial) { return serial != 0 && host_memory_at(pointer) != serial; }

cudaError_t refuse_freed(const cudaMemcpy3DParms& what, const char* uses) {
  if (current().gpu.checks.are_on()) {
    Finding f;
    f.check = "out of bounds";
    f.place = place_of(ApiCall::here());
    f.message =
        std::string("a copy of this graph ") + uses + " " + std::to_string(what.extent.width) +
        " bytes of host memory that has been freed since the graph was made: free it after the graph's "
        "last launch";
    current().gpu.findings.report(std::move(f));
  }
  return refuse(cudaErrorInvalidValue);
}

GraphWork invalid(cudaError_t* error) {
  *error = refuse(cudaErrorInvalidValue);
  return {};
}

}  // namespace

// Fills a buffer on the host and copies it as often as needed.
cudaError_t fill_elements(void* first, u32 value, u32 element_bytes, std::size_t count, cudaStream_t stream) {
  if (!is_device_memory(first, times(count, element_bytes)) || reinterpret_cast<u64>(first) % element_bytes)
    return refuse(cudaErrorInvalidValue);
  constexpr std::size_t kMost = std::size_t(1) << 20;
  std::vector<u8> some(std::min(count, kMost) * element_bytes);
  for (std::size_t i = 0; i < some.size(); i += element_bytes) std::memcpy(&some[i], &value, element_bytes);
  for (std::size_t done = 0; done < count; done += kMost)
    if (const cudaError_t error =
            cudaMemcpyAsync(static_cast<u8*>(first) + done * element_bytes, some.data(),
                            std::min(count - done, kMost) * element_bytes, cudaMemcpyHostToDevice, stream))
      return error;
  return cudaSuccess;
}

cudaMemcpy3DParms rows_of_bytes(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                                std::size_t width, std::size_t height, cudaMemcpyKind kind) {
  cudaMemcpy3DParms what = {};
  what.dstPtr = {to, to_pitch, width, height};
  what.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
  what.extent = {width, height, 1};
  what.kind = kind;
  return what;
}

GraphWork copy_work(const cudaMemcpy3DParms& what, cudaError_t* error) {
  if (!what.srcArray == !what.srcPtr.ptr || !what.dstArray == !what.dstPtr.ptr ||
      what.kind < cudaMemcpyHostToHost || what.kind > cudaMemcpyDefault)
    return invalid(error);
  const u64 from = host_memory_at(what.srcPtr.ptr), to = host_memory_at(what.dstPtr.ptr);
  const Act act = [what, from, to](cudaStream_t stream) {
    if (is_freed(what.srcPtr.ptr, from)) return refuse_freed(what, "reads");
    if (is_freed(what.dstPtr.ptr, to)) return refuse_freed(what, "writes");
    return do_copy(what, stream);
  };
  return {cudaGraphNodeTypeMemcpy, act, what, current_number()};
}
GraphWork fill_work(const cudaMemsetParams& what, cudaError_t* error) {
  const unsigned size = what.elementSize;
  if (!what.dst || (size != 1 && size != 2 && size != 4) || what.width == 0 || what.height == 0)
    return invalid(error);
  return {cudaGraphNodeTypeMemset, [what](cudaStream_t stream) { return do_fill(what, stream); }, what,
          current_number()};
}
GraphWork host_work(const cudaHostNodeParams& what, cudaError_t* error) {
  if (!what.fn) return invalid(error);
  return {cudaGraphNodeTypeHost,
          [what](cudaStream_t stream) { return cudaLaunchHostFunc(stream, what.fn, what.userData); }, what,
          current_number()};
}
GraphWork event_work(cudaGraphNodeType type, cudaEvent_t event) {
  const Act act = [=](cudaStream_t stream) {
    return type == cudaGraphNodeTypeWaitEvent ? cudaStreamWaitEvent(stream, event)
                                              : cudaEventRecord(event, stream);
  };
  return {type, act, {}, current_number()};
}
GraphWork graph_work(const CUgraph_st& child) {
  return {cudaGraphNodeTypeGraph, {}, std::make_shared<CUgraph_st>(child), current_number()};
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
