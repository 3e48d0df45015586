// Texture and surface objects: what they are made of, what they tell, and what they cannot be. (What kernels read through them:
// programs/texture_objects.cu, programs/surface_objects.cu.)
#include <doctest/doctest.h>

#include <string>

#include "runtime_module.h"
#include "standard_error.h"

using namespace runtime_test;

namespace {

const cudaChannelFormatDesc kFloat = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc kInt = {32, 0, 0, 0, cudaChannelFormatKindSigned};
const cudaChannelFormatDesc kByte4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};

struct Textures : FreshDevice {
  cudaArray_t array = nullptr;
  float* rows = nullptr;
  size_t pitch = 0;
  cudaTextureObject_t object = 0;
  cudaTextureDesc how = {};

  Textures() {
    REQUIRE(cudaMallocArray(&array, &kFloat, 8, 4) == cudaSuccess);
    REQUIRE(cudaMallocPitch(reinterpret_cast<void**>(&rows), &pitch, 8 * sizeof(float), 4) == cudaSuccess);
  }
  cudaResourceDesc of_array() const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
  cudaResourceDesc linear(const cudaChannelFormatDesc& format, size_t bytes) const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = rows;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = bytes;
    return resource;
  }
  cudaResourceDesc pitched(const cudaChannelFormatDesc& format, size_t width, size_t height) const {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = rows;
    resource.res.pitch2D.desc = format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return resource;
  }
  cudaError_t make(const cudaResourceDesc& resource) {
    const cudaError_t error = cudaCreateTextureObject(&object, &resource, &how, nullptr);
    if (error != cudaSuccess) CHECK(cudaGetLastError() == error);
    return error;
  }
};

}  // namespace

