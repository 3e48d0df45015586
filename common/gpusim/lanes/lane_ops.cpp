// Loops over the lanes of a warp. Compiled twice on x86-64 (see meson.build): GPUSIM_LANE_OPS names the namespace.
#ifndef GPUSIM_LANE_OPS
#define GPUSIM_LANE_OPS lane_ops_base
#endif

#include "lanes/lane_ops.h"

#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "lanes/convert.h"
#include "lanes/half.h"
#include "lanes/lane_addresses.h"
#include "lanes/rounding.h"
#include "lanes/semantics.h"

namespace gpusim::GPUSIM_LANE_OPS {
namespace {

template <class T> T* lanes(u8* frame, FrameOffset at) { return reinterpret_cast<T*>(frame + at); }
template <class T> const T* lanes(const u8* frame, FrameOffset at) {
  return reinterpret_cast<const T*>(frame + at);
}

// For the loop that follows: its iterations do not depend on one another. (clang finds out by itself, or warns.)
#ifdef __clang__
#define INDEPENDENT
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

// For what is rare, or too long for vectors: calls f(lane) for each lane of the mask.
template <class F> inline void one_by_one(Mask mask, F f) {
  for (; mask; mask &= mask - 1) f(u32(std::countr_zero(mask)));
}

// Whether vectors are not worth while: at most three lanes.
inline bool is_few(Mask mask) {
  mask &= mask - 1;
  mask &= mask - 1;
  return (mask & (mask - 1)) == 0;
}

// d[i] = yes[i] in the lanes of the mask, no[i] in the others. Written as vectors, for compilers find worse ones.
template <class T> inline void blend(T* d, const T* yes, const T* no, Mask mask) {
  using Bits = std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;
  constexpr u32 kOfVector = 16 / sizeof(T) * 2;
  using Vector [[gnu::vector_size(32), gnu::aligned(alignof(T)), gnu::may_alias]] = Bits;
  Vector bit;
  for (u32 i = 0; i < kOfVector; ++i) bit[i] = Bits(Bits(1) << i);
  for (u32 first = 0; first < kWarpSize; first += kOfVector) {
    Vector of_lanes;
    for (u32 i = 0; i < kOfVector; ++i) of_lanes[i] = Bits(mask >> first);
    const Vector is_off = Vector((of_lanes & bit) == Vector{});
    const Vector *const if_on = reinterpret_cast<const Vector*>(yes + first),
                        *const if_off = reinterpret_cast<const Vector*>(no + first);
    *reinterpret_cast<Vector*>(d + first) = (*if_off & is_off) | (*if_on & ~is_off);
  }
}
template <class T> inline void write_some(T* d, const T* value, Mask mask) { blend(d, value, d, mask); }

// d[i] = f(i) in the lanes of the mask, where f only reads registers. With enough lanes it loops over all 32, which vectorises:
// an operand is the same register as d or does not overlap it, so the iterations are independent. Results of inactive lanes are
// dropped.
template <class D, class F> inline void write_lanes(Mask mask, D* d, F f) {
  if (mask == kAllLanes) {
    INDEPENDENT
    for (u32 i = 0; i < kWarpSize; ++i) d[i] = f(i);
  } else if (is_few(mask)) {
    one_by_one(mask, [=](u32 i) { d[i] = f(i); });
  } else {
    alignas(64) D value[kWarpSize];
    INDEPENDENT
    for (u32 i = 0; i < kWarpSize; ++i) value[i] = f(i);
    write_some(d, value, mask);
  }
}

// A mask whose bit i is f(i), for lanes that hold a T. Collects bytes first and turns eight at a time into bits, or collects
// words of T's size if the processor can gather their signs.
template <class T, class F> inline Mask mask_of(F f) {
#ifdef __AVX2__
  if constexpr (sizeof(T) >= 4) {
    using Floats [[gnu::vector_size(32), gnu::may_alias]] = float;
    using Doubles [[gnu::vector_size(32), gnu::may_alias]] = double;
    constexpr u32 kOfVector = 32 / sizeof(T);
    alignas(32) std::conditional_t<sizeof(T) == 4, s32, s64> flag[kWarpSize];
    INDEPENDENT
    for (u32 i = 0; i < kWarpSize; ++i) flag[i] = f(i) ? -1 : 0;
    Mask mask = 0;
    for (u32 first = 0; first < kWarpSize; first += kOfVector) {
      const void* const vector = flag + first;
      if constexpr (sizeof(T) == 4)
        mask |= Mask(__builtin_ia32_movmskps256(*static_cast<const Floats*>(vector))) << first;
      else mask |= Mask(__builtin_ia32_movmskpd256(*static_cast<const Doubles*>(vector))) << first;
    }
    return mask;
  }
#endif
  alignas(32) u8 flag[kWarpSize];
  INDEPENDENT
  for (u32 i = 0; i < kWarpSize; ++i) flag[i] = f(i) ? 1 : 0;
  Mask mask = 0;
  for (u32 k = 0; k < 4; ++k) {
    u64 eight;
    std::memcpy(&eight, flag + 8 * k, 8);
    mask |= Mask(eight * 0x0102040810204080u >> 56) << (8 * k);
  }
  return mask;
}
inline void assign(u8* frame, FrameOffset at, Mask mask, Mask value) {
  Mask& p = *lanes<Mask>(frame, at);
  p = (p & ~mask) | (value & mask);
}

// ---- Modifiers of float arithmetic, as wrappers of a semantic function.
template <class F> struct Ftz {
  template <class... T> static auto apply(T... v) { return flush(F::apply(flush(v)...)); }
};
// f32 arithmetic gives the canonical NaN, whatever NaN went in (PTX ISA, "Floating Point Instructions"). neg, abs and
// copysign move bits instead.
template <class F> struct CanonicalNaN {
  static constexpr float kNaN = std::bit_cast<float>(0x7fffffffu);
  template <class... T> static float apply(T... v) {
    const float d = F::apply(v...);
    return d == d ? d : kNaN;
  }
};
template <class F> inline constexpr bool kMovesBits = std::is_same_v<F, semantics::neg> ||
                                                      std::is_same_v<F, semantics::abs> ||
                                                      std::is_same_v<F, semantics::copysign>;
template <class F> struct SaturateInt {
  template <class... T> static s32 apply(T... v) { return F::saturate(v...); }
};
template <class F> struct Propagate {
  template <class T> static T apply(T a, T b) { return F::propagate(a, b); }
};

// F, rounded as the instruction says.
template <class F> struct Modified {
  static constexpr bool kIsRoundable = Roundable<F>;
  template <class... T> static auto apply([[maybe_unused]] Rounding rounding, T... v) {
    if constexpr (kIsRoundable) return Rounded<F>::apply(rounding, v...);
    else return F::apply(v...);
  }
};
template <class F> struct Modified<CanonicalNaN<F>> {
  static constexpr bool kIsRoundable = Roundable<F>;
  template <class... T> static float apply(Rounding rounding, T... v) {
    const float d = Modified<F>::apply(rounding, v...);
    return d == d ? d : CanonicalNaN<F>::kNaN;
  }
};

// True for functions that are calls or 32 divisions instead of vectors. They run only for the lanes in the mask.
template <class F, class D> inline constexpr bool kIsLong = false;
template <class F, class D> inline constexpr bool kIsLong<CanonicalNaN<F>, D> = kIsLong<F, D>;
template <class F, class D> inline constexpr bool kIsLong<Ftz<F>, D> = kIsLong<F, D>;
template <class D> inline constexpr bool kIsLong<semantics::div, D> = std::is_integral_v<D> && sizeof(D) == 8;
template <class D> inline constexpr bool kIsLong<semantics::rem, D> = kIsLong<semantics::div, D>;
template <class D> inline constexpr bool kIsLong<semantics::ex2_approx, D> = true;
template <class D> inline constexpr bool kIsLong<semantics::lg2_approx, D> = true;
template <class D> inline constexpr bool kIsLong<semantics::sin_approx, D> = true;
template <class D> inline constexpr bool kIsLong<semantics::cos_approx, D> = true;
template <class D> inline constexpr bool kIsLong<semantics::tanh_approx, D> = true;

// ---- d = f(a), f(a, b), f(a, b, c), f(a, b, c, e)
template <class F, class D, class... S> void map(const Instruction& in, u8* frame, Mask mask) {
  D* d = lanes<D>(frame, in.d[0]);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    const auto value = [=, s = std::tuple{lanes<S>(frame, in.s[k])...}](u32 i) {
      return D(F::apply(std::get<k>(s)[i]...));
    };
    if (kIsLong<F, D> && mask != kAllLanes) one_by_one(mask, [=](u32 i) { d[i] = value(i); });
    else write_lanes(mask, d, value);
  }(std::index_sequence_for<S...>{});
}
// … with the modifiers that the instruction has.
template <class F, class D, class... S> [[gnu::noinline]] void map_modified(const Instruction& in, u8* frame,
                                                                            Mask mask) {
  D* d = lanes<D>(frame, in.d[0]);
  const auto one = [&](auto... v) {
    const D result =
        in.ftz ? flush(Modified<F>::apply(in.rounding, flush(v)...)) : Modified<F>::apply(in.rounding, v...);
    return in.sat ? saturate(result) : result;
  };
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    one_by_one(mask, [&](u32 i) { d[i] = one(lanes<S>(frame, in.s[k])[i]...); });
  }(std::index_sequence_for<S...>{});
}
// A modifier that the type does not have: null.
template <class F, class D, class... S> LaneFunction pick_float(const Instruction& in) {
  const bool is_nearest = in.rounding == Rounding::none || in.rounding == Rounding::rn;
  if (!is_nearest && !Modified<F>::kIsRoundable) return nullptr;
  if (in.sat || !is_nearest) return map_modified<F, D, S...>;
  return in.ftz ? map<Ftz<F>, D, S...> : map<F, D, S...>;  // -use_fast_math makes all flush
}
template <class F, class D, class... S> LaneFunction pick(const Instruction& in) {
  if constexpr (!requires(S... v) { F::apply(v...); }) {
    return nullptr;
  } else if constexpr (std::is_floating_point_v<D>) {
    if constexpr (requires(D v) { F::propagate(v, v); })
      if (in.nan) return pick_float<Propagate<F>, D, S...>(in);
    if constexpr (std::is_same_v<D, float> && !kMovesBits<F>) return pick_float<CanonicalNaN<F>, D, S...>(in);
    else return pick_float<F, D, S...>(in);
  } else {
    if constexpr (std::is_same_v<D, s32> && requires(S... v) { F::saturate(v...); })
      if (in.sat) return map<SaturateInt<F>, D, S...>;
    if (in.sat || in.ftz || in.rounding != Rounding::none) return nullptr;
    return map<F, D, S...>;
  }
}

