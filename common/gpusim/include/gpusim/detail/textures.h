// tex1Dfetch, tex2D, surf2Dread … of texture and surface objects, which the host computes (memory/textures.cpp).
#pragma once

#include "texture_types.h"

#if defined(__CUDA__)

extern "C" {
// Writes four words, floats or ints as the texture has them. `dimensions`: 1 to 3, and 16 for integer coordinates of
// linear memory, 32 for layers (z, or y of one dimension).
__device__ void __gpusim_texture(unsigned long long object, float x, float y, float z, int dimensions,
                                 unsigned* words);
// Moves `bytes` of an array: x counts bytes. `mode`: a cudaSurfaceBoundaryMode, and 16 to write.
__device__ void __gpusim_surface(unsigned long long object, int x, int y, int z, int bytes, int mode,
                                 void* value);
}

#define GPUSIM_TEXTURE static __device__ inline __attribute__((always_inline))

// A texture of floats gives floats, bit by bit; one of integers their low bytes.
template <class Component> GPUSIM_TEXTURE Component gpusim_component(unsigned word) {
  return Component(word);
}
template <> __device__ inline float gpusim_component<float>(unsigned word) { return __uint_as_float(word); }

template <class T> GPUSIM_TEXTURE T gpusim_texture(cudaTextureObject_t object, float x, float y, float z,
                                                   int dimensions) {
  typedef typename gpusim_channels<T>::Component Component;
  unsigned words[4] = {0, 0, 0, 0};
  __gpusim_texture(object, x, y, z, dimensions, words);
  T value;
  Component* const components = (Component*)&value;
#pragma unroll
  for (int i = 0; i < gpusim_channels<T>::count; ++i) components[i] = gpusim_component<Component>(words[i]);
  return value;
}

template <class T> GPUSIM_TEXTURE T tex1Dfetch(cudaTextureObject_t object, int x) {
  return gpusim_texture<T>(object, __int_as_float(x), 0, 0, 17);
}
template <class T> GPUSIM_TEXTURE T tex1D(cudaTextureObject_t object, float x) {
  return gpusim_texture<T>(object, x, 0, 0, 1);
}
template <class T> GPUSIM_TEXTURE T tex2D(cudaTextureObject_t object, float x, float y) {
  return gpusim_texture<T>(object, x, y, 0, 2);
}
template <class T> GPUSIM_TEXTURE T tex3D(cudaTextureObject_t object, float x, float y, float z) {
  return gpusim_texture<T>(object, x, y, z, 3);
}
template <class T> GPUSIM_TEXTURE T tex1DLayered(cudaTextureObject_t object, float x, int layer) {
  return gpusim_texture<T>(object, x, 0, float(layer), 33);
}
template <class T> GPUSIM_TEXTURE T tex2DLayered(cudaTextureObject_t object, float x, float y, int layer) {
  return gpusim_texture<T>(object, x, y, float(layer), 34);
}
template <class T> GPUSIM_TEXTURE void tex1Dfetch(T* value, cudaTextureObject_t object, int x) {
  *value = tex1Dfetch<T>(object, x);
}
template <class T> GPUSIM_TEXTURE void tex1D(T* value, cudaTextureObject_t object, float x) {
  *value = tex1D<T>(object, x);
}
template <class T> GPUSIM_TEXTURE void tex2D(T* value, cudaTextureObject_t object, float x, float y) {
  *value = tex2D<T>(object, x, y);
}
template <class T> GPUSIM_TEXTURE void tex3D(T* value, cudaTextureObject_t object, float x, float y,
                                             float z) {
  *value = tex3D<T>(object, x, y, z);
}

#define GPUSIM_SURFACE(name, coordinates, x, y, z)                                       \
  template <class T>                                                                     \
  GPUSIM_TEXTURE T name##read(cudaSurfaceObject_t object, coordinates,                   \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
    T value{};                                                                           \
    __gpusim_surface(object, x, y, z, sizeof value, mode, &value);                       \
    return value;                                                                        \
  }                                                                                      \
  template <class T>                                                                     \
  GPUSIM_TEXTURE void name##read(T* value, cudaSurfaceObject_t object, coordinates,      \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
    T own{};                                                                             \
    __gpusim_surface(object, x, y, z, sizeof own, mode, &own);                           \
    *value = own;                                                                        \
  }                                                                                      \
  template <class T>                                                                     \
  GPUSIM_TEXTURE void name##write(T value, cudaSurfaceObject_t object, coordinates,      \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    __gpusim_surface(object, x, y, z, sizeof value, mode + 16, &value);                  \
  }
#define GPUSIM_COMMA ,
GPUSIM_SURFACE(surf1D, int x, x, 0, 0)
GPUSIM_SURFACE(surf2D, int x GPUSIM_COMMA int y, x, y, 0)
GPUSIM_SURFACE(surf3D, int x GPUSIM_COMMA int y GPUSIM_COMMA int z, x, y, z)
GPUSIM_SURFACE(surf1DLayered, int x GPUSIM_COMMA int layer, x, 0, layer)
GPUSIM_SURFACE(surf2DLayered, int x GPUSIM_COMMA int y GPUSIM_COMMA int layer, x, y, layer)
#undef GPUSIM_SURFACE
#undef GPUSIM_COMMA
#undef GPUSIM_TEXTURE
#endif
// SPDX-License-Identifier: MIT
