// cudaMemcpy, cudaMemset and the copies to and from device variables.
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "base/address_text.h"
#include "base/sizes.h"
#include "cuda_runtime_api.h"
#include "execution/events.h"
#include "runtime/allocations.h"
#include "runtime/bad_ranges.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/host_watch.h"
#include "runtime/registry.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

// The address in this process of the `count` bytes that a program calls `pointer`. `device_side` says that
// the copy's direction calls them the device's; null if they are not, or if not all of them exist. Memory
// that the runtime has allocated may be on either side, whatever the direction says, because an H200 goes by
// the address.
u8* locate(const void* pointer, std::size_t count, bool device_side) {
  Memory& memory = memory_of(number(pointer));
  if (const Allocation* const found = memory.find(number(pointer)))
    return found->kind == MemoryKind::heap ? nullptr : memory.resolve(number(pointer), count);
  if (device_side) return nullptr;
  const Allocation* const freed = memory.freed(number(pointer));
  if (freed && freed->kind != MemoryKind::pinned && freed->kind != MemoryKind::managed)
    return nullptr;  // device memory that was freed; pinned and managed memory is the host's again
  return static_cast<u8*>(const_cast<void*>(pointer));
}

bool is_pageable(const void* pointer) { return !memory_of(number(pointer)).find(number(pointer)); }

// Whether the bytes exist, if they are host memory. If not, say because a pointer was never set, this prints
// a line: the copy itself would end the program without a message.
bool is_there(const void* pointer, std::size_t count) {
  if (!is_pageable(pointer) || is_mapped(number(pointer), count)) return true;
  tell("a copy was given " + size_text(count) + " bytes of host memory at " + address_text(number(pointer)) +
       ", but the program has no memory there, or less than that");
  return false;
}

// The errors are those of an H200.
cudaError_t check_pitch(std::size_t pitch, std::size_t width, std::size_t height) {
  if (height > 1 && width > pitch) return cudaErrorInvalidPitchValue;
  return width > pitch ? cudaErrorInvalidValue : cudaSuccess;
}

void tell_rows_written(const void* pointer, std::size_t pitch, std::size_t width, std::size_t height) {
  for (std::size_t row = 0; row < height; ++row) tell_written(number(pointer) + row * pitch, width);
}

void tell_rows_read(const void* pointer, std::size_t pitch, std::size_t width, std::size_t height) {
  for (Observer* observer : owner_of(number(pointer)).observers)
    for (std::size_t row = 0; row < height; ++row)
      observer->host_read(number(pointer) + row * pitch, width, "a copy to the host");
}

// The GPU that the memory belongs to; null: the host.
Context* gpu_with(u64 address) {
  const bool is_of_gpu = Memory::is_device(address) || Memory::is_constant(address);
  return is_of_gpu ? process().contexts[Memory::gpu_of(address)].get() : nullptr;
}
std::string whose(const Context* c) {
  if (!c) return "the host";
  return is_multi_gpu() ? "GPU " + std::to_string(c->gpu.device.number) : std::string("the GPU");
}

// In the default stream a copy between the memories of two GPUs begins when all that was given to either of them before
// is done, and is done before what comes later begins (CUDA C++ Programming Guide, "Peer-to-Peer Memory Copy").
std::vector<Context*> both_of(u64 to, u64 from) {
  Context *a = gpu_with(to), *b = gpu_with(from);
  return a && b && a != b ? std::vector{a, b} : std::vector<Context*>();
}

void count_copy(u64 to, u64 from, std::size_t bytes) {
  if (Memory::is_device(to) && Memory::is_device(from))
    count_link(Memory::gpu_of(from), Memory::gpu_of(to), bytes);
}

enum class Waits { yes, no };  // whether a call returns when the work is done, or leaves it to a stream

