#include "analysis/uniformity.h"

#include <algorithm>

namespace gpusim {
namespace {

// In lockstep (analysis/uniformity.h).
Uniformity of_special(Special which) {
  switch (which) {
    case Special::tid_x:
    case Special::laneid: return Uniformity::affine;
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
    case Special::clock:
    case Special::clock_hi:
    case Special::clock64:
    case Special::globaltimer: return Uniformity::unknown;
    default: return Uniformity::uniform;
  }
}

u64 low_bits(u64 value, u32 bytes) { return bytes == 8 ? value : value & ((u64(1) << 8 * bytes) - 1); }

}  // namespace

LaneValueTable::LaneValueTable(const Program& program, const Function& f,
                               const std::vector<bool>& is_partial) {
  for (const Constant& c : f.constants) {
    const bool is_uniform = c.lane_stride == 0;
    values_[c.frame] = is_uniform ? Uniformity::uniform : Uniformity::affine;
    if (is_uniform && c.base == Constant::Base::none && c.bytes)
      constants_[c.frame] = low_bits(c.value, c.bytes);
  }
  for (const auto& [at, value] : constants_)
    numbers_[at] = value % kWarpSize == 0 ? LaneNumbers::multiple_of_32 : LaneNumbers::other;
  for (const SpecialValue& s : f.specials) {
    values_[s.frame] = of_special(s.which);
    numbers_[s.frame] =
        s.which == Special::tid_x || s.which == Special::laneid ? LaneNumbers::lane : LaneNumbers::other;
  }
  // Registers that nothing writes hold what all lanes have alike. What is known of others can only become less.
  for (bool changes = true; changes;) {
    changes = false;
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      const bool is_of_some = is_partial[pc] || in.guard != kNoOperand;
      const Uniformity is = is_of_some ? Uniformity::unknown : result(in);
      const LaneNumbers number_is = is_of_some ? LaneNumbers::other : number(in);
      for (const FrameOffset d : in.d) {
        if (d == kNoOperand) continue;
        Uniformity& known = values_.try_emplace(d, Uniformity::uniform).first->second;
        if (is > known) known = is, changes = true;
        LaneNumbers& number = numbers_.try_emplace(d, LaneNumbers::unwritten).first->second;
        if (number_is == LaneNumbers::unwritten || number_is == number || number == LaneNumbers::other)
          continue;
        number = number == LaneNumbers::unwritten ? number_is : LaneNumbers::other;
        changes = true;
      }
    }
  }
}

Uniformity LaneValueTable::of(FrameOffset at) const {
  const auto found = values_.find(at);
  return found == values_.end() ? Uniformity::uniform : found->second;
}

std::optional<u64> LaneValueTable::constant(FrameOffset at) const {
  const auto found = constants_.find(at);
  return found == constants_.end() ? std::nullopt : std::optional(found->second);
}

LaneNumbers LaneValueTable::number_at(FrameOffset at) const {
  const auto found = numbers_.find(at);
  return found == numbers_.end() ? LaneNumbers::unwritten : found->second;
}

LaneNumbers LaneValueTable::number(const Instruction& in) const {
  using enum LaneNumbers;
  if (is_float(in.type) || in.type == Type::pred || size_of(in.type) < 4) return other;
  const LaneNumbers a = number_at(in.s[0]), b = number_at(in.s[1]);
  const auto is_multiple = [&](u32 k) {
    return in.s[k] != kNoOperand && number_at(in.s[k]) == multiple_of_32;
  };
  const auto sum = [](LaneNumbers x, LaneNumbers y) {
    if (x == unwritten || y == unwritten) return unwritten;
    if (x == multiple_of_32) return y;
    return x == lane && y == multiple_of_32 ? lane : other;
  };
  // Of numbers that are the same in all lanes.
  const bool is_product = (of(in.s[0]) == Uniformity::uniform && is_multiple(1)) ||
                          (in.s[1] != kNoOperand && of(in.s[1]) == Uniformity::uniform && is_multiple(0));
  switch (in.op) {
    case Op::mov: return in.mode == kMovePlain ? a : other;
    case Op::add: return in.sat ? other : sum(a, b);
    case Op::mul_lo: return is_product ? multiple_of_32 : other;
    case Op::mad_lo: return is_product ? sum(multiple_of_32, number_at(in.s[2])) : other;
    case Op::shl: {
      const std::optional<u64> count = constant(in.s[1]);
      return of(in.s[0]) == Uniformity::uniform && count && *count >= 5 && *count < 32 ? multiple_of_32
                                                                                       : other;
    }
    default: return other;
  }
}

// What is left of the numbers of lanes where some of their bits are taken.
Uniformity LaneValueTable::bits(const Instruction& in) const {
  const LaneNumbers a = number_at(in.s[0]);
  const std::optional<u64> b = constant(in.s[1]);
  if (!b || size_of(in.type) < 4) return Uniformity::unknown;
  if (a == LaneNumbers::unwritten) return Uniformity::uniform;  // so far
  if (a != LaneNumbers::lane) return Uniformity::unknown;
  if (in.op == Op::shr) return *b >= 5 ? Uniformity::uniform : Uniformity::unknown;
  const u64 of_lane = *b % kWarpSize;
  return of_lane == 0               ? Uniformity::uniform
         : of_lane == kWarpSize - 1 ? Uniformity::affine
                                    : Uniformity::unknown;
}