TEST_CASE_FIXTURE(Textures, "a texture object tells what it was made of, until it is destroyed") {
  how.addressMode[1] = cudaAddressModeMirror;
  how.borderColor[2] = 0.5F;
  REQUIRE(make(of_array()) == cudaSuccess);
  const cudaTextureObject_t first = object;
  REQUIRE(make(pitched(kInt, 8, 4)) == cudaSuccess);
  CHECK(object != first);
  cudaResourceDesc resource = {};
  CHECK(cudaGetTextureObjectResourceDesc(&resource, first) == cudaSuccess);
  CHECK(resource.resType == cudaResourceTypeArray);
  CHECK(resource.res.array.array == array);
  CHECK(cudaGetTextureObjectResourceDesc(&resource, object) == cudaSuccess);
  CHECK(resource.resType == cudaResourceTypePitch2D);
  CHECK(resource.res.pitch2D.pitchInBytes == pitch);
  cudaTextureDesc texture = {};
  CHECK(cudaGetTextureObjectTextureDesc(&texture, first) == cudaSuccess);
  CHECK(texture.addressMode[1] == cudaAddressModeMirror);
  CHECK(texture.borderColor[2] == 0.5F);
  CHECK(cudaGetTextureObjectTextureDesc(nullptr, first) == cudaErrorInvalidValue);
  CHECK(cudaGetTextureObjectResourceDesc(nullptr, first) == cudaErrorInvalidValue);
  CHECK(cudaDestroyTextureObject(first) == cudaSuccess);
  CHECK(cudaGetTextureObjectResourceDesc(&resource, first) == cudaErrorInvalidValue);
  CHECK(cudaGetTextureObjectTextureDesc(&texture, first) == cudaErrorInvalidValue);
  CHECK(cudaGetTextureObjectResourceDesc(&resource, object) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE_FIXTURE(Textures, "a texture object is made of memory that there is, in a format that there is") {
  const cudaResourceDesc whole = of_array();
  CHECK(cudaCreateTextureObject(nullptr, &whole, &how, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaCreateTextureObject(&object, nullptr, &how, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaCreateTextureObject(&object, &whole, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  cudaResourceDesc none = whole;
  none.res.array.array = reinterpret_cast<cudaArray_t>(0x40);
  CHECK(make(none) == cudaErrorInvalidValue);
  none.resType = cudaResourceTypeMipmappedArray;
  CHECK(make(none) == cudaErrorInvalidValue);
  const size_t all = 4 * pitch;
  CHECK(make(linear(kFloat, all)) == cudaSuccess);
  CHECK(make(linear(kFloat, all + 1)) == cudaErrorInvalidValue);  // more than was allocated
  CHECK(make(linear(kFloat, 0)) == cudaErrorInvalidValue);
  CHECK(make(linear({32, 8, 0, 0, cudaChannelFormatKindUnsigned}, all)) ==
        cudaErrorInvalidValue);  // unequal channels
  CHECK(make(pitched(kFloat, 8, 4)) == cudaSuccess);
  CHECK(make(pitched(kFloat, 8, 5)) == cudaErrorInvalidValue);      // a row more
  CHECK(make(pitched(kFloat, pitch, 4)) == cudaErrorInvalidValue);  // wider than its rows
  CHECK(cudaFree(rows) == cudaSuccess);
  CHECK(make(pitched(kFloat, 8, 4)) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(Textures, "views and sRGB are not simulated, which is said") {
  const cudaResourceDesc whole = of_array();
  const cudaResourceViewDesc view = {};
  cudaError_t error = cudaSuccess;
  const std::string refused =
      "gpusim: cudaCreateTextureObject: views of a resource and sRGB are not simulated\n";
  CHECK(said_by([&] { error = cudaCreateTextureObject(&object, &whole, &how, &view); }) == refused);
  CHECK(error == cudaErrorNotSupported);
  how.sRGB = 1;
  CHECK(make(whole) == cudaErrorNotSupported);  // said once
  cudaGetLastError();
}

TEST_CASE_FIXTURE(Textures, "only what is read as a float is interpolated") {
  how.filterMode = cudaFilterModeLinear;
  CHECK(make(of_array()) == cudaSuccess);
  CHECK(make(pitched(kInt, 8, 4)) == cudaErrorInvalidFilterSetting);
  CHECK(make(linear(kInt, 32)) == cudaSuccess);  // linear memory is never filtered
  how.readMode = cudaReadModeNormalizedFloat;
  CHECK(make(pitched(kByte4, 8, 4)) == cudaSuccess);
  CHECK(make(of_array()) == cudaSuccess);
  how.normalizedCoords = 1;
  CHECK(make(of_array()) == cudaSuccess);
  CHECK(make(linear(kInt, 32)) == cudaSuccess);
}

TEST_CASE_FIXTURE(Textures, "a surface object is one of an array") {
  const cudaResourceDesc whole = of_array();
  cudaSurfaceObject_t surface = 0;
  REQUIRE(cudaCreateSurfaceObject(&surface, &whole) == cudaSuccess);
  cudaResourceDesc resource = {};
  CHECK(cudaGetSurfaceObjectResourceDesc(&resource, surface) == cudaSuccess);
  CHECK(resource.res.array.array == array);
  CHECK(cudaGetSurfaceObjectResourceDesc(nullptr, surface) == cudaErrorInvalidValue);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaGetSurfaceObjectResourceDesc(&resource, surface) == cudaErrorInvalidValue);
  CHECK(cudaCreateSurfaceObject(nullptr, &whole) == cudaErrorInvalidValue);
  CHECK(cudaCreateSurfaceObject(&surface, nullptr) == cudaErrorInvalidValue);
  const cudaResourceDesc flat = linear(kFloat, 32);
  CHECK(cudaCreateSurfaceObject(&surface, &flat) == cudaErrorInvalidValue);
  cudaResourceDesc none = whole;
  none.res.array.array = nullptr;
  CHECK(cudaCreateSurfaceObject(&surface, &none) == cudaErrorInvalidValue);
  cudaGetLastError();
}
// SPDX-License-Identifier: MIT
