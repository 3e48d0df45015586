// Moves the elements of loads and stores between memory and registers, for all accesses that are no row in one piece of memory.
#include <algorithm>
#include <cstring>

#include "execution/located.h"

namespace gpusim {
namespace {

// Calls f(T()) for the C++ type of an element in memory, by its size, and by its sign where it may be widened.
template <class F> void with_element(Type type, F f) {
  switch (size_of(type)) {
    case 1: return type == Type::s8 ? f(s8()) : f(u8());
    case 2: return type == Type::s16 ? f(s16()) : f(u16());
    case 4: return type == Type::s32 ? f(s32()) : f(u32());
    default: return f(u64());
  }
}
// Calls f(T()) for an unsigned number as wide as a register.
template <class F> void with_register(u32 bytes, F f) {
  return bytes == 2 ? f(u16()) : bytes == 4 ? f(u32()) : f(u64());
}
template <class T> T read(const u8* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

// Moves one element of each lane from memory to a register, widening it if the register is wider.
void MemoryPipe::to_register(const Instruction& in, u8* frame, u32 k, const Located& from, Mask mask) {
  with_element(in.type, [&]<class T>(T) {
    with_register(in.d_bytes, [&]<class R>(R) {
      const u32 at = k * u32(sizeof(T));
      R* const out = reinterpret_cast<R*>(frame + in.d[k]);
      if (!from.is_one_piece || !from.row)
        return from.for_bytes(mask, [&](u32 l, const u8* p) { out[l] = R(read<T>(p + at)); });
      if (from.step == sizeof(T) && sizeof(T) == sizeof(R))
        return with_row(from.row, [&]<u32 row>() {
          for (u32 lane = 0; lane < kWarpSize; lane += row)
            std::memcpy(out + lane, from.bytes(lane) + at, row * sizeof(T));
        });
      with_row(from.row, [&]<u32 row>() {
        for (u32 lane = 0; lane < kWarpSize; lane += row) {
          const u8* const p = from.bytes(lane) + at;
          R* const to = out + lane;
          if (from.step == sizeof(T)) {
            for (u32 l = 0; l < row; ++l) to[l] = R(read<T>(p + l * sizeof(T)));
          } else if (from.step == 0) {
            std::fill_n(to, row, R(read<T>(p)));
          } else {
            for (u32 l = 0; l < row; ++l) to[l] = R(read<T>(p + l * from.step));
          }
        }
      });
    });
  });
}
void MemoryPipe::from_register(const Instruction& in, const u8* frame, u32 k, const Located& to, Mask mask) {
  with_element(in.type, [&]<class T>(T) {
    with_register(in.s_bytes, [&]<class R>(R) {
      const u32 at = k * u32(sizeof(T));
      const R* const from = reinterpret_cast<const R*>(frame + in.s[1 + k]);
      const auto write = [](u8* where, R value) {
        const T element = T(value);
        std::memcpy(where, &element, sizeof element);
      };
      if (!to.is_one_piece || !to.row)
        return to.for_bytes(mask, [&](u32 l, u8* p) { write(p + at, from[l]); });
      if (to.step == sizeof(T) && sizeof(T) == sizeof(R))
        return with_row(to.row, [&]<u32 row>() {
          for (u32 lane = 0; lane < kWarpSize; lane += row)
            std::memcpy(to.bytes(lane) + at, from + lane, row * sizeof(T));
        });
      with_row(to.row, [&]<u32 row>() {
        for (u32 lane = 0; lane < kWarpSize; lane += row) {  // the last lane to write a byte wins
          u8* const p = to.bytes(lane) + at;
          if (to.step == sizeof(T)) {
            for (u32 l = 0; l < row; ++l) write(p + l * sizeof(T), from[lane + l]);
          } else if (to.step == 0) {
            write(p, from[lane + row - 1]);
          } else {
            for (u32 l = 0; l < row; ++l) write(p + l * to.step, from[lane + l]);
          }
        }
      });
    });
  });
}

void MemoryPipe::move_lanes(Warp& w, Fragment& f, const Instruction& in, Mask mask, AccessKind kind) {
  if (kind == AccessKind::load)
    return for_spaces(w, f, in, mask, kind, [&](const Located& at, Mask lanes) {
      for (u32 k = 0; k < in.vector; ++k)
        if (in.d[k] != kNoOperand) to_register(in, f.frame->bytes(), k, at, lanes);
    });
  for_spaces(w, f, in, mask, kind, [&](const Located& at, Mask lanes) {
    for (u32 k = 0; k < in.vector; ++k) from_register(in, f.frame->bytes(), k, at, lanes);
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
