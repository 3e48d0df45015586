// The loops over a warp's lanes, by those for every processor and by those for this one: lanes that take no part keep what they
// have, whatever the mask; quotients by doubles are those of integers; rows of lanes move what each lane alone would.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "lanes/lane_addresses.h"
#include "lanes/lane_ops.h"

using namespace gpusim;

namespace {

constexpr FrameOffset kD = 64, kA = kD + 256, kB = kA + 256;
struct alignas(64) Frame {
  u8 bytes[kB + 256] = {};

  template <class T> void set(FrameOffset at, u32 lane, T value) {
    std::memcpy(bytes + at + lane * sizeof value, &value, sizeof value);
  }
  template <class T> T get(FrameOffset at, u32 lane) const {
    T value;
    std::memcpy(&value, bytes + at + lane * sizeof value, sizeof value);
    return value;
  }
};

const Mask kMasks[] = {0x00000001, 0x80000000, 0x00010001, 0x000e0000, 0x0000000f,
                       0x55555555, 0xffff0000, 0x7fffffff, 0xfffffffe, 0xffffffff};

// With both.
template <class F> void with_loops(F f) {
  for (const LaneLoops loops : {LaneLoops::base, LaneLoops::best}) {
    use_lane_loops(loops);
    f();
  }
  use_lane_loops(LaneLoops::best);
}

Instruction make(Op op, Shape shape, Type type) {
  Instruction in;
  in.op = op;
  in.shape = shape;
  in.type = in.dest_type = type;
  in.d[0] = kD;
  in.s[0] = kA;
  in.s[1] = kB;
  return in;
}

template <class T> T quotient(T a, T b) {
  if (b == 0) return T(~T(0));
  if (std::is_signed_v<T> && b == T(-1)) return T(0 - std::make_unsigned_t<T>(a));
  return T(a / b);
}
template <class T> T remainder(T a, T b) {
  if (b == 0) return T(~T(0));
  if (std::is_signed_v<T> && b == T(-1)) return 0;
  return T(a % b);
}

template <class T> void check_division(Type type) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers = {0,
                            1,
                            2,
                            3,
                            7,
                            10,
                            255,
                            T(Limits::max() / 2),
                            T(Limits::max() / 2 + 1),
                            T(Limits::max() - 1),
                            Limits::max(),
                            Limits::min(),
                            T(Limits::min() + 1),
                            T(-1),
                            T(-2),
                            T(-3),
                            T(-10)};
  std::mt19937_64 random(7);
  while (numbers.size() < 400) numbers.push_back(T(random() >> random() % 64));
  for (const bool is_quotient : {true, false}) {
    const LaneFunction run = bind_lanes(make(is_quotient ? Op::div : Op::rem, Shape::binary, type));
    REQUIRE(bool(run));
    const Instruction in = make(is_quotient ? Op::div : Op::rem, Shape::binary, type);
    u32 wrong = 0;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      for (std::size_t first = 0; first < numbers.size(); first += kWarpSize) {
        Frame frame;
        const Mask mask = kMasks[(k + first) % std::size(kMasks)];
        const auto b = [&](u32 lane) { return numbers[(first + lane) % numbers.size()]; };
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
          frame.set<T>(kA, lane, numbers[k]);
          frame.set<T>(kB, lane, b(lane));
          frame.set<T>(kD, lane, T(77));
        }
        run(in, frame.bytes, mask);
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
          const T expected = !(mask >> lane & 1) ? T(77)
                             : is_quotient       ? quotient(numbers[k], b(lane))
                                                 : remainder(numbers[k], b(lane));
          wrong += frame.get<T>(kD, lane) != expected;
        }
      }
    CHECK(wrong == 0);
  }
}

// A load or store of T by registers of R: where lane l is at `step` × l, against a look at each lane.
template <class T, class R> void check_rows(Type type, bool loads, u32 vector, s64 step) {
  constexpr u32 kRoom = 32 * 64 + 64, kLane0 = kRoom / 2;
  std::array<u8, kRoom> memory, expected;
  for (u32 k = 0; k < kRoom; ++k) memory[k] = expected[k] = u8(k * 7 + 128);
  Instruction in = make(loads ? Op::ld : Op::st, loads ? Shape::load : Shape::store, type);
  in.vector = u8(vector);
  in.d_bytes = in.s_bytes = sizeof(R);
  for (u32 k = 0; k < vector; ++k) in.d[k] = in.s[1 + k] = kD + 256 * k;
  const RowMover move = bind_row(in);
  REQUIRE(bool(move));
  for (const Mask mask : kMasks)
    for (const bool all_there : {true, false}) {
      alignas(64) u8 frame[kD + 4 * 256];
      for (u32 k = 0; k < sizeof frame; ++k) frame[k] = u8(k * 5 + 3);
      std::vector<u8> after(frame, frame + sizeof frame);
      for (u32 lane = 0; lane < kWarpSize; ++lane)
        for (u32 k = 0; mask >> lane & 1 && k < vector; ++k) {
          u8* const cell = expected.data() + kLane0 + s64(lane) * step + k * sizeof(T);
          u8* const reg = after.data() + kD + 256 * k + lane * sizeof(R);
          if (loads) {
            T value;
            std::memcpy(&value, cell, sizeof value);
            const R wide = R(value);
            std::memcpy(reg, &wide, sizeof wide);
          } else {
            R value;
            std::memcpy(&value, reg, sizeof value);
            const T narrow = T(value);
            std::memcpy(cell, &narrow, sizeof narrow);
          }
        }
      move(in, frame, mask, memory.data() + kLane0, u64(step), all_there);
      CHECK(std::memcmp(frame, after.data(), sizeof frame) == 0);
      CHECK(memory == expected);
    }
}

}  // namespace

TEST_CASE("quotients and remainders, and lanes that take no part") {
  with_loops([] {
    check_division<u32>(Type::u32);
    check_division<s32>(Type::s32);
    check_division<u16>(Type::u16);
    check_division<s16>(Type::s16);
    check_division<u64>(Type::u64);
    check_division<s64>(Type::s64);
  });
}

TEST_CASE("rows of lanes move what each lane would") {
  with_loops([] {
    for (const bool loads : {true, false})
      for (const s64 elements : {0, 1, 2, 3, 4, -1, -4}) {
        CAPTURE(loads);
        CAPTURE(elements);
        check_rows<u8, u16>(Type::u8, loads, 1, elements);
        check_rows<u8, u32>(Type::u8, loads, 1, elements);
        check_rows<u16, u16>(Type::u16, loads, 1, elements * 2);
        check_rows<u16, u64>(Type::u16, loads, 1, elements * 2);
        check_rows<u32, u32>(Type::u32, loads, 1, elements * 4);
        check_rows<u32, u32>(Type::u32, loads, 2, elements * 8);
        check_rows<u32, u64>(Type::u32, loads, 1, elements * 4);
        check_rows<u64, u64>(Type::u64, loads, 1, elements * 8);
        if (!loads) continue;  // signed elements are widened with their sign
        check_rows<s8, u32>(Type::s8, loads, 1, elements);
        check_rows<s16, u32>(Type::s16, loads, 1, elements * 2);
        check_rows<s32, u64>(Type::s32, loads, 1, elements * 4);
      }
  });
}
// SPDX-License-Identifier: MIT