// ---- The carry of the thread goes in as a mask, and comes out as one.
template <class F, class T, class... S> [[gnu::noinline]] void map_carry(const Instruction& in, u8* frame,
                                                                         Mask mask) {
  const Mask before = in.s[3] == kNoOperand ? 0 : *lanes<Mask>(frame, in.s[3]);
  Mask after = 0;
  T* d = lanes<T>(frame, in.d[0]);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    for (Mask left = mask; left; left &= left - 1) {
      const u32 i = u32(std::countr_zero(left));
      bool carry = before >> i & 1;
      d[i] = F::apply(lanes<S>(frame, in.s[k])[i]..., carry);
      after |= Mask(carry) << i;
    }
  }(std::index_sequence_for<S...>{});
  if (in.d[1] != kNoOperand) assign(frame, in.d[1], mask, after);
}
template <class F, class A, class B> struct Dot {
  static u32 apply(u32 a, u32 b, u32 c) { return F::template apply<A, B>(a, b, c); }
};
template <class F> LaneFunction bind_dot(const Instruction& in) {
  const bool a = in.dest_type == Type::s32, b = in.type == Type::s32;
  if (a) return b ? map<Dot<F, s32, s32>, u32, u32, u32, u32> : map<Dot<F, s32, u32>, u32, u32, u32, u32>;
  return b ? map<Dot<F, u32, s32>, u32, u32, u32, u32> : map<Dot<F, u32, u32>, u32, u32, u32, u32>;
}
LaneFunction bind_permute(const Instruction& in) {
  switch (PermuteMode(in.mode)) {
    using enum PermuteMode;
    using namespace semantics;
    case any: return map<prmt, u32, u32, u32, u32>;
    case f4e: return map<prmt_mode<f4e>, u32, u32, u32, u32>;
    case b4e: return map<prmt_mode<b4e>, u32, u32, u32, u32>;
    case rc8: return map<prmt_mode<rc8>, u32, u32, u32, u32>;
    case ecl: return map<prmt_mode<ecl>, u32, u32, u32, u32>;
    case ecr: return map<prmt_mode<ecr>, u32, u32, u32, u32>;
    case rc16: return map<prmt_mode<rc16>, u32, u32, u32, u32>;
  }
  return nullptr;
}