// Calls `act` now, or when its turn comes in a stream. In the default stream it takes its turn on the GPUs
// `with` as well. `act` gets the stream, or null if its order is not recorded.
cudaError_t do_in(cudaStream_t in, Waits waits, std::function<void(const CUstream_st*)> act,
                  std::vector<Context*> with = {}) {
  CUstream_st* const found = find_stream(in);
  if (!found)
    return refuse(cudaErrorInvalidResourceHandle,
                  "the stream of a copy or fill does not exist, or was destroyed");
  if (!is_multi_gpu()) {
    const CUstream_st* const stream = begin_now(in);
    act(stream);
    if (waits == Waits::yes) host_comes_after(stream ? stream->clock : Clock());
    return cudaSuccess;
  }
  give(*found, [act = std::move(act)](const CUstream_st& s) { act(&s); }, std::move(with));
  if (waits == Waits::no) return cudaSuccess;
  finish(*found);
  return synchronise();
}

// A copy of `height` rows of `width` bytes; the pitches are the distances between rows.
struct RowCopy {
  void* to;
  std::size_t to_pitch;
  const void* from;
  std::size_t from_pitch, width, height;
  cudaMemcpyKind kind;

  std::size_t bytes() const { return width * height; }
  std::size_t to_extent() const { return extent_of_rows(to_pitch, width, height); }
  std::size_t from_extent() const { return extent_of_rows(from_pitch, width, height); }
};
// Where the bytes lie in this process.
struct CopyPlaces {
  u8* to = nullptr;
  const u8* from = nullptr;
};

cudaError_t refuse_copy(const RowCopy& c, cudaError_t error, const std::string& why = "") {
  static const char* const kNames[] = {"HostToHost", "HostToDevice", "DeviceToHost", "DeviceToDevice",
                                       "Default"};
  const bool has_name = c.kind >= 0 && c.kind <= cudaMemcpyDefault;
  const std::string direction = has_name ? kNames[c.kind] : std::to_string(c.kind);
  return refuse(error, "a copy of " + std::to_string(c.bytes()) + " bytes, cudaMemcpy" + direction +
                           ", was refused" + (why.empty() ? "" : ": " + why));
}

// The places of a copy of some bytes, or the error with which an H200 refuses it.
cudaError_t find_places(const RowCopy& c, CopyPlaces& places) {
  if (const cudaError_t error = check_pitch(c.to_pitch, c.width, c.height)) return refuse_copy(c, error);
  if (const cudaError_t error = check_pitch(c.from_pitch, c.width, c.height)) return refuse_copy(c, error);
  if (!c.to || !c.from)
    return refuse_copy(c, cudaErrorInvalidValue,
                       std::string(c.to ? "the source" : "the destination") + " is a null pointer");
  const bool to_device = c.kind == cudaMemcpyHostToDevice || c.kind == cudaMemcpyDeviceToDevice;
  const bool from_device = c.kind == cudaMemcpyDeviceToHost || c.kind == cudaMemcpyDeviceToDevice;
  const std::size_t to_extent = c.to_extent(), from_extent = c.from_extent();
  if (!can_lie_at(number(c.to), to_extent) || !can_lie_at(number(c.from), from_extent))
    return refuse_copy(c, cudaErrorInvalidValue);
  places = {locate(c.to, to_extent, to_device), locate(c.from, from_extent, from_device)};
  if (!places.to)
    return refuse_copy(c, cudaErrorInvalidValue, why_not_of_gpu("the destination", number(c.to), to_extent));
  if (!places.from)
    return refuse_copy(c, cudaErrorInvalidValue, why_not_of_gpu("the source", number(c.from), from_extent));
  if (!is_there(c.to, to_extent) || !is_there(c.from, from_extent))
    return refuse_copy(c, cudaErrorInvalidValue);
  return cudaSuccess;
}

