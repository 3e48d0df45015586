// Arrays of one to three dimensions, which textures read, and copies in three dimensions.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/sizes.h"
#include "cuda_runtime_api.h"
#include "runtime/allocations.h"
#include "runtime/arrays.h"
#include "runtime/capture.h"
#include "runtime/errors.h"
#include "runtime/process.h"
#include "texture_types.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

// A box of bytes: slices of rows, which a copy in three dimensions reads or writes.
struct Box {
  void* start;
  std::size_t row_bytes, slice_bytes;
};

// The part of an array that begins at an element. `x` is in bytes.
Box part_of(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z) {
  return {reinterpret_cast<void*>(array->address + z * array->slice_bytes() + y * array->row_bytes + x),
          array->row_bytes, array->slice_bytes()};
}
// The largest dimensions of an array (CUDA C++ Programming Guide, Technical Specifications per Compute
// Capability). Arrays of three dimensions have lower limits. These are enough to keep sizes from overflowing.
constexpr std::size_t kMostInRow = 131072, kMostInColumn = 65536, kMostSlices = 16384;
bool fits(cudaArray_const_t array, std::size_t x, std::size_t y, std::size_t z, std::size_t width,
          std::size_t height, std::size_t depth) {
  return is_array(array) && within(x, width, array->row_bytes) && within(y, height, array->rows()) &&
         within(z, depth, array->slices());
}

// Whether the byte offsets of all rows of `box` fit a 64-bit number.
bool can_be_addressed(const Box& box, std::size_t depth) {
  return depth <= 1 || times(box.slice_bytes, depth) != kNoSize;
}

cudaError_t copy_box(const Box& to, const Box& from, std::size_t width, std::size_t height, std::size_t depth,
                     cudaMemcpyKind kind) {
  if (!can_be_addressed(to, depth) || !can_be_addressed(from, depth)) return refuse(cudaErrorInvalidValue);
  for (std::size_t z = 0; z < depth; ++z)
    if (const cudaError_t error = cudaMemcpy2D(static_cast<u8*>(to.start) + z * to.slice_bytes, to.row_bytes,
                                               static_cast<const u8*>(from.start) + z * from.slice_bytes,
                                               from.row_bytes, width, height, kind))
      return error;
  return cudaSuccess;
}

// Copies `count` bytes, row by row, beginning at (x, y).
cudaError_t copy_run(cudaArray_const_t array, std::size_t x, std::size_t y, void* other, std::size_t count,
                     bool into, cudaMemcpyKind kind) {
  const DeviceLock lock;
  if (!is_array(array) || x >= array->row_bytes || y >= array->rows() ||
      !within(y * array->row_bytes + x, count, array->slice_bytes()))
    return refuse(cudaErrorInvalidValue);
  void* const start = part_of(array, x, y, 0).start;
  return into ? cudaMemcpy(start, other, count, kind) : cudaMemcpy(other, start, count, kind);
}

// Does the work after what the stream has been given before, and returns when it is done.
template <class Copy> cudaError_t behind(cudaStream_t stream, Copy copy) {
  const cudaError_t error = cudaStreamSynchronize(stream);
  return error ? error : copy();
}

}  // namespace

namespace gpusim::runtime {

bool is_array(cudaArray_const_t array) { return current().arrays.count(array) != 0; }

u32 channels_of(const cudaChannelFormatDesc& format) {
  const int bits = format.x;
  if ((bits != 8 && bits != 16 && bits != 32) || format.f < cudaChannelFormatKindSigned ||
      format.f > cudaChannelFormatKindFloat || (format.f == cudaChannelFormatKindFloat && bits == 8))
    return 0;
  const std::array<int, 3> others = {format.y, format.z, format.w};
  const auto end = std::ranges::find(others, 0);
  if (std::any_of(others.begin(), end, [&](int each) { return each != bits; }) ||
      std::any_of(end, others.end(), [](int each) { return each != 0; }))
    return 0;
  const u32 channels = 1 + u32(end - others.begin());
  return channels == 3 ? 0 : channels;
}

}  // namespace gpusim::runtime

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags) {
  const DeviceLock lock;
  if (!array || !format || extent.width == 0 || (flags & cudaArrayCubemap))
    return refuse(cudaErrorInvalidValue);
  const u32 channels = channels_of(*format);
  if (channels == 0) return refuse(cudaErrorInvalidChannelDescriptor);
  if (extent.width > kMostInRow || extent.height > kMostInColumn || extent.depth > kMostSlices)
    return refuse(cudaErrorInvalidValue);
  auto made = new cudaArray{0, *format, extent, flags, extent.width * channels * std::size_t(format->x / 8)};
  const std::size_t size = made->slice_bytes() * made->slices();
  void* pointer = nullptr;
  if (const cudaError_t error = cudaMalloc(&pointer, size)) {
    delete made;
    return error;
  }
  made->address = number(pointer);
  *array = made;
  current().arrays.insert(made);
  return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  const DeviceLock lock;
  if (!array) return cudaSuccess;
  if (!is_array(array)) return refuse(cudaErrorInvalidValue);
  current().arrays.erase(array);
  const cudaError_t error = cudaFree(reinterpret_cast<void*>(array->address));
  delete array;
  return error;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  const DeviceLock lock;
  if (!is_array(array)) return refuse(cudaErrorInvalidResourceHandle);
  if (format) *format = array->format;
  if (extent) *extent = array->extent;
  if (flags) *flags = array->flags;
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
  if (!pointer) return refuse(cudaErrorInvalidValue);
  const cudaError_t error =
      cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, times(extent.height, extent.depth));
  if (error != cudaSuccess) return error;
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaSuccess;
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  if (!can_be_addressed({pointer.ptr, pointer.pitch, times(pointer.pitch, pointer.ysize)}, extent.depth))
    return refuse(cudaErrorInvalidValue);
  for (std::size_t z = 0; z < extent.depth; ++z)
    if (const cudaError_t error =
            cudaMemset2D(static_cast<u8*>(pointer.ptr) + z * pointer.pitch * pointer.ysize, pointer.pitch,
                         value, extent.width, extent.height))
      return error;
  return cudaSuccess;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  return behind(stream, [&] { return cudaMemset3D(pointer, value, extent); });
}

