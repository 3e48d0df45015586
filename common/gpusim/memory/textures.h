// What texture and surface objects stand for, and what a read of one gives.
#pragma once

#include <array>

#include "base/base.h"

namespace gpusim {

// Bytes: the rows of a texture in linear memory begin at multiples of it (cudaDeviceProp::texturePitchAlignment).
inline constexpr u64 kTexturePitch = 32;

struct Texture {
  enum class Kind { sint, uint, real };
  u64 address = 0, size = 0;             // of the elements in device memory
  u64 width = 0, height = 1, depth = 1;  // elements, rows, slices or layers
  u64 row_bytes = 0, slice_bytes = 0;
  u32 channels = 1, channel_bits = 32;
  Kind kind = Kind::real;
  std::array<u32, 3> address_modes = {};  // cudaTextureAddressMode
  bool linear_filter = false, normalized_coordinates = false, normalized_float = false;
  std::array<float, 4> border = {};

  u64 element_bytes() const { return u64(channels) * channel_bits / 8; }
};

// The four words of a read (`dimensions` as in gpusim/detail/textures.h). `bytes`: where its elements lie in this process.
std::array<u32, 4> read_texture(const Texture&, const u8* bytes, std::array<float, 3> at, u32 dimensions);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