// Copies, and tells the observers of both sides. `in`: the stream, or null if its order is not recorded. What is left to a
// stream may not be touched by the host until it is done.
void copy_now(const RowCopy& c, const CopyPlaces& places, bool is_left_to_stream, const CUstream_st* in) {
  const u64 to = number(c.to), from = number(c.from);
  for (std::size_t row = 0; row < c.height; ++row)
    std::memmove(places.to + row * c.to_pitch, places.from + row * c.from_pitch, c.width);
  if (!gpu_with(to)) tell_rows_read(c.from, c.from_pitch, c.width, c.height);
  tell_rows_written(c.to, c.to_pitch, c.width, c.height);
  count_copy(to, from, c.bytes());
  const Context *source = gpu_with(from), *target = gpu_with(to);
  const auto what = [&] { return "a copy from " + whose(source) + " to " + whose(target); };
  if (is_left_to_stream) {
    if (!target) watch_host_memory(to, c.to_extent(), GpuUse::writes, what(), in);
    if (!source) watch_host_memory(from, c.from_extent(), GpuUse::reads, what(), in);
  }
  if (!in) return;
  for (std::size_t row = 0; row < c.height; ++row) {
    if (source) tell_in_stream(what(), from + row * c.from_pitch, c.width, false, *in);
    if (target) tell_in_stream(what(), to + row * c.to_pitch, c.width, true, *in);
  }
}

cudaError_t copy(const RowCopy& c, Waits waits = Waits::yes, cudaStream_t stream = nullptr) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  if (const cudaError_t error = waits == Waits::yes ? forbid_unsafe() : cudaSuccess) return error;
  if (const cudaError_t error = synchronise()) return error;
  if (c.kind < cudaMemcpyHostToHost || c.kind > cudaMemcpyDefault)
    return refuse_copy(c, cudaErrorInvalidMemcpyDirection);
  if (c.width == 0 || c.height == 0) return cudaSuccess;
  CopyPlaces places;
  if (const cudaError_t error = find_places(c, places)) return error;
  if (CUstream_st* const into = waits == Waits::no ? capturing(stream) : nullptr) {
    cudaError_t error = cudaSuccess;
    return captured(
        *into,
        copy_work(rows_of_bytes(c.to, c.to_pitch, c.from, c.from_pitch, c.width, c.height, c.kind), &error));
  }
  // Host memory that the program may change when the call returns is read now, and host memory that it may
  // read then is written before.
  std::shared_ptr<std::vector<u8>> staged;
  if (is_multi_gpu() && waits == Waits::no && is_pageable(c.from)) {
    staged = std::make_shared<std::vector<u8>>(places.from, places.from + c.from_extent());
    places.from = staged->data();
  }
  if (is_pageable(c.to)) waits = Waits::yes;
  // Between rows host code may do what it likes.
  const bool is_left_to_stream =
      waits == Waits::no && c.to_extent() == c.bytes() && c.from_extent() == c.bytes();
  const auto act = [c, places, staged, is_left_to_stream](const CUstream_st* in) {
    copy_now(c, places, is_left_to_stream, in);
  };
  return do_in(stream, waits, act, both_of(number(c.to), number(c.from)));
}

// A fill repeats one byte. A larger value, such as -10000.0f, was meant for elements of several bytes.
void tell_if_not_a_byte(int value) {
  constexpr int kLeast = -128, kMost = 255;
  if ((value >= kLeast && value <= kMost) || !current().gpu.checks.are_on()) return;
  Finding f;
  f.check = "fill";
  f.severity = Severity::warning;
  f.place = place_of(ApiCall::here());
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02x", u8(value));
  f.message = "cudaMemset sets bytes, and " + std::to_string(value) +
              " does not fit in a byte: each byte becomes " + byte +
              ". To give each element a value, use a kernel, or cudaMemcpy from a host array";
  current().gpu.findings.report(std::move(f));
}

