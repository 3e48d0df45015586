// Loops over lanes for f16, bf16 and pairs of them. Part of lane_ops.cpp, which is compiled once per instruction set.
struct HalfMode {
  bool ftz, sat, propagate, relu;
};

template <class F, class H, class... Rest> H half_apply(HalfMode mode, H a, Rest... rest) {
  if constexpr (kIsTwo<H>) {
    return {half_apply<F>(mode, a.low, rest.low...), half_apply<F>(mode, a.high, rest.high...)};
  } else if constexpr (std::is_same_v<F, semantics::abs>) {
    const H d{u16(a.bits & 0x7fff)};
    return mode.ftz ? flush_half(d) : d;
  } else {
    double d = 0;
    const auto value = [&](H v) { return double(widen(mode.ftz ? flush_half(v) : v)); };
    if constexpr (std::is_same_v<F, semantics::fma>) d = multiply_add(value(a), value(rest)...);
    else if constexpr (sizeof...(Rest) == 0) d = F::apply(float(value(a)));  // approximations have no other
    else d = F::apply(value(a), value(rest)...);
    if constexpr (requires(double v) { F::propagate(v, v); })
      if (mode.propagate) d = F::propagate(value(a), value(rest)...);
    if (mode.relu && d <= 0) d = 0;  // also -0; NaN stays
    const H rounded = narrow<H>(mode.sat ? saturate(d) : d);
    return mode.ftz ? flush_half(rounded) : rounded;
  }
}

// The case without modifiers, known at compile time. The loop becomes vectors if the functions can be vectorised.
template <class F, class H, class... S> [[gnu::noinline]] void map_plain_half(const Instruction& in,
                                                                              u8* frame, Mask mask) {
  H* d = lanes<H>(frame, in.d[0]);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    write_lanes(mask, d, [=, s = std::tuple{lanes<S>(frame, in.s[k])...}](u32 i) {
      return half_apply<F>(HalfMode{false, false, false, false}, std::get<k>(s)[i]...);
    });
  }(std::index_sequence_for<S...>{});
}
template <class F, class H, class... S> [[gnu::noinline]] void map_half(const Instruction& in, u8* frame,
                                                                        Mask mask) {
  const HalfMode mode{in.ftz, in.sat, in.nan, in.relu};
  H* d = lanes<H>(frame, in.d[0]);
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    one_by_one(mask, [=, s = std::tuple{lanes<S>(frame, in.s[k])...}](u32 i) {
      d[i] = half_apply<F>(mode, std::get<k>(s)[i]...);
    });
  }(std::index_sequence_for<S...>{});
}
template <Shape shape, class F, class H> LaneFunction pick_half(const Instruction& in) {
  [[maybe_unused]] const bool is_plain = !in.ftz && !in.sat && !in.nan && !in.relu;
  if constexpr (shape == Shape::unary) {
    if constexpr (requires(float v) { F::apply(v); }) return map_half<F, H, H>;
  } else if constexpr (shape == Shape::binary) {
    if constexpr (requires(double v) { F::apply(v, v); })
      return is_plain ? map_plain_half<F, H, H, H> : map_half<F, H, H, H>;
  } else if constexpr (shape == Shape::ternary) {
    if constexpr (std::is_same_v<F, semantics::fma>)
      return is_plain ? map_plain_half<F, H, H, H, H> : map_half<F, H, H, H, H>;
  }
  return nullptr;
}

// Comparisons are those of f32. Of a pair, the low halves give the first predicate and the high ones the second.
template <Compare C, class H> [[gnu::noinline]] void compare_halves(const Instruction& in, u8* frame,
                                                                    Mask mask) {
  const H *a = lanes<H>(frame, in.s[0]), *b = lanes<H>(frame, in.s[1]);
  const auto value = [&](Half v) { return widen(in.ftz ? flush_half(v) : v); };
  Mask first = 0, second = 0;
  one_by_one(mask, [&](u32 i) {
    if constexpr (kIsTwo<H>) {
      first |= Mask(holds<C>(value(a[i].low), value(b[i].low))) << i;
      second |= Mask(holds<C>(value(a[i].high), value(b[i].high))) << i;
    } else {
      first |= Mask(holds<C>(value(a[i]), value(b[i]))) << i;
    }
  });
  set_predicates(in, frame, mask, first, kIsTwo<H> ? second : ~first);
}
LaneFunction bind_half_compare(const Instruction& in) {
  switch (in.compare) {
    // clang-format off: a table
#define FLOAT(C) case Compare::C: \
      return in.type == Type::f16 ? compare_halves<Compare::C, Half> : compare_halves<Compare::C, Two<Half>>;
    FLOAT(eq) FLOAT(ne) FLOAT(lt) FLOAT(le) FLOAT(gt) FLOAT(ge)
    FLOAT(equ) FLOAT(neu) FLOAT(ltu) FLOAT(leu) FLOAT(gtu) FLOAT(geu) FLOAT(num) FLOAT(nan)
#undef FLOAT
        // clang-format on
        default : return nullptr;
  }
}

