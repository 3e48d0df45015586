// Chooses the lane loops for this processor, and binds atomics.
#include <atomic>
#include <bit>

#include "lanes/half.h"
#include "lanes/lane_addresses.h"
#include "lanes/lane_ops.h"
#include "lanes/semantics.h"
#include "lanes/shared_rows.h"

namespace gpusim {

namespace {

std::atomic<LaneLoops> lane_loops{LaneLoops::best};

}  // namespace

void use_lane_loops(LaneLoops loops) { lane_loops = loops; }

bool has_better_loops() {
#ifdef GPUSIM_HAVE_AVX2
  static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return avx2;
#else
  return false;
#endif
}

bool uses_better_loops() { return has_better_loops() && lane_loops == LaneLoops::best; }

LaneFunction bind_lanes(const Instruction& in) {
#ifdef GPUSIM_HAVE_AVX2
  if (uses_better_loops()) return lane_ops_avx2::bind(in);
#endif
  return lane_ops_base::bind(in);
}

RowMover bind_row(const Instruction& in) {
#ifdef GPUSIM_HAVE_AVX2
  if (uses_better_loops()) return lane_ops_avx2::bind_row(in);
#endif
  return lane_ops_base::bind_row(in);
}

const SharedRows& shared_rows() {
#ifdef GPUSIM_HAVE_AVX2
  if (uses_better_loops()) return lane_ops_avx2::kSharedRows;
#endif
  return lane_ops_base::kSharedRows;
}

AddressFunction lane_addresses() {
#ifdef GPUSIM_HAVE_AVX2
  if (uses_better_loops()) return lane_ops_avx2::addresses;
#endif
  return lane_ops_base::addresses;
}

RowFunction find_row() {
#ifdef GPUSIM_HAVE_AVX2
  if (uses_better_loops()) return lane_ops_avx2::row;
#endif
  return lane_ops_base::row;
}

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
// Only add has halves; a pair is two additions, each of which is one access.
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
