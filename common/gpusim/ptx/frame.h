// Lays out a function's frame while its body is parsed: registers, parameters, constants (ptx/program.h).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "ptx/parser.h"

namespace gpusim::ptx {

struct Register {
  Type type = Type::none;
  FrameOffset frame = kNoOperand;
  u32 bytes() const { return size_of(type); }  // 0 for a predicate
};

class FrameBuilder {
 public:
  explicit FrameBuilder(Function& f) : f_(f) {}

  // Room for `bytes` bytes, aligned so that a warp's lanes load with full vectors.
  FrameOffset allocate(u64 bytes, const Cursor& in) {
    const u64 at = align_up(f_.frame_bytes, 64);
    if (at + bytes > kLargestFrame)
      in.fail("function " + f_.name + " has more registers than can be simulated");
    f_.frame_bytes = u32(at + bytes);
    return FrameOffset(at);
  }
  Register make_register(Type type, const Cursor& in) {
    f_.registers += size_of(type) == 8 ? 2 : 1;
    return {type, allocate(size_of(type) ? u64(size_of(type)) * kWarpSize : sizeof(Mask), in)};
  }
  // The same constant is stored once.
  FrameOffset constant(Constant c, const Cursor& in) {
    const auto key = std::tuple(c.bytes, u8(c.base), c.variable, c.value, c.lane_stride);
    if (const auto known = constants_.find(key); known != constants_.end()) return known->second;
    c.frame = allocate(c.bytes ? u64(c.bytes) * kWarpSize : sizeof(Mask), in);
    f_.constants.push_back(c);
    return constants_[key] = c.frame;
  }
  FrameOffset special(Special which, u32 bytes, const Cursor& in) {
    for (const SpecialValue& s : f_.specials)
      if (s.which == which && s.bytes == bytes) return s.frame;
    f_.specials.push_back({allocate(u64(bytes) * kWarpSize, in), which, bytes});
    return f_.specials.back().frame;
  }

 private:
  static constexpr u64 kLargestFrame = 8u << 20;  // bytes: 65,536 registers of 32 bits
  Function& f_;
  std::map<std::tuple<u32, u8, u32, u64, u64>, FrameOffset> constants_;
};

// "%tid.x" and its kin; nothing for any other name.
std::optional<Special> special_named(std::string_view);
inline bool is_clock(Special s) { return s >= Special::clock; }

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
