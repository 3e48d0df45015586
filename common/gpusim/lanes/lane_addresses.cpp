// Compiled twice on x86-64, as lanes/lane_ops.cpp is.
#ifndef GPUSIM_LANE_OPS
#define GPUSIM_LANE_OPS lane_ops_base
#endif

#include "lanes/lane_addresses.h"

#include <algorithm>
#include <bit>

namespace gpusim::GPUSIM_LANE_OPS {
namespace {

// Vectors written by hand, because compilers generate worse ones. No load overlaps two vectors that have just been stored, since
// a processor would stall on that.
using Four [[gnu::vector_size(4 * sizeof(u64)), gnu::aligned(sizeof(u64)), gnu::may_alias]] = u64;
using FourShort [[gnu::vector_size(4 * sizeof(u32)), gnu::aligned(sizeof(u32)), gnu::may_alias]] = u32;

inline bool is_zero(const Four& v) {
#ifdef __AVX__
  using Vector [[gnu::vector_size(4 * sizeof(u64))]] = long long;
  return __builtin_ia32_ptestz256(Vector(v), Vector(v));
#else
  return (v[0] | v[1] | v[2] | v[3]) == 0;
#endif
}

// Fills in the bounds of lanes that lie in rows. Returns false if an address wraps.
inline bool find_bounds_of_rows(u32 row, u64 step, LaneAddresses& out) {
  constexpr u64 kFar = u64(1) << 40;
  const u64* const address = out.address;
  const bool is_backwards = step >> 63;
  u64 low = ~u64(0), high = 0, bits = step;
  bool wraps = step + kFar >= 2 * kFar;
  for (u32 lane = 0; lane < kWarpSize; lane += row) {
    const u64 first = address[lane], last = address[lane + row - 1];
    low = std::min(low, is_backwards ? last : first);
    high = std::max(high, is_backwards ? first : last);
    bits |= first;
    wraps |= (last < first) != is_backwards;
  }
  if (wraps) return false;
  out.row = row;
  out.step = step;
  out.low = low;
  out.high = high;
  out.bits = bits;
  return true;
}

// Whether the lanes lie in rows. The caller knows that all lanes take part and do not form a single row.
inline bool find_rows(LaneAddresses& out) {
  constexpr u32 kShortest = 8;
  const u64* const address = out.address;
  const Four* const vector = reinterpret_cast<const Four*>(address);
  const u64 step = address[1] - address[0], two = 2 * step;
  const Four left = {0, step, two, two + step}, right = left + 2 * two;  // in the shortest row
  Four differences = {};
  for (u32 lane = 0; lane < kWarpSize; lane += kShortest) {
    differences |= (vector[lane / 4] - address[lane]) ^ left;
    differences |= (vector[lane / 4 + 1] - address[lane]) ^ right;
  }
  if (!is_zero(differences)) return false;
  const auto goes_on = [&](u32 lane) { return address[lane] - address[lane - 1] == step; };
  return find_bounds_of_rows(goes_on(8) && goes_on(24) ? 16 : 8, step, out);
}

// Fills in the lanes' addresses from registers of 4 or 8 bytes and the offset. Returns whether the distance between neighbouring
// lanes is the same everywhere.
template <class Vector, class Offset>
inline bool fill(LaneAddresses& out, const Vector* registers, Offset offset) {
  Four* const address = reinterpret_cast<Four*>(out.address);
  address[0] = __builtin_convertvector(registers[0] + offset, Four);
  const u64 step = address[0][1] - address[0][0], two = 2 * step;
  Four expected = address[0][0] + Four{0, step, two, two + step}, differences = address[0] ^ expected;
  for (u32 k = 1; k < kWarpSize / 4; ++k) {
    const Four next = __builtin_convertvector(registers[k] + offset, Four);
    expected += 2 * two;
    differences |= next ^ expected;
    address[k] = next;
  }
  return is_zero(differences);
}

// Of registers of 4 or 8 bytes.
template <class Vector, class Offset>
inline bool is_row(const Vector* registers, Offset offset, u64& first, u64& step) {
  const Four four = __builtin_convertvector(registers[0] + offset, Four);
  first = four[0];
  step = four[1] - first;
  const u64 two = 2 * step;
  Four expected = first + Four{0, step, two, two + step}, differences = four ^ expected;
  for (u32 k = 1; k < kWarpSize / 4; ++k) {
    expected += 2 * two;
    differences |= __builtin_convertvector(registers[k] + offset, Four) ^ expected;
  }
  return is_zero(differences);
}

inline void find_bounds(Mask mask, LaneAddresses& out) {
  out.row = 0;
  const u64 first = out.address[mask ? __builtin_ctz(mask) : 0];  // stands for those that take no part
  u64 low = first, high = first, bits = first;
  constexpr int kFew = 8;
  if (std::popcount(mask) <= kFew) {  // a thread that works alone, above all
    for (Mask left = mask; left; left &= left - 1) {
      const u64 a = out.address[__builtin_ctz(left)];
      low = std::min(low, a);
      high = std::max(high, a);
      bits |= a;
    }
    out.low = low;
    out.high = high;
    out.bits = bits;
    return;
  }
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    const u64 takes_part = u64(0) - (mask >> lane & 1);
    const u64 a = (out.address[lane] & takes_part) | (first & ~takes_part);
    low = a < low ? a : low;
    high = a > high ? a : high;
    bits |= a;
  }
  out.low = low;
  out.high = high;
  out.bits = bits;
}

// Whether the row's lanes of the mask stay in the piece and are aligned. `bytes`: per lane, a power of two.
[[gnu::always_inline]] inline bool row_in_piece(u64 first, u64 step, Mask mask, u32 bytes, const Piece& piece,
                                                LaneRow& out) {
  constexpr u64 kFar = u64(1) << 40;
  if ((first | step) & (bytes - 1) || step + kFar >= 2 * kFar || piece.size < bytes) return false;
  // If both ends are in the piece, so is everything between them: steps that wrap around the address space are ruled out above.
  const u64 from = first - piece.base, end = piece.size - bytes;
  const auto holds = [&](u32 a, u32 b) { return std::max(from + a * step, from + b * step) <= end; };
  out.all_there = holds(0, kWarpSize - 1);
  if (!out.all_there &&
      (mask == kAllLanes || !holds(u32(std::countr_zero(mask)), kWarpSize - 1 - u32(std::countl_zero(mask)))))
    return false;
  out.first = first;
  out.step = step;
  out.where = reinterpret_cast<u8*>(reinterpret_cast<u64>(piece.bytes) + from);
  return true;
}

}  // namespace

bool row(const Instruction& in, const u8* frame, Mask mask, u32 bytes, const Piece& piece, LaneRow& out) {
  const u8* const registers = frame + in.s[0];
  u64 first, step;
  if (in.address_bytes == 8
          ? !is_row(reinterpret_cast<const Four*>(registers), u64(in.offset), first, step)
          : !is_row(reinterpret_cast<const FourShort*>(registers), u32(in.offset), first, step))
    return false;
  return row_in_piece(first, step, mask, bytes, piece, out);
}

void addresses(const Instruction& in, const u8* frame, Mask mask, LaneAddresses& out) {
  const u8* const registers = frame + in.s[0];
  const bool is_one_row = in.address_bytes == 8
                              ? fill(out, reinterpret_cast<const Four*>(registers), u64(in.offset))
                              : fill(out, reinterpret_cast<const FourShort*>(registers), u32(in.offset));
  if (mask == kAllLanes &&
      (is_one_row ? find_bounds_of_rows(kWarpSize, out.address[1] - out.address[0], out) : find_rows(out)))
    return;
  find_bounds(mask, out);
}

}  // namespace gpusim::GPUSIM_LANE_OPS
// SPDX-License-Identifier: MIT