// Widths and positions count elements if one side is an array, and bytes otherwise.
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what) {
  const DeviceLock lock;
  if (!what || !what->srcArray == !what->srcPtr.ptr || !what->dstArray == !what->dstPtr.ptr)
    return refuse(cudaErrorInvalidValue);
  if ((what->srcArray && !is_array(what->srcArray)) || (what->dstArray && !is_array(what->dstArray)))
    return refuse(cudaErrorInvalidValue);
  const cudaArray* const any = what->srcArray ? what->srcArray : what->dstArray;
  const std::size_t width = times(what->extent.width, any ? any->element_bytes() : 1);
  const auto box = [&](cudaArray_const_t array, const cudaPos& at, const cudaPitchedPtr& p) {
    const std::size_t unit = array ? array->element_bytes() : 1;
    if (array) return part_of(array, at.x * unit, at.y, at.z);
    return Box{static_cast<u8*>(p.ptr) + (at.z * p.ysize + at.y) * p.pitch + at.x, p.pitch,
               times(p.pitch, p.ysize)};
  };
  const auto begins = [](cudaArray_const_t array, const cudaPos& at, const cudaPitchedPtr& p) {
    const std::size_t row = plus(times(at.z, p.ysize), at.y);
    return array || plus(times(row, p.pitch), at.x) != kNoSize;
  };
  if (!begins(what->srcArray, what->srcPos, what->srcPtr) ||
      !begins(what->dstArray, what->dstPos, what->dstPtr))
    return refuse(cudaErrorInvalidValue);
  for (const auto& [array, at] :
       {std::pair(what->srcArray, what->srcPos), std::pair(what->dstArray, what->dstPos)})
    if (array && !fits(array, times(at.x, array->element_bytes()), at.y, at.z, width, what->extent.height,
                       what->extent.depth))
      return refuse(cudaErrorInvalidValue);
  return copy_box(box(what->dstArray, what->dstPos, what->dstPtr),
                  box(what->srcArray, what->srcPos, what->srcPtr), width, what->extent.height,
                  what->extent.depth, what->kind);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream) {
  const DeviceLock lock;
  if (const cudaError_t error = forbid_implicit(stream)) return error;
  CUstream_st* const s = capturing(stream);
  if (!what) return refuse(cudaErrorInvalidValue);
  if (!s) return behind(stream, [&] { return cudaMemcpy3D(what); });
  cudaError_t error = cudaSuccess;
  const GraphWork work = copy_work(*what, &error);
  return error ? error : captured(*s, work);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                              cudaMemcpyKind kind) {
  return copy_run(to, x, y, const_cast<void*>(from), count, true, kind);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                cudaMemcpyKind kind) {
  return copy_run(from, x, y, to, count, false, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return behind(stream, [&] { return cudaMemcpyToArray(to, x, y, from, count, kind); });
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return behind(stream, [&] { return cudaMemcpyFromArray(to, from, x, y, count, kind); });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  const DeviceLock lock;
  if (!fits(to, x, y, 0, width, height, 1)) return refuse(cudaErrorInvalidValue);
  return copy_box(part_of(to, x, y, 0), {const_cast<void*>(from), from_pitch, 0}, width, height, 1, kind);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind) {
  const DeviceLock lock;
  if (!fits(from, x, y, 0, width, height, 1)) return refuse(cudaErrorInvalidValue);
  return copy_box({to, to_pitch, 0}, part_of(from, x, y, 0), width, height, 1, kind);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch,
                                     size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return behind(stream, [&] { return cudaMemcpy2DToArray(to, x, y, from, from_pitch, width, height, kind); });
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
                                       size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  return behind(stream, [&] { return cudaMemcpy2DFromArray(to, to_pitch, from, x, y, width, height, kind); });
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind) {
  const DeviceLock lock;
  if (!fits(to, to_x, to_y, 0, width, height, 1) || !fits(from, from_x, from_y, 0, width, height, 1))
    return refuse(cudaErrorInvalidValue);
  return copy_box(part_of(to, to_x, to_y, 0), part_of(from, from_x, from_y, 0), width, height, 1,
                  cudaMemcpyDeviceToDevice);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
