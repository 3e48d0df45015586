// Texture and surface objects.
#include "memory/textures.h"

#include "base/sizes.h"
#include "runtime/arrays.h"
#include "runtime/errors.h"
#include "runtime/process.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::runtime;

namespace {

// Describes the memory that an object of this resource reads. Returns false if there is no such memory.
bool describe(const cudaResourceDesc& resource, Texture* t) {
  cudaChannelFormatDesc format;
  u64 address = 0, bytes = 0;
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const cudaArray* const array = resource.res.array.array;
      if (!is_array(array)) return false;
      format = array->format;
      address = array->address;
      t->width = array->extent.width;
      t->height = array->rows();
      t->depth = array->slices();
      t->row_bytes = array->row_bytes;
      t->slice_bytes = array->slice_bytes();
      bytes = t->slice_bytes * t->depth;
      break;
    }
    case cudaResourceTypeLinear:
      format = resource.res.linear.desc;
      address = reinterpret_cast<u64>(resource.res.linear.devPtr);
      bytes = resource.res.linear.sizeInBytes;
      break;
    case cudaResourceTypePitch2D:
      format = resource.res.pitch2D.desc;
      address = reinterpret_cast<u64>(resource.res.pitch2D.devPtr);
      t->width = resource.res.pitch2D.width;
      t->height = resource.res.pitch2D.height;
      t->row_bytes = resource.res.pitch2D.pitchInBytes;
      break;
    default: return false;
  }
  t->channels = channels_of(format);
  if (t->channels == 0) return false;
  t->channel_bits = u32(format.x);
  t->kind = format.f == cudaChannelFormatKindSigned     ? Texture::Kind::sint
            : format.f == cudaChannelFormatKindUnsigned ? Texture::Kind::uint
                                                        : Texture::Kind::real;
  if (resource.resType == cudaResourceTypeLinear) t->width = bytes / t->element_bytes();
  if (resource.resType == cudaResourceTypePitch2D)
    bytes = extent_of_rows(t->row_bytes, times(t->width, t->element_bytes()), t->height);
  t->address = address;
  t->size = bytes;
  return bytes != 0 && device().memory.resolve(address, bytes);
}

u64 remember(const TextureObject& object, const Texture& texture) {
  auto& objects = current().texture_objects;
  const u64 handle = objects.empty() ? 1 : objects.rbegin()->first + 1;
  device().memory.textures[handle] = texture;
  objects[handle] = object;
  return handle;
}

cudaError_t forget(u64 handle) {
  const DeviceLock lock;
  device().memory.textures.erase(handle);
  current().texture_objects.erase(handle);
  return cudaSuccess;
}

template <class T> cudaError_t give(T* to, u64 object, T TextureObject::* member) {
  const DeviceLock lock;
  const auto found = current().texture_objects.find(object);
  if (!to || found == current().texture_objects.end()) return refuse(cudaErrorInvalidValue);
  *to = found->second.*member;
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
  const DeviceLock lock;
  finish(current());
  if (const cudaError_t error = synchronise()) return error;
  Texture t;
  if (!object || !resource || !texture || !describe(*resource, &t)) return refuse(cudaErrorInvalidValue);
  if (resource->resType == cudaResourceTypePitch2D && t.row_bytes % kTexturePitch != 0)
    return refuse(cudaErrorInvalidValue,
                  "a texture was refused whose rows begin " + std::to_string(t.row_bytes) +
                      " bytes apart: a GPU takes multiples of " + std::to_string(kTexturePitch) +
                      " (texturePitchAlignment), as cudaMallocPitch gives them");
  if (view || texture->sRGB) {
    tell("cudaCreateTextureObject: views of a resource and sRGB are not simulated");
    return refuse(cudaErrorNotSupported);
  }
  for (u32 axis = 0; axis < 3; ++axis) t.address_modes[axis] = texture->addressMode[axis];
  t.linear_filter =
      texture->filterMode == cudaFilterModeLinear && resource->resType != cudaResourceTypeLinear;
  t.normalized_float = texture->readMode == cudaReadModeNormalizedFloat && t.kind != Texture::Kind::real;
  t.normalized_coordinates = texture->normalizedCoords && resource->resType != cudaResourceTypeLinear;
  std::copy_n(texture->borderColor, 4, t.border.begin());
  if (t.linear_filter && t.kind != Texture::Kind::real && !t.normalized_float)
    return refuse(cudaErrorInvalidFilterSetting);  // integers cannot be interpolated
  *object = remember({*resource, *texture}, t);
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return forget(object); }
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return give(resource, object, &TextureObject::resource);
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* texture, cudaTextureObject_t object) {
  return give(texture, object, &TextureObject::texture);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  const DeviceLock lock;
  finish(current());
  if (const cudaError_t error = synchronise()) return error;
  Texture t;
  if (!object || !resource || resource->resType != cudaResourceTypeArray || !describe(*resource, &t))
    return refuse(cudaErrorInvalidValue);
  *object = remember({*resource, {}}, t);
  return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return forget(object); }
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return give(resource, object, &TextureObject::resource);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
