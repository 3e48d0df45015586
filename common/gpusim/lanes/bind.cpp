// Binds atomics.
#include <bit>

#include "lanes/half.h"
#include "lanes/lane_ops.h"
#include "lanes/semantics.h"

namespace gpusim {

namespace {

template <class T> T from_bits(u64 bits) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<T>(u32(bits));
    else return std::bit_cast<T>(bits);
  } else {
    return T(bits);
  }
}
template <class T> u64 to_bits(T v) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (sizeof(T) == 4) return std::bit_cast<u32>(v);
    else return std::bit_cast<u64>(v);
  } else {
    return u64(std::make_unsigned_t<T>(v));
  }
}
// Like add.f32, an atomic addition of f32 gives the canonical NaN.
template <class F, class T> AtomicFunction pick() {
  if constexpr (std::is_same_v<T, float> && std::is_base_of_v<semantics::atom_add, F>)
    return [](u64 old, u64 b, u64) -> u64 {
      const float sum = F::apply(from_bits<T>(old), from_bits<T>(b), T());
      return sum == sum ? to_bits<T>(sum) : 0x7fffffffu;
    };
  else if constexpr (requires(T v) { F::apply(v, v, v); })
    return [](u64 old, u64 b, u64 c) {
      return to_bits<T>(F::apply(from_bits<T>(old), from_bits<T>(b), from_bits<T>(c)));
    };
  else return nullptr;
}
// Only add has 16-bit types. A pair is added as two numbers, each in an access of its own.
template <class F, class H> AtomicFunction pick_half() {
  if constexpr (std::is_same_v<F, semantics::atom_add> || std::is_same_v<F, semantics::red_add>)
    return [](u64 old, u64 b, u64) -> u64 {
      u64 sum = 0;
      for (u32 at = 0; at < 8 * sizeof(H); at += 16)
        sum |= u64(narrow<Half>(double(widen(Half{u16(old >> at)})) + widen(Half{u16(b >> at)})).bits) << at;
      return sum;
    };
  else return nullptr;
}
template <Shape shape, class F> AtomicFunction bind(Type type) {
  if constexpr (is_atomic(shape)) {
    switch (type) {
      case Type::b16: return std::is_same_v<F, semantics::atom_cas> ? pick<F, u16>() : nullptr;
      case Type::b32:
      case Type::u32: return pick<F, u32>();
      case Type::s32: return pick<F, s32>();
      case Type::b64:
      case Type::u64: return pick<F, u64>();
      case Type::s64: return pick<F, s64>();
      case Type::f32: return pick<F, float>();
      case Type::f64: return pick<F, double>();
      case Type::f16: return pick_half<F, Half>();
      case Type::f16x2: return pick_half<F, Two<Half>>();
      default: return nullptr;
    }
  }
  return nullptr;
}

}  // namespace

AtomicFunction bind_atomic(const Instruction& in) {
  static constexpr AtomicFunction (*kOfOp[])(Type) = {
#define OP(name, mnemonic, shape, types, modifiers) bind<Shape::shape, semantics::name>,
#include "ptx/opcodes.def"
#undef OP
  };
  return kOfOp[u16(in.op)](in.type);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