// ---- Predicates
template <class F, class T> void test(const Instruction& in, u8* frame, Mask mask) {
  const T* a = lanes<T>(frame, in.s[0]);
  assign(frame, in.d[0], mask, mask_of<T>([=](u32 i) { return F::apply(a[i]); }));
}
template <Compare C, class T> inline bool holds(T a, T b) {
  using enum Compare;
  if constexpr (C == eq) return a == b && !(a != a) && !(b != b);
  if constexpr (C == ne) return a < b || a > b;
  if constexpr (C == lt || C == lo) return a < b;
  if constexpr (C == le || C == ls) return a <= b;
  if constexpr (C == gt || C == hi) return a > b;
  if constexpr (C == ge || C == hs) return a >= b;
  if constexpr (C == equ) return !(a < b || a > b);
  if constexpr (C == neu) return !(a == b);
  if constexpr (C == ltu) return !(a >= b);
  if constexpr (C == leu) return !(a > b);
  if constexpr (C == gtu) return !(a <= b);
  if constexpr (C == geu) return !(a < b);
  if constexpr (C == num) return a == a && b == b;
  if constexpr (C == nan) return a != a || b != b;
}
template <Compare C, class T> [[gnu::noinline]] Mask compare_lanes(const Instruction& in, const u8* frame) {
  const T *a = lanes<T>(frame, in.s[0]), *b = lanes<T>(frame, in.s[1]);
  if constexpr (std::is_floating_point_v<T>)
    if (in.ftz) return mask_of<T>([=](u32 i) { return holds<C>(flush(a[i]), flush(b[i])); });
  return mask_of<T>([=](u32 i) { return holds<C>(a[i], b[i]); });
}
inline Mask combine(BoolOp op, Mask a, Mask c) {
  return op == BoolOp::and_ ? a & c : op == BoolOp::or_ ? a | c : op == BoolOp::xor_ ? a ^ c : a;
}
// Sets the first and the second predicate of a comparison.
[[gnu::noinline]] void set_predicates(const Instruction& in, u8* frame, Mask mask, Mask first, Mask second) {
  Mask c = in.combine == BoolOp::none ? 0 : *lanes<Mask>(frame, in.s[2]);
  if (in.negate_c) c = ~c;
  if (in.d[0] != kNoOperand) assign(frame, in.d[0], mask, combine(in.combine, first, c));
  if (in.d[1] != kNoOperand) assign(frame, in.d[1], mask, combine(in.combine, second, c));
}
template <Compare C, class T> void set_predicate(const Instruction& in, u8* frame, Mask mask) {
  const Mask r = compare_lanes<C, T>(in, frame);
  set_predicates(in, frame, mask, r, ~r);
}
[[gnu::noinline]] void set_values(const Instruction& in, u8* frame, Mask mask, Mask r) {
  if (in.combine != BoolOp::none) {
    const Mask c = *lanes<Mask>(frame, in.s[2]);
    r = combine(in.combine, r, in.negate_c ? ~c : c);
  }
  const u32 yes = in.dest_type == Type::f32 ? std::bit_cast<u32>(1.0f) : ~0u;
  u32* d = lanes<u32>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) { return r >> i & 1 ? yes : 0; });
}
template <Compare C, class T> void set_value(const Instruction& in, u8* frame, Mask mask) {
  set_values(in, frame, mask, compare_lanes<C, T>(in, frame));
}
template <class T> LaneFunction bind_compare(const Instruction& in) {
  const bool value = in.shape == Shape::compare_set;
  switch (in.compare) {
    // clang-format off: a table
#define ANY(C) case Compare::C:\
      return value ? set_value<Compare::C, T> : set_predicate<Compare::C, T>;
#define INT(C) case Compare::C: \
      if constexpr (!std::is_floating_point_v<T>)\
        return value ? set_value<Compare::C, T> : set_predicate<Compare::C, T>;\
      break;
#define FLOAT(C) case Compare::C: \
      if constexpr (std::is_floating_point_v<T>)\
        return value ? set_value<Compare::C, T> : set_predicate<Compare::C, T>;\
      break;
    ANY(eq) ANY(ne) ANY(lt) ANY(le) ANY(gt) ANY(ge)
    INT(lo) INT(ls) INT(hi) INT(hs)
    FLOAT(equ) FLOAT(neu) FLOAT(ltu) FLOAT(leu) FLOAT(gtu) FLOAT(geu) FLOAT(num) FLOAT(nan)
#undef ANY
#undef INT
#undef FLOAT
    // clang-format on
  }
  return nullptr;
}
// Logic on predicates works on whole masks.
LaneFunction bind_predicate_logic(const Instruction& in) {
  switch (in.op) {
    // clang-format off: a table
#define LOGIC(op, expression) case Op::op: return [](const Instruction& in, u8* frame, Mask mask) { \
      const Mask a = *lanes<Mask>(frame, in.s[0]); \
      [[maybe_unused]] const Mask b = in.s[1] == kNoOperand ? 0 : *lanes<Mask>(frame, in.s[1]); \
      assign(frame, in.d[0], mask, expression); };
    LOGIC(and_, a & b) LOGIC(or_, a | b) LOGIC(xor_, a ^ b) LOGIC(not_, ~a) LOGIC(mov, a)
#undef LOGIC
        // clang-format on
        default : return nullptr;
  }
}