// A factor that leaves a change of the step by 2^32 visible in 64 bits, however often it comes in a warp.
bool LaneValueTable::is_small(FrameOffset at) const {
  const std::optional<u64> value = constant(at);
  return value && *value != 0 && *value <= u64(1) << 24;
}

Uniformity LaneValueTable::sum(Uniformity a, Uniformity b) const {
  if (std::min(a, b) >= Uniformity::wide_affine)
    return Uniformity::unknown;  // their changes might cancel out
  return std::max(a, b);
}

Uniformity LaneValueTable::product(const Instruction& in, Uniformity a, Uniformity b) const {
  const bool is_low = in.op == Op::mul_lo || in.op == Op::mad_lo;
  if (a == Uniformity::uniform && b == Uniformity::uniform) return Uniformity::uniform;
  const bool is_of_row =
      is_low && std::min(a, b) == Uniformity::uniform && std::max(a, b) == Uniformity::affine;
  return is_of_row ? Uniformity::affine : Uniformity::unknown;
}

// The value of a row of 32 bits in 64.
Uniformity LaneValueTable::widened(const Instruction& in, Uniformity a) const {
  if (a == Uniformity::uniform) return Uniformity::uniform;
  return a == Uniformity::affine && size_of(in.type) == 4 ? Uniformity::wide_affine : Uniformity::unknown;
}

Uniformity LaneValueTable::result(const Instruction& in) const {
  const auto source = [&](u32 k) { return in.s[k] == kNoOperand ? Uniformity::uniform : of(in.s[k]); };
  const bool all_uniform = std::ranges::all_of(
      in.s, [&](FrameOffset s) { return s == kNoOperand || of(s) == Uniformity::uniform; });
  const bool is_integer = !is_float(in.type) && in.type != Type::pred;
  // All lanes read the same place at the same time. (Of local memory each has its own, and a generic address may be there.)
  if (in.shape == Shape::load)
    return source(0) == Uniformity::uniform && in.space != Space::local && in.space != Space::generic
               ? Uniformity::uniform
               : Uniformity::unknown;
  switch (in.shape) {
    case Shape::move:
      if (in.type == Type::pred || in.mode != kMovePlain) return Uniformity::unknown;
      return in.op == Op::mov ? source(0) : all_uniform ? Uniformity::uniform : Uniformity::unknown;
    case Shape::address: return source(0);
    case Shape::binary:
      if (all_uniform) return Uniformity::uniform;
      if (in.op == Op::and_ && in.type != Type::pred) return bits(in);
      if (!is_integer || in.sat || size_of(in.type) < 4) return Uniformity::unknown;
      if (in.op == Op::add || in.op == Op::sub) return sum(source(0), source(1));
      return product(in, source(0), source(1));
    case Shape::ternary:
      if (all_uniform) return Uniformity::uniform;
      if (!is_integer || in.sat || size_of(in.type) < 4) return Uniformity::unknown;
      return in.op == Op::mad_lo ? sum(product(in, source(0), source(1)), source(2)) : Uniformity::unknown;
    case Shape::widening2:
    case Shape::widening3: {
      if (all_uniform) return Uniformity::uniform;
      const u32 row = source(0) == Uniformity::affine ? 0 : 1;
      if (!is_integer || source(row) != Uniformity::affine || !is_small(in.s[1 - row]))
        return Uniformity::unknown;
      const Uniformity wide = size_of(in.type) == 4 ? Uniformity::scaled_wide_affine : Uniformity::unknown;
      return in.shape == Shape::widening3 ? sum(wide, source(2)) : wide;
    }
    case Shape::shift: {
      if (all_uniform) return Uniformity::uniform;
      if (in.op == Op::shr) return bits(in);
      if (in.op != Op::shl || size_of(in.type) < 4) return Uniformity::unknown;
      if (source(0) == Uniformity::affine && source(1) == Uniformity::uniform) return Uniformity::affine;
      constexpr u64 kMostBits = 24;
      const std::optional<u64> count = constant(in.s[1]);
      const bool keeps_changes = count && *count <= kMostBits;
      return source(0) == Uniformity::wide_affine && keeps_changes ? Uniformity::scaled_wide_affine
                                                                   : Uniformity::unknown;
    }
    case Shape::convert: {
      if (all_uniform) return Uniformity::uniform;
      if (is_float(in.type) || is_float(in.dest_type) || in.sat || in.s_bytes != size_of(in.type) ||
          in.d_bytes != size_of(in.dest_type))
        return Uniformity::unknown;
      const u32 from = size_of(in.type), to = size_of(in.dest_type);
      if (from == to) return source(0);
      if (from == 4 && to == 8) return widened(in, source(0));
      // 2^32 is nothing to 32 bits.
      return from == 8 && to == 4 && source(0) < Uniformity::unknown ? Uniformity::affine
                                                                     : Uniformity::unknown;
    }
    case Shape::unary:
    case Shape::extract:
    case Shape::insert:
    case Shape::lut:
    case Shape::count:
    case Shape::permute: return all_uniform ? Uniformity::uniform : Uniformity::unknown;
    // Nothing is known of these.
    case Shape::testp:
    case Shape::dot:
    case Shape::carry2:
    case Shape::carry3:
    case Shape::compare:
    case Shape::compare_set:
    case Shape::select:
    case Shape::slct:
    case Shape::space_test:
#define WARP_SHAPE(name, ...) case Shape::name:
#define SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
      return Uniformity::unknown;
  }
  return Uniformity::unknown;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
