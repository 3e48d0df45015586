// What the rows of opcodes.def cannot say: which modifiers of a memory access go together, and which of a conversion
// go with which two types (PTX ISA, "ld", "st", "atom", "cvt").
#include <algorithm>

#include "ptx/rows.h"

namespace gpusim::ptx {
namespace {

using Modifiers = std::span<const std::string_view>;

bool has(Modifiers modifiers, std::initializer_list<std::string_view> any) {
  return std::ranges::any_of(modifiers,
                             [&](std::string_view m) { return std::ranges::find(any, m) != any.end(); });
}

std::string_view of_access(const Instruction& i, Modifiers m) {
  const bool scoped = has(m, {"cta", "cluster", "gpu", "sys"}),
             ordered = has(m, {"relaxed", "acquire", "release"});
  const bool generic_global_or_shared =
      i.space == Space::generic || i.space == Space::global || i.space == Space::shared;
  if (ordered && !scoped) return "it needs a scope: .cta, .gpu or .sys";
  if (scoped && !ordered) return "a scope needs .relaxed, .acquire or .release";
  if ((ordered || has(m, {"volatile"})) && !generic_global_or_shared)
    return "only global and shared memory have it";
  if ((ordered || has(m, {"volatile"})) && has(m, {"ca", "cg", "cs", "cv", "lu", "wb", "wt", "nc"}))
    return "it takes no cache operator";
  if (has(m, {"nc"}) && i.space != Space::global) return ".nc is for .global";
  if (has(m, {"L2::cache_hint"}) && i.space != Space::global && i.space != Space::generic)
    return ".L2::cache_hint is for global memory";
  if (i.vector * size_of(i.type) > 16) return "more than 16 bytes";
  return "";
}

bool holds_all(Type dest, Type source) {
  if (is_signed(source) && !is_signed(dest)) return false;
  return size_of(dest) > size_of(source) ||
         (size_of(dest) == size_of(source) && is_signed(dest) == is_signed(source));
}

std::string_view of_conversion(const Instruction& i) {
  const Type d = i.dest_type, s = i.type;
  const bool whole = i.rounding >= Rounding::rni, rounds = i.rounding != Rounding::none && !whole;
  const bool narrows = is_float(d) && (!is_float(s) || size_of(d) < size_of(s));
  const bool brain = d == Type::bf16 || s == Type::bf16;
  if (brain && ((d == Type::bf16 ? s : d) != Type::f32 || i.sat || whole))
    return ".bf16 goes to .f32 and back only";
  if (brain && i.ftz && (s == Type::bf16 || i.sat)) return ".ftz is for .f32";
  if (narrows && !rounds) return "it needs a rounding: .rn, .rz, .rm or .rp";
  if (!is_float(d) && is_float(s) && !whole) return "it needs a rounding: .rni, .rzi, .rmi or .rpi";
  if (rounds && !narrows) return "nothing is rounded";
  if (whole && (!is_float(s) || (is_float(d) && d != s))) return "nothing is rounded to an integer";
  if (i.ftz && d != Type::f32 && s != Type::f32) return ".ftz is for .f32";
  if (i.sat && !is_float(d) && !is_float(s) && holds_all(d, s)) return "nothing needs .sat";
  return "";
}

}  // namespace

std::string_view exception(const Instruction& i, Modifiers modifiers) {
  if (is_load_or_store(i.shape)) return of_access(i, modifiers);
  if (i.shape == Shape::convert) return of_conversion(i);
  if (i.shape == Shape::mbarrier && has(modifiers, {"cta"}) != has(modifiers, {"release", "acquire"}))
    return ".release and .acquire go with .cta";
  if (i.shape == Shape::async_copy && i.space != Space::global)
    return "it copies to .shared from .global, in this order";
  return "";
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
