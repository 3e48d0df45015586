// Reads of textures, by the formulas of the CUDA C++ Programming Guide ("Texture Fetching"): of a linear filter the weights
// have eight bits.
#include "memory/textures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "lanes/half.h"

namespace gpusim {
namespace {

enum AddressMode : u32 { wrap = 0, clamp = 1, mirror = 2, border = 3 };
constexpr u32 kFetch = 16, kLayered = 32;

// The remainder after division, 0 <= rest < count; exact for whole numbers of any size, and 0 for infinity.
double rest_of(double index, double count) {
  if (index >= 0 && index < count) return index;
  const double rest = std::isfinite(index) ? std::fmod(index, count) : 0;
  return rest < 0 ? rest + count : rest;
}

// std::floor as arithmetic: where the processor may lack an instruction for it, std::floor is a function call.
double floor_of(double x) {
  if (!(std::abs(x) < 0x1p52)) return x;
  const double whole = double(s64(x));
  return whole - (whole > x);
}

// Index of an element along one axis; nullopt: beyond the border.
std::optional<u64> place(double index, u64 size, u32 mode, bool normalized) {
  const double count = double(size);
  if (!normalized && (mode == wrap || mode == mirror))
    mode = clamp;  // they are for normalized coordinates only
  switch (mode) {
    case wrap: return u64(rest_of(index, count));
    case mirror: {
      const double period = rest_of(index, 2 * count);
      return u64(period < count ? period : 2 * count - 1 - period);
    }
    case border:
      if (index < 0 || index >= count) return {};
      return u64(index);
    default: return u64(std::clamp(index, 0.0, count - 1));
  }
}

template <class T> u32 load(const u8* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// A channel as a word: a float, or an integer with its sign.
u32 channel(const Texture& t, const u8* at) {
  const u32 word = t.channel_bits == 32 ? load<u32>(at) : t.channel_bits == 16 ? load<u16>(at) : load<u8>(at);
  const u32 shift = 32 - t.channel_bits;
  switch (t.kind) {
    case Texture::Kind::real: return t.channel_bits == 16 ? std::bit_cast<u32>(widen(Half{u16(word)})) : word;
    case Texture::Kind::sint: {
      const s32 value = s32(word << shift) >> shift;
      if (!t.normalized_float) return u32(value);
      return std::bit_cast<u32>(std::max(-1.0f, float(value) / float((u32(1) << (t.channel_bits - 1)) - 1)));
    }
    default:
      if (!t.normalized_float) return word;
      return std::bit_cast<u32>(float(word) / float((u64(1) << t.channel_bits) - 1));
  }
}

std::array<u32, 4> element(const Texture& t, const u8* start, const std::array<double, 3>& index) {
  const u64 sizes[3] = {t.width, t.height, t.depth};
  u64 at[3];
  for (u32 axis = 0; axis < 3; ++axis) {
    const auto found = place(index[axis], sizes[axis], t.address_modes[axis], t.normalized_coordinates);
    if (!found) {
      std::array<u32, 4> words;
      for (u32 i = 0; i < 4; ++i) words[i] = i < t.channels ? std::bit_cast<u32>(t.border[i]) : 0;
      return words;
    }
    at[axis] = *found;
  }
  const u8* const bytes = start + at[2] * t.slice_bytes + at[1] * t.row_bytes + at[0] * t.element_bytes();
  std::array<u32, 4> words = {};
  for (u32 i = 0; i < t.channels; ++i) words[i] = channel(t, bytes + i * t.channel_bits / 8);
  return words;
}

}  // namespace

std::array<u32, 4> read_texture(const Texture& t, const u8* bytes, std::array<float, 3> at, u32 dimensions) {
  if (dimensions & kFetch) {
    const s32 index = std::bit_cast<s32>(at[0]);
    return index < 0 || u64(index) >= t.width ? std::array<u32, 4>{}
                                              : element(t, bytes, {double(index), 0, 0});
  }
  const u32 axes = dimensions % kFetch;
  const u64 sizes[3] = {t.width, t.height, t.depth};
  std::array<double, 3> index = {}, weight = {};
  for (u32 axis = 0; axis < axes; ++axis) {
    double x = t.normalized_coordinates ? double(at[axis]) * double(sizes[axis]) : double(at[axis]);
    if (std::isnan(x)) x = 0;
    if (t.linear_filter) x -= 0.5;
    index[axis] = floor_of(x);
    if (!t.linear_filter) continue;
    weight[axis] = std::nearbyint((x - index[axis]) * 256) / 256;
    if (t.address_modes[axis] == clamp &&
        (x < 0 || x >= double(sizes[axis]) - 1)) {  // both neighbours are the last one
      index[axis] = std::clamp(index[axis], 0.0, double(sizes[axis]) - 1);
      weight[axis] = 0;
    }
  }
  if (dimensions & kLayered) {
    const double layer = std::isnan(at[2]) ? 0 : double(at[2]);
    index[2] = std::clamp(std::nearbyint(layer), 0.0, double(t.depth) - 1);
  }
  if (!t.linear_filter) return element(t, bytes, index);
  std::array<double, 4> sum = {};
  for (u32 corner = 0; corner < u32(1) << axes; ++corner) {
    std::array<double, 3> neighbour = index;
    double share = 1;
    for (u32 axis = 0; axis < axes; ++axis) {
      const bool upper = corner >> axis & 1;
      neighbour[axis] += upper;
      share *= upper ? weight[axis] : 1 - weight[axis];
    }
    if (share == 0) continue;
    const std::array<u32, 4> words = element(t, bytes, neighbour);
    for (u32 i = 0; i < 4; ++i) sum[i] += share * double(std::bit_cast<float>(words[i]));
  }
  std::array<u32, 4> words;
  for (u32 i = 0; i < 4; ++i) words[i] = std::bit_cast<u32>(float(sum[i]));
  return words;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
