// What programs take from NVIDIA's cuda-samples (Common/helper_math.h): arithmetic on vectors of two to
// four numbers. Every operation works component by component; a scalar next to a vector stands for a vector whose components
// all have that value.
#pragma once

#include <math.h>

#include "cuda_runtime.h"

typedef unsigned int uint;
typedef unsigned short ushort;

// Conversions. Components that are left out are 0, those too many are dropped.
#define HELPER_MATH_FAMILY(T, V, A, B)                                                                \
  inline __host__ __device__ V##2 make_##V##2(T s) { return make_##V##2(s, s); }                      \
  inline __host__ __device__ V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); }               \
  inline __host__ __device__ V##2 make_##V##2(A##2 a) { return make_##V##2(T(a.x), T(a.y)); }         \
  inline __host__ __device__ V##2 make_##V##2(B##2 a) { return make_##V##2(T(a.x), T(a.y)); }         \
  inline __host__ __device__ V##3 make_##V##3(T s) { return make_##V##3(s, s, s); }                   \
  inline __host__ __device__ V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, T(0)); }         \
  inline __host__ __device__ V##3 make_##V##3(V##2 a, T s) { return make_##V##3(a.x, a.y, s); }       \
  inline __host__ __device__ V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); }          \
  inline __host__ __device__ V##3 make_##V##3(A##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); } \
  inline __host__ __device__ V##3 make_##V##3(B##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); } \
  inline __host__ __device__ V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); }                \
  inline __host__ __device__ V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, T(0)); }    \
  inline __host__ __device__ V##4 make_##V##4(V##3 a, T w) { return make_##V##4(a.x, a.y, a.z, w); }  \
  inline __host__ __device__ V##4 make_##V##4(A##4 a) {                                               \
    return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w));                                               \
  }                                                                                                   \
  inline __host__ __device__ V##4 make_##V##4(B##4 a) { return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
HELPER_MATH_FAMILY(float, float, int, uint)
HELPER_MATH_FAMILY(int, int, float, uint)
HELPER_MATH_FAMILY(uint, uint, float, int)
#undef HELPER_MATH_FAMILY

namespace helper_math {

template <class V> struct Vector {};  // nothing but of these
#define HELPER_MATH_VECTORS(T, V)   \
  template <> struct Vector<V##2> { \
    using Number = T;               \
  };                                \
  template <> struct Vector<V##3> { \
    using Number = T;               \
  };                                \
  template <> struct Vector<V##4> { \
    using Number = T;               \
  };
HELPER_MATH_VECTORS(float, float)
HELPER_MATH_VECTORS(int, int)
HELPER_MATH_VECTORS(uint, uint)
#undef HELPER_MATH_VECTORS
template <class V> using Number = typename Vector<V>::Number;

template <class V> inline constexpr int kWidth = sizeof(V) / sizeof(Number<V>);

// The vector of f(&V::x), f(&V::y) …
template <class V, class F> inline __host__ __device__ V each(F f) {
  if constexpr (kWidth<V> == 2) return V{f(&V::x), f(&V::y)};
  else if constexpr (kWidth<V> == 3) return V{f(&V::x), f(&V::y), f(&V::z)};
  else return V{f(&V::x), f(&V::y), f(&V::z), f(&V::w)};
}

}  // namespace helper_math

// Templates: what a program defines for a vector itself goes first.
#define HELPER_MATH_OPERATOR(OP)                                                                            \
  template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V operator OP(V a, V b) { \
    return helper_math::each<V>([&](auto m) { return T(a.*m OP b.*m); });                                   \
  }                                                                                                         \
  template <class V, class T = helper_math::Number<V>>                                                      \
  inline __host__ __device__ V operator OP(V a, helper_math::Number<V> b) {                                 \
    return helper_math::each<V>([&](auto m) { return T(a.*m OP b); });                                      \
  }                                                                                                         \
  template <class V, class T = helper_math::Number<V>>                                                      \
  inline __host__ __device__ V operator OP(helper_math::Number<V> a, V b) {                                 \
    return helper_math::each<V>([&](auto m) { return T(a OP b.*m); });                                      \
  }                                                                                                         \
  template <class V, class T = helper_math::Number<V>>                                                      \
  inline __host__ __device__ void operator OP##=(V& a, V b) {                                               \
    a = a OP b;                                                                                             \
  }                                                                                                         \
  template <class V, class T = helper_math::Number<V>>                                                      \
  inline __host__ __device__ void operator OP##=(V& a, helper_math::Number<V> b) {                          \
    a = a OP b;                                                                                             \
  }