// ---- Selection and moves: only the size of the value matters.
template <class T> void select(const Instruction& in, u8* frame, Mask mask) {
  const Mask p = *lanes<Mask>(frame, in.s[2]);
  const T *a = lanes<T>(frame, in.s[0]), *b = lanes<T>(frame, in.s[1]);
  T* d = lanes<T>(frame, in.d[0]);
  if (mask == kAllLanes) return blend(d, a, b, p);
  alignas(64) T value[kWarpSize];
  blend(value, a, b, p);
  write_some(d, value, mask);
}
template <class T, class C> void select_by_sign(const Instruction& in, u8* frame, Mask mask) {
  const T *a = lanes<T>(frame, in.s[0]), *b = lanes<T>(frame, in.s[1]);
  const C* c = lanes<C>(frame, in.s[2]);
  T* d = lanes<T>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) {
    return c[i] >= 0 || (std::is_floating_point_v<C> && in.ftz && flush(c[i]) == 0) ? a[i] : b[i];
  });
}
template <class T> void copy(const Instruction& in, u8* frame, Mask mask) {
  const T* a = lanes<T>(frame, in.s[0]);
  T* d = lanes<T>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) { return a[i]; });
}
// mov.b64 d, {a, b} and mov.b64 {a, b}, d: parts of `part` bytes, lowest first.
void pack(const Instruction& in, u8* frame, Mask mask) {
  const u32 whole = size_of(in.type), part = whole / in.vector;
  one_by_one(mask, [&](u32 i) {
    u8 bytes[8] = {};
    for (u32 k = 0; k < in.vector; ++k) std::memcpy(bytes + k * part, frame + in.s[k] + i * part, part);
    std::memcpy(frame + in.d[0] + i * whole, bytes, whole);
  });
}
void unpack(const Instruction& in, u8* frame, Mask mask) {
  const u32 whole = size_of(in.type), part = whole / in.vector;
  one_by_one(mask, [&](u32 i) {
    u8 bytes[8];
    std::memcpy(bytes, frame + in.s[0] + i * whole, whole);
    for (u32 k = 0; k < in.vector; ++k)
      if (in.d[k] != kNoOperand) std::memcpy(frame + in.d[k] + i * part, bytes + k * part, part);
  });
}
#define BY_SIZE(f, bytes) ((bytes) == 8 ? f<u64> : (bytes) == 4 ? f<u32> : (bytes) == 2 ? f<u16> : nullptr)