cudaError_t fill(void* pointer, std::size_t pitch, int value, std::size_t width, std::size_t height,
                 cudaStream_t stream = nullptr) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  if (const cudaError_t error = synchronise()) return error;
  if (width == 0 || height == 0) return cudaSuccess;
  tell_if_not_a_byte(value);
  const std::string what = "a fill of " + std::to_string(width * height) + " bytes (cudaMemset) was refused";
  if (const cudaError_t error = check_pitch(pitch, width, height)) return refuse(error, what);
  const std::size_t extent = extent_of_rows(pitch, width, height);
  Memory& memory = memory_of(number(pointer));
  if (!memory.resolve(number(pointer), extent))
    return refuse(cudaErrorInvalidValue, what + ": " + why_not_of_gpu("the memory", number(pointer), extent));
  if (CUstream_st* const into = capturing(stream)) {
    cudaError_t error = cudaSuccess;
    return captured(*into, fill_work({pointer, pitch, u8(value), 1, width, height}, &error));
  }
  if (pitch == width) width = extent, height = 1;
  return do_in(stream, Waits::no, [=, &memory](const CUstream_st* in) {
    for (std::size_t row = 0; row < height; ++row)
      memory.fill(number(pointer) + row * pitch, width, u8(value));
    tell_rows_written(pointer, pitch, width, height);
    const Context* gpu = gpu_with(number(pointer));
    for (std::size_t row = 0; in && gpu && row < height; ++row)
      tell_in_stream("a fill of memory of " + whose(gpu), number(pointer) + row * pitch, width, true, *in);
  });
}

// The device address of the bytes [offset, offset + count) of a device variable; null if they are refused.
void* part_of(const void* symbol, std::size_t count, std::size_t offset, cudaError_t* error) {
  const Module::Variable* variable = find_variable(symbol, error);
  if (!variable) return nullptr;
  if (offset > variable->size || count > variable->size - offset) {
    *error = refuse(cudaErrorInvalidValue);
    return nullptr;
  }
  return reinterpret_cast<void*>(variable->address + offset);
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind) {
  return copy({to, count, from, count, count, 1, kind});
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return copy({to, count, from, count, count, 1, kind}, Waits::no, stream);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy({to, to_pitch, from, from_pitch, width, height, kind});
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy({to, to_pitch, from, from_pitch, width, height, kind}, Waits::no, stream);
}

// Works with and without peer access: without it a GPU copies through the host.
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t count) {
  if (!is_gpu(to_device) || !is_gpu(from_device)) return refuse(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, count, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t count,
                                cudaStream_t stream) {
  if (!is_gpu(to_device) || !is_gpu(from_device)) return refuse(cudaErrorInvalidDevice);
  return cudaMemcpyAsync(to, from, count, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemset(void* pointer, int value, size_t count) {
  return fill(pointer, count, value, count, 1);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream) {
  return fill(pointer, count, value, count, 1, stream);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return fill(pointer, pitch, value, width, height);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill(pointer, pitch, value, width, height, stream);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset,
                               cudaMemcpyKind kind) {
  const DeviceLock lock;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return refuse(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = cudaSuccess;
  void* to = part_of(symbol, count, offset, &error);
  return to ? cudaMemcpy(to, from, count, kind) : error;
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset,
                                 cudaMemcpyKind kind) {
  const DeviceLock lock;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return refuse(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = cudaSuccess;
  void* from = part_of(symbol, count, offset, &error);
  return from ? cudaMemcpy(to, from, count, kind) : error;
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  const DeviceLock lock;
  if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost)
    return refuse(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = cudaSuccess;
  void* to = part_of(symbol, count, offset, &error);
  return to ? cudaMemcpyAsync(to, from, count, kind, stream) : error;
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  const DeviceLock lock;
  if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost)
    return refuse(cudaErrorInvalidMemcpyDirection);
  cudaError_t error = cudaSuccess;
  void* from = part_of(symbol, count, offset, &error);
  return from ? cudaMemcpyAsync(to, from, count, kind, stream) : error;
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  const DeviceLock lock;
  if (!pointer) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  *pointer = part_of(symbol, 0, 0, &error);
  return error;
}
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  const DeviceLock lock;
  if (!size) return refuse(cudaErrorInvalidValue);
  cudaError_t error = cudaSuccess;
  const Module::Variable* variable = find_variable(symbol, &error);
  if (variable) *size = variable->size;
  return error;
}

}  // extern "C"
// SPDX-License-Identifier: MIT