HELPER_MATH_OPERATOR(+)
HELPER_MATH_OPERATOR(-)
HELPER_MATH_OPERATOR(*)
HELPER_MATH_OPERATOR(/)
#undef HELPER_MATH_OPERATOR
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V operator-(V a) {
  return helper_math::each<V>([&](auto m) { return T(-(a.*m)); });
}

// Functions of one number that helper_math.h adds.
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __host__ __device__ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
inline __host__ __device__ int clamp(int f, int a, int b) { return f < a ? a : f > b ? b : f; }
inline __host__ __device__ uint clamp(uint f, uint a, uint b) { return f < a ? a : f > b ? b : f; }
inline __host__ __device__ float fracf(float v) { return v - floorf(v); }
inline __host__ __device__ float smoothstep(float a, float b, float x) {
  const float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}

// The same, and others of one or two numbers, of each component.
#define HELPER_MATH_OF_ONE(NAME, F)                                                             \
  template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V NAME(V a) { \
    return helper_math::each<V>([&](auto m) { return T(F(a.*m)); });                            \
  }
HELPER_MATH_OF_ONE(floorf, ::floorf)
HELPER_MATH_OF_ONE(fracf, ::fracf)
HELPER_MATH_OF_ONE(fabs, ::fabsf)
HELPER_MATH_OF_ONE(abs, ::abs)
#undef HELPER_MATH_OF_ONE
#define HELPER_MATH_OF_TWO(NAME, F)                                                                  \
  template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V NAME(V a, V b) { \
    return helper_math::each<V>([&](auto m) { return T(F(a.*m, b.*m)); });                           \
  }
HELPER_MATH_OF_TWO(fminf, ::fminf)
HELPER_MATH_OF_TWO(fmaxf, ::fmaxf)
HELPER_MATH_OF_TWO(fmodf, ::fmodf)
HELPER_MATH_OF_TWO(min, ::min)
HELPER_MATH_OF_TWO(max, ::max)
#undef HELPER_MATH_OF_TWO

template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V lerp(V a, V b, float t) {
  return a + t * (b - a);
}
template <class V> inline __host__ __device__ V clamp(V v, helper_math::Number<V> a,
                                                      helper_math::Number<V> b) {
  return helper_math::each<V>([&](auto m) { return ::clamp(v.*m, a, b); });
}
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V clamp(V v, V a, V b) {
  return helper_math::each<V>([&](auto m) { return ::clamp(v.*m, a.*m, b.*m); });
}
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V smoothstep(V a, V b, V x) {
  return helper_math::each<V>([&](auto m) { return ::smoothstep(a.*m, b.*m, x.*m); });
}

// Vectors as such.
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ T dot(V a, V b) {
  if constexpr (helper_math::kWidth<V> == 2) return a.x * b.x + a.y * b.y;
  else if constexpr (helper_math::kWidth<V> == 3) return a.x * b.x + a.y * b.y + a.z * b.z;
  else return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ float length(V v) {
  return sqrtf(dot(v, v));
}
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V normalize(V v) {
  return v * rsqrtf(dot(v, v));
}
// A ray i that meets a surface whose normal is n.
template <class V, class T = helper_math::Number<V>> inline __host__ __device__ V reflect(V i, V n) {
  return i - 2.0f * n * dot(n, i);
}
inline __host__ __device__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
// SPDX-License-Identifier: MIT