// cvt from or to 16 bits.
template <class D, class S> [[gnu::noinline]] void convert_half(const Instruction& in, u8* frame, Mask mask) {
  one_by_one(mask, [&](u32 i) {
    S a;
    std::memcpy(&a, frame + in.s[0] + i * in.s_bytes, sizeof a);
    if constexpr (kIsHalf<D>) {
      double v;
      if constexpr (kIsHalf<S>) v = widen(a);
      else v = double(in.ftz ? flush_f32(a) : a);
      if (to_integer(in.rounding)) v = round_to_integer(v, in.rounding);
      const D d = narrow<D>(in.sat ? saturate(v) : v, to_integer(in.rounding) ? Rounding::rn : in.rounding);
      std::memcpy(frame + in.d[0] + i * sizeof d, &d, sizeof d);
    } else {
      const D d = convert<D>(widen(a), in.rounding, in.sat, in.ftz);
      if constexpr (std::is_integral_v<D>) {
        const u64 wide = u64(s64(d)) & (std::is_signed_v<D> ? ~u64(0) : u64(std::make_unsigned_t<D>(~D(0))));
        std::memcpy(frame + in.d[0] + i * in.d_bytes, &wide, in.d_bytes);
      } else {
        std::memcpy(frame + in.d[0] + i * sizeof d, &d, sizeof d);
      }
    }
  });
}
// The usual ones, which nothing modifies.
template <class D, class S> [[gnu::noinline]] void convert_plain_half(const Instruction& in, u8* frame,
                                                                      Mask mask) {
  const S* a = lanes<S>(frame, in.s[0]);
  D* d = lanes<D>(frame, in.d[0]);
  write_lanes(mask, d, [=](u32 i) {
    if constexpr (kIsHalf<D>) return narrow_to_nearest<D>(a[i]);
    else return widen(a[i]);
  });
}
template <class F> LaneFunction with_float_type(Type type, F f) {
  switch (type) {
    case Type::f16: return f.template operator()<Half>();
    case Type::bf16: return f.template operator()<Brain>();
    default: return with_type(type, f);
  }
}
LaneFunction bind_half_convert(const Instruction& in) {
  return with_float_type(in.dest_type, [&]<class D>() {
    return with_float_type(in.type, [&]<class S>() -> LaneFunction {
      if constexpr (!kIsHalf<D> && !kIsHalf<S>) return nullptr;
      else if (!std::is_integral_v<D> && in.d_bytes != sizeof(D)) return nullptr;
      else if constexpr ((kIsHalf<D> && std::is_same_v<S, float>) ||
                         (kIsHalf<S> && std::is_same_v<D, float>)) {
        const bool is_plain = !in.sat && !in.ftz && in.s_bytes == sizeof(S) &&
                              (in.rounding == Rounding::none || in.rounding == Rounding::rn);
        return is_plain ? convert_plain_half<D, S> : convert_half<D, S>;
      } else return convert_half<D, S>;
    });
  });
}

constexpr bool has_halves(const Instruction& in) { return in.type >= Type::f16 || in.dest_type >= Type::f16; }

template <Shape shape, class F> LaneFunction bind_half(const Instruction& in) {
  if constexpr (shape == Shape::compare) return bind_half_compare(in);
  if constexpr (shape == Shape::convert) return bind_half_convert(in);
  switch (in.type) {
    case Type::f16: return pick_half<shape, F, Half>(in);
    case Type::bf16: return pick_half<shape, F, Brain>(in);
    case Type::f16x2: return pick_half<shape, F, Two<Half>>(in);
    case Type::bf16x2: return pick_half<shape, F, Two<Brain>>(in);
    default: return nullptr;
  }
}
// SPDX-License-Identifier: MIT