// ---- Addresses
template <class T> void to_generic(const Instruction& in, u8* frame, Mask mask) {
  const T* a = lanes<T>(frame, in.s[0]);
  T* d = lanes<T>(frame, in.d[0]);
  const u64 window = in.space == Space::shared ? kSharedWindow : in.space == Space::local ? kLocalWindow : 0;
  const u64 delta = in.op == Op::cvta ? window : u64(0) - window;
  write_lanes(mask, d, [=](u32 i) { return T(a[i] + delta); });
}
void is_space(const Instruction& in, u8* frame, Mask mask) {
  const u64* a = lanes<u64>(frame, in.s[0]);
  assign(frame, in.d[0], mask, mask_of<u64>([=, want = in.space](u32 i) { return space_of(a[i]) == want; }));
}

// ---- Parameters, which lie in the frame: a kernel's once, a call's lane by lane. Most warps start by reading them, so they
// are moved in the same way as registers.
template <class T> T element_at(const u8* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
template <class T, class R> void load_parameter(const Instruction& in, u8* frame, Mask mask) {
  const u64* const address = lanes<u64>(frame, in.s[0]);
  const u64 step = address[1] - address[0];
  for (u32 k = 0; k < in.vector; ++k) {
    if (in.d[k] == kNoOperand) continue;
    const u8* const from = frame + address[0] + in.offset + k * sizeof(T);
    R* const d = lanes<R>(frame, in.d[k]);
    if (step == 0) {
      const R value = R(element_at<T>(from));
      write_lanes(mask, d, [=](u32) { return value; });
    } else if (step == sizeof(T)) {
      write_lanes(mask, d, [=](u32 i) { return R(element_at<T>(from + i * sizeof(T))); });
    } else {
      one_by_one(mask, [=](u32 i) { d[i] = R(element_at<T>(from + i * step)); });
    }
  }
}
template <class T, class R> void store_parameter(const Instruction& in, u8* frame, Mask mask) {
  const u64* const address = lanes<u64>(frame, in.s[0]);
  const u64 step = address[1] - address[0];
  for (u32 k = 0; k < in.vector; ++k) {
    const R* const a = lanes<R>(frame, in.s[1 + k]);
    u8* const to = frame + address[0] + in.offset + k * sizeof(T);
    const auto put = [=](u32 i, u64 at) {
      const T element = T(a[i]);
      std::memcpy(to + at, &element, sizeof element);
    };
    if (step == sizeof(T) && mask == kAllLanes) {
      INDEPENDENT
      for (u32 i = 0; i < kWarpSize; ++i) put(i, i * sizeof(T));
    } else one_by_one(mask, [=](u32 i) { put(i, i * step); });
  }
}
template <class T> LaneFunction bind_parameter(const Instruction& in) {
  const bool loads = in.shape == Shape::load;
  const u32 bytes = loads ? in.d_bytes : in.s_bytes;
  if (bytes < sizeof(T)) return nullptr;
  if (bytes == 8) return loads ? load_parameter<T, u64> : store_parameter<T, u64>;
  if constexpr (sizeof(T) <= 4)
    if (bytes == 4) return loads ? load_parameter<T, u32> : store_parameter<T, u32>;
  if constexpr (sizeof(T) <= 2)
    if (bytes == 2) return loads ? load_parameter<T, u16> : store_parameter<T, u16>;
  return nullptr;
}
LaneFunction bind_parameter(const Instruction& in) {
  switch (size_of(in.type)) {
    case 1: return in.type == Type::s8 ? bind_parameter<s8>(in) : bind_parameter<u8>(in);
    case 2: return in.type == Type::s16 ? bind_parameter<s16>(in) : bind_parameter<u16>(in);
    case 4: return in.type == Type::s32 ? bind_parameter<s32>(in) : bind_parameter<u32>(in);
    case 8: return bind_parameter<u64>(in);
    default: return nullptr;
  }
}

// ---- Loads and stores of lanes in a row (lanes/lane_addresses.h).
template <class T, class R>
void load_row(const Instruction& in, u8* frame, Mask mask, u8* where, u64 step, bool all_there) {
  for (u32 k = 0; k < in.vector; ++k) {
    if (in.d[k] == kNoOperand) continue;
    R* const d = lanes<R>(frame, in.d[k]);
    const u8* const from = where + k * sizeof(T);
    if (mask != kAllLanes && (!all_there || is_few(mask))) {
      one_by_one(mask, [=](u32 i) { d[i] = R(element_at<T>(from + i * step)); });
    } else if (step == sizeof(T) && sizeof(T) == sizeof(R) && mask == kAllLanes) {
      std::memcpy(d, from, kWarpSize * sizeof(T));
    } else if (step == sizeof(T) && sizeof(T) == sizeof(R)) {
      write_some(d, reinterpret_cast<const R*>(from), mask);
    } else if (step == sizeof(T)) {
      write_lanes(mask, d, [=](u32 i) { return R(element_at<T>(from + i * sizeof(T))); });
    } else if (step == 0) {
      write_lanes(mask, d, [value = R(element_at<T>(from))](u32) { return value; });
    } else {
      one_by_one(mask, [=](u32 i) { d[i] = R(element_at<T>(from + i * step)); });
    }
  }
}
// If several lanes write the same byte, the last one wins.
template <class T, class R>
void store_row(const Instruction& in, u8* frame, Mask mask, u8* where, u64 step, bool all_there) {
  for (u32 k = 0; k < in.vector; ++k) {
    const R* const a = lanes<R>(frame, in.s[1 + k]);
    u8* const to = where + k * sizeof(T);
    const auto put = [=](u32 i, u64 at) {
      const T element = T(a[i]);
      std::memcpy(to + at, &element, sizeof element);
    };
    if (mask != kAllLanes && all_there && step == sizeof(T) && sizeof(T) == sizeof(R) && !is_few(mask)) {
      write_some(reinterpret_cast<R*>(to), a, mask);
    } else if (mask != kAllLanes) {
      one_by_one(mask, [=](u32 i) { put(i, i * step); });
    } else if (step == sizeof(T)) {
      if constexpr (sizeof(T) == sizeof(R)) {
        std::memcpy(to, a, kWarpSize * sizeof(T));
      } else {
        INDEPENDENT
        for (u32 i = 0; i < kWarpSize; ++i) put(i, i * sizeof(T));
      }
    } else if (step == 0) {
      put(kWarpSize - 1, 0);
    } else {
      for (u32 i = 0; i < kWarpSize; ++i) put(i, i * step);
    }
  }
}
template <class T> RowMover bind_row_of(const Instruction& in) {
  if (in.shape == Shape::load) {
    if (in.d_bytes == 8) return load_row<T, u64>;
    if constexpr (sizeof(T) <= 4)
      if (in.d_bytes == 4) return load_row<T, u32>;
    if constexpr (sizeof(T) <= 2)
      if (in.d_bytes == 2) return load_row<T, u16>;
  } else {
    using U = std::make_unsigned_t<T>;
    if (in.s_bytes == 8) return store_row<U, u64>;
    if constexpr (sizeof(T) <= 4)
      if (in.s_bytes == 4) return store_row<U, u32>;
    if constexpr (sizeof(T) <= 2)
      if (in.s_bytes == 2) return store_row<U, u16>;
  }
  return nullptr;
}

// ---- Conversions. A register may be wider than the type; narrow results fill it, sign-extended if signed.
template <class D, class S> void convert_exact_size(const Instruction& in, u8* frame, Mask mask) {
  const S* a = lanes<S>(frame, in.s[0]);
  D* d = lanes<D>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) { return D(a[i]); });
}
template <class D, class S> [[gnu::noinline]] void convert_any(const Instruction& in, u8* frame, Mask mask) {
  one_by_one(mask, [&](u32 i) {
    S a;
    std::memcpy(&a, frame + in.s[0] + i * in.s_bytes, sizeof a);
    const D d = convert<D>(a, in.rounding, in.sat, in.ftz);
    if constexpr (std::is_integral_v<D>) {
      const u64 wide = u64(s64(d)) & (std::is_signed_v<D> ? ~u64(0) : u64(std::make_unsigned_t<D>(~D(0))));
      std::memcpy(frame + in.d[0] + i * in.d_bytes, &wide, in.d_bytes);
    } else {
      std::memcpy(frame + in.d[0] + i * sizeof d, &d, sizeof d);
    }
  });
}
// Float to integer as C++'s casts and rint() do it, without branches. (.sat changes nothing, since all results are clamped.
// Neither does .ftz where subnormal numbers become zero anyway.)
template <class D, class S, Rounding rounding>
void round_to_int(const Instruction& in, u8* frame, Mask mask) {
  constexpr S kLimit = S(u64(1) << (sizeof(D) * 8 - 2)) * (std::is_signed_v<D> ? S(2) : S(4));
  constexpr S kLowest = std::is_signed_v<D> ? -kLimit : S(0);
  constexpr D kOfNaN = sizeof(S) < 8 && sizeof(D) < 8 ? D(0) : D(u64(1) << (sizeof(D) * 8 - 1));
  const S* a = lanes<S>(frame, in.s[0]);
  D* d = lanes<D>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) {
    const S whole = rounding == Rounding::rzi ? std::trunc(a[i]) : std::nearbyint(a[i]);
    const D held = D(whole >= kLowest && whole < kLimit ? whole : S(0));
    const D below = whole < kLowest ? std::numeric_limits<D>::min() : held;
    const D above = whole >= kLimit ? std::numeric_limits<D>::max() : below;
    return whole == whole ? above : kOfNaN;
  });
}
// GCC 16 ends with an internal error (convert_mode_scalar, at expr.cc:340) where it vectorises float to double without AVX.
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ == 16 && !defined(__AVX__)
#define GPUSIM_NOT_VECTORISED __attribute__((optimize("no-tree-vectorize")))
#else
#define GPUSIM_NOT_VECTORISED
#endif
// Float to float, with no modifier but the rounding.
template <class D, class S, Rounding rounding>
GPUSIM_NOT_VECTORISED void convert_float(const Instruction& in, u8* frame, Mask mask) {
  const S* a = lanes<S>(frame, in.s[0]);
  D* d = lanes<D>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) {
    if constexpr (rounding == Rounding::rni) return D(std::nearbyint(a[i]));
    else if constexpr (rounding == Rounding::rzi) return D(std::trunc(a[i]));
    else if constexpr (rounding == Rounding::rmi) return D(std::floor(a[i]));
    else if constexpr (rounding == Rounding::rpi) return D(std::ceil(a[i]));
    else return D(a[i]);
  });
}
template <class D, class S> LaneFunction bind_plain_float(const Instruction& in) {
  if (in.s_bytes != sizeof(S) || in.d_bytes != sizeof(D)) return nullptr;
  using enum Rounding;
  if constexpr (std::is_integral_v<D>) {
    if (in.rounding == rzi) return round_to_int<D, S, rzi>;
    if (in.rounding == rni && !in.ftz) return round_to_int<D, S, rni>;
  } else if (!in.sat && !in.ftz) {
    if (in.rounding == none || in.rounding == rn) return convert_float<D, S, rn>;
    if constexpr (std::is_same_v<D, S>) {
      if (in.rounding == rni) return convert_float<D, S, rni>;
      if (in.rounding == rzi) return convert_float<D, S, rzi>;
      if (in.rounding == rmi) return convert_float<D, S, rmi>;
      if (in.rounding == rpi) return convert_float<D, S, rpi>;
    }
  }
  return nullptr;
}
template <class D, class S> LaneFunction bind_convert(const Instruction& in) {
  if constexpr (std::is_floating_point_v<S> && sizeof(D) > 1)
    if (const LaneFunction plain_float = bind_plain_float<D, S>(in)) return plain_float;
  constexpr bool plain = std::is_integral_v<S>;  // float sources need clamping and rounding
  if constexpr (plain && sizeof(S) > 1 && sizeof(D) > 1)
    if (in.s_bytes == sizeof(S) && in.d_bytes == sizeof(D) && !in.sat &&
        (std::is_integral_v<D> || in.rounding == Rounding::rn))
      return convert_exact_size<D, S>;
  if (std::is_floating_point_v<D> && in.d_bytes != sizeof(D)) return nullptr;
  return convert_any<D, S>;
}

