// What the lanes of a warp say to each other: shuffles, votes, matches, reductions.
#pragma once

// The forms without a mask, which old programs use: a compile-time error that says what to write.
#define GPUSIM_WITHOUT_MASK(name, ...)                                                               \
  __device__ __attribute__((unavailable(                                                             \
      "it does not exist since compute capability 7.0; use " #name                                   \
      "_sync, whose first argument is the mask of the lanes that take part (0xffffffff: all)"))) int \
  name(__VA_ARGS__)
GPUSIM_WITHOUT_MASK(__shfl, double value, int source, int width = 32);
GPUSIM_WITHOUT_MASK(__shfl_up, double value, unsigned distance, int width = 32);
GPUSIM_WITHOUT_MASK(__shfl_down, double value, unsigned distance, int width = 32);
GPUSIM_WITHOUT_MASK(__shfl_xor, double value, int mask, int width = 32);
GPUSIM_WITHOUT_MASK(__any, int predicate);
GPUSIM_WITHOUT_MASK(__all, int predicate);
GPUSIM_WITHOUT_MASK(__ballot, int predicate);
#undef GPUSIM_WITHOUT_MASK

// A shuffle moves 32 bits; 64-bit values take two, as on a GPU. The third operand of shfl packs the segment
// (bits 8…12: which lane bits must stay) and the last lane of it (bits 0…4; 0 for up, which clamps below).
#define GPUSIM_SHUFFLE(name, builtin, Lane, last_lane)                                                 \
  GPUSIM_INLINE int name(unsigned mask, int value, Lane lane, int width = 32) {                        \
    return builtin(mask, value, lane, ((32 - width) << 8) | last_lane);                                \
  }                                                                                                    \
  GPUSIM_INLINE unsigned name(unsigned mask, unsigned value, Lane lane, int width = 32) {              \
    return unsigned(name(mask, int(value), lane, width));                                              \
  }                                                                                                    \
  GPUSIM_INLINE float name(unsigned mask, float value, Lane lane, int width = 32) {                    \
    return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, value), lane, width));         \
  }                                                                                                    \
  GPUSIM_INLINE unsigned long long name(unsigned mask, unsigned long long value, Lane lane,            \
                                        int width = 32) {                                              \
    const unsigned low = name(mask, unsigned(value), lane, width);                                     \
    const unsigned high = name(mask, unsigned(value >> 32), lane, width);                              \
    return (unsigned long long)high << 32 | low;                                                       \
  }                                                                                                    \
  GPUSIM_INLINE long long name(unsigned mask, long long value, Lane lane, int width = 32) {            \
    return (long long)name(mask, (unsigned long long)value, lane, width);                              \
  }                                                                                                    \
  GPUSIM_INLINE unsigned long name(unsigned mask, unsigned long value, Lane lane, int width = 32) {    \
    return (unsigned long)name(mask, (unsigned long long)value, lane, width);                          \
  }                                                                                                    \
  GPUSIM_INLINE long name(unsigned mask, long value, Lane lane, int width = 32) {                      \
    return (long)name(mask, (unsigned long long)value, lane, width);                                   \
  }                                                                                                    \
  GPUSIM_INLINE double name(unsigned mask, double value, Lane lane, int width = 32) {                  \
    return __builtin_bit_cast(double,                                                                  \
                              name(mask, __builtin_bit_cast(unsigned long long, value), lane, width)); \
  }

GPUSIM_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, int, 0x1f)
GPUSIM_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, unsigned, 0)
GPUSIM_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, unsigned, 0x1f)
GPUSIM_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, int, 0x1f)
#undef GPUSIM_SHUFFLE

GPUSIM_INLINE int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
GPUSIM_INLINE int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
GPUSIM_INLINE int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
GPUSIM_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
  return __nvvm_vote_ballot_sync(mask, predicate);
}
GPUSIM_INLINE unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}

// T is 4 or 8 bytes. The value is compared bit by bit.
template <class T>
GPUSIM_INLINE unsigned __match_any_sync(unsigned mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_any_sync compares 4 or 8 bytes");
  unsigned same;
  if constexpr (sizeof(T) == 4) {
    asm volatile("match.any.sync.b32 %0, %1, %2;"
                 : "=r"(same)
                 : "r"(__builtin_bit_cast(unsigned, value)), "r"(mask));
  } else {
    asm volatile("match.any.sync.b64 %0, %1, %2;"
                 : "=r"(same)
                 : "l"(__builtin_bit_cast(unsigned long long, value)), "r"(mask));
  }
  return same;
}
template <class T>
GPUSIM_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all_equal) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "__match_all_sync compares 4 or 8 bytes");
  unsigned same;
  int equal;
  if constexpr (sizeof(T) == 4) {
    asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync.b32 %0|p, %2, %3;\n\tselp.u32 %1, 1, 0, p;\n\t}"
                 : "=r"(same), "=r"(equal)
                 : "r"(__builtin_bit_cast(unsigned, value)), "r"(mask));
  } else {
    asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync.b64 %0|p, %2, %3;\n\tselp.u32 %1, 1, 0, p;\n\t}"
                 : "=r"(same), "=r"(equal)
                 : "l"(__builtin_bit_cast(unsigned long long, value)), "r"(mask));
  }
  *all_equal = equal;
  return same;
}

#define GPUSIM_REDUCE(name, T, instruction)                                                        \
  GPUSIM_INLINE T name(unsigned mask, T value) {                                                   \
    T result;                                                                                      \
    asm volatile("redux.sync." instruction " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask)); \
    return result;                                                                                 \
  }
GPUSIM_REDUCE(__reduce_add_sync, unsigned, "add.u32")
GPUSIM_REDUCE(__reduce_add_sync, int, "add.s32")
GPUSIM_REDUCE(__reduce_min_sync, unsigned, "min.u32")
GPUSIM_REDUCE(__reduce_min_sync, int, "min.s32")
GPUSIM_REDUCE(__reduce_max_sync, unsigned, "max.u32")
GPUSIM_REDUCE(__reduce_max_sync, int, "max.s32")
GPUSIM_REDUCE(__reduce_and_sync, unsigned, "and.b32")
GPUSIM_REDUCE(__reduce_or_sync, unsigned, "or.b32")
GPUSIM_REDUCE(__reduce_xor_sync, unsigned, "xor.b32")
#undef GPUSIM_REDUCE
// SPDX-License-Identifier: MIT