// ---- Type dispatch: calls f.operator()<T>() for the C++ type of a PTX type.
template <class F> LaneFunction with_type(Type type, F f) {
  switch (type) {
    case Type::b8:
    case Type::u8: return f.template operator()<u8>();
    case Type::s8: return f.template operator()<s8>();
    case Type::b16:
    case Type::u16: return f.template operator()<u16>();
    case Type::s16: return f.template operator()<s16>();
    case Type::b32:
    case Type::u32: return f.template operator()<u32>();
    case Type::s32: return f.template operator()<s32>();
    case Type::b64:
    case Type::u64: return f.template operator()<u64>();
    case Type::s64: return f.template operator()<s64>();
    case Type::f32: return f.template operator()<float>();
    case Type::f64: return f.template operator()<double>();
    default: break;
  }
  return nullptr;
}
#include "lanes/half_ops.h"

template <class T> inline constexpr bool kInRegisters = sizeof(T) > 1;  // there is no 8-bit arithmetic

template <Shape shape, class F> LaneFunction bind_shape(const Instruction& in) {
  using enum Shape;
  if constexpr (shape == unary || shape == binary || shape == ternary || shape == compare || shape == convert)
    if (has_halves(in)) return bind_half<shape, F>(in);
  if constexpr (shape == unary || shape == binary || shape == ternary || shape == widening2 ||
                shape == widening3 || shape == shift || shape == extract || shape == insert ||
                shape == count || shape == lut || shape == testp) {
    if (in.type == Type::pred) return bind_predicate_logic(in);
    return with_type(in.type, [&]<class T>() -> LaneFunction {
      if constexpr (!kInRegisters<T>) return nullptr;
      else if constexpr (shape == unary) return pick<F, T, T>(in);
      else if constexpr (shape == binary) return pick<F, T, T, T>(in);
      else if constexpr (shape == ternary) return pick<F, T, T, T, T>(in);
      else if constexpr (shape == shift) return pick<F, T, T, u32>(in);
      else if constexpr (shape == extract) return pick<F, T, T, u32, u32>(in);
      else if constexpr (shape == insert) return pick<F, T, T, T, u32, u32>(in);
      else if constexpr (shape == count) return pick<F, u32, T>(in);
      else if constexpr (shape == lut) return pick<F, T, T, T, T, T>(in);
      else if constexpr (shape == testp) {
        if constexpr (std::is_floating_point_v<T>) return test<F, T>;
        else return nullptr;
      } else if constexpr (std::is_integral_v<T> && sizeof(T) < 8) {
        if constexpr (shape == widening2) return pick<F, semantics::Wider<T>, T, T>(in);
        else return pick<F, semantics::Wider<T>, T, T, semantics::Wider<T>>(in);
      } else return nullptr;
    });
  } else if constexpr (shape == carry2 || shape == carry3) {
    return with_type(in.type, [&]<class T>() -> LaneFunction {
      if constexpr (!std::is_integral_v<T> || sizeof(T) < 4) return nullptr;
      else if constexpr (shape == carry2) return map_carry<F, T, T, T>;
      else return map_carry<F, T, T, T, T>;
    });
  } else if constexpr (shape == dot) {
    return bind_dot<F>(in);
  } else if constexpr (shape == permute) {
    return bind_permute(in);
  } else if constexpr (shape == compare || shape == compare_set) {
    return with_type(in.type, [&]<class T>() -> LaneFunction {
      if constexpr (kInRegisters<T>) return bind_compare<T>(in);
      else return nullptr;
    });
  } else if constexpr (shape == select) {
    return BY_SIZE(GPUSIM_LANE_OPS::select, size_of(in.type));
  } else if constexpr (shape == slct) {
    return with_type(in.type, [&]<class C>() -> LaneFunction {
      if constexpr (!std::is_same_v<C, s32> && !std::is_same_v<C, float>) return nullptr;
      else
        return size_of(in.dest_type) == 8   ? select_by_sign<u64, C>
               : size_of(in.dest_type) == 4 ? select_by_sign<u32, C>
                                            : select_by_sign<u16, C>;
    });
  } else if constexpr (shape == move) {
    if (in.type == Type::pred) return bind_predicate_logic(in);
    if (in.mode == kMovePack) return pack;
    if (in.mode == kMoveUnpack) return unpack;
    return BY_SIZE(copy, size_of(in.type));
  } else if constexpr (shape == address) {
    return size_of(in.type) == 8 ? to_generic<u64> : size_of(in.type) == 4 ? to_generic<u32> : nullptr;
  } else if constexpr (shape == space_test) {
    return is_space;
  } else if constexpr (is_load_or_store(shape)) {
    return in.space == Space::param ? bind_parameter(in) : nullptr;
  } else if constexpr (shape == convert) {
    return with_type(in.dest_type, [&]<class D>() {
      return with_type(in.type, [&]<class S>() -> LaneFunction { return bind_convert<D, S>(in); });
    });
  } else {
    static_assert(!computes_lanes(shape), "a shape that computes lanes has a way to be bound above");
    return nullptr;
  }
}

}  // namespace

RowMover bind_row(const Instruction& in) {
  if (!is_load_or_store(in.shape)) return nullptr;
  switch (size_of(in.type)) {
    case 1: return in.type == Type::s8 ? bind_row_of<s8>(in) : bind_row_of<u8>(in);
    case 2: return in.type == Type::s16 ? bind_row_of<s16>(in) : bind_row_of<u16>(in);
    case 4: return in.type == Type::s32 ? bind_row_of<s32>(in) : bind_row_of<u32>(in);
    case 8: return bind_row_of<u64>(in);
    default: return nullptr;
  }
}

LaneFunction bind(const Instruction& in) {
  switch (in.op) {
#define OP(name, mnemonic, shape, types, modifiers) \
  case Op::name: return bind_shape<Shape::shape, semantics::name>(in);
#include "ptx/opcodes.def"
#undef OP
  }
  return nullptr;
}

}  // namespace gpusim::GPUSIM_LANE_OPS
// SPDX-License-Identifier: MIT
