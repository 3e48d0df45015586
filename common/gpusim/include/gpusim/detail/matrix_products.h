// One mma.sync of each kind that wmma needs.
#pragma once

namespace nvcuda::wmma::detail {

template <int Count>
struct Words {
  unsigned word[Count];
};
template <int Count, class T>
__device__ Words<Count> words(const T* elements) {
  Words<Count> result;
  __builtin_memcpy(&result, elements, sizeof result);
  return result;
}

#define GPUSIM_PRODUCT_4_2(form, constraint, D, C)                                                      \
  asm volatile("mma.sync.aligned." form                                                                 \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"                   \
               : "=" constraint(D[0]), "=" constraint(D[1]), "=" constraint(D[2]), "=" constraint(D[3]) \
               : "r"(p.word[0]), "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3]), "r"(q.word[0]),        \
                 "r"(q.word[1]), constraint(C[0]), constraint(C[1]), constraint(C[2]), constraint(C[3]))
#define GPUSIM_PRODUCT_2_1(form, constraint, D, C)                                                      \
  asm volatile("mma.sync.aligned." form " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%7, %8, %9, %10};"         \
               : "=" constraint(D[0]), "=" constraint(D[1]), "=" constraint(D[2]), "=" constraint(D[3]) \
               : "r"(p.word[0]), "r"(p.word[1]), "r"(q.word[0]), constraint(C[0]), constraint(C[1]),    \
                 constraint(C[2]), constraint(C[3]))

template <int K, class T, class A, class B>
__device__ void multiply(float* d, const A* a, const B* b, const float* c, bool) {
  const Words<4> p = words<4>(a);
  const Words<2> q = words<2>(b);
  if constexpr (is_same<T, __half>) GPUSIM_PRODUCT_4_2("m16n8k16.row.col.f32.f16.f16.f32", "f", d, c);
  else if constexpr (is_same<T, __nv_bfloat16>)
    GPUSIM_PRODUCT_4_2("m16n8k16.row.col.f32.bf16.bf16.f32", "f", d, c);
  else GPUSIM_PRODUCT_4_2("m16n8k8.row.col.f32.tf32.tf32.f32", "f", d, c);
}
// Sums of 16 bits: two in a word.
template <int K, class T>
__device__ void multiply(__half* d, const __half* a, const __half* b, const __half* c, bool) {
  const Words<4> p = words<4>(a);
  const Words<2> q = words<2>(b), s = words<2>(c);
  Words<2> r;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%8, %9};"
      : "=r"(r.word[0]), "=r"(r.word[1])
      : "r"(p.word[0]), "r"(p.word[1]), "r"(p.word[2]), "r"(p.word[3]), "r"(q.word[0]), "r"(q.word[1]),
        "r"(s.word[0]), "r"(s.word[1]));
  __builtin_memcpy(d, &r, sizeof r);
}
// Sums of another type than the one that is accumulated: computed as a product of floats.
template <int K, class T>
__device__ void multiply(float* d, const __half* a, const __half* b, const __half* c, bool) {
  const float sums[4] = {float(c[0]), float(c[1]), float(c[2]), float(c[3])};
  multiply<K, T>(d, a, b, sums, false);
}
template <int K, class T>
__device__ void multiply(__half* d, const __half* a, const __half* b, const float* c, bool) {
  float sums[4];
  multiply<K, T>(sums, a, b, c, false);
  for (int i = 0; i < 4; ++i) d[i] = __half(sums[i]);
}
template <int K, class T, class A, class B>
__device__ void multiply(int* d, const A* a, const B* b, const int* c, bool saturate) {
  const Words<2> p = words<2>(a);
  const Words<1> q = words<1>(b);
  if constexpr (is_same<T, signed char>) {
    if (saturate) GPUSIM_PRODUCT_2_1("m16n8k16.row.col.satfinite.s32.s8.s8.s32", "r", d, c);
    else GPUSIM_PRODUCT_2_1("m16n8k16.row.col.s32.s8.s8.s32", "r", d, c);
  } else {
    if (saturate) GPUSIM_PRODUCT_2_1("m16n8k16.row.col.satfinite.s32.u8.u8.s32", "r", d, c);
    else GPUSIM_PRODUCT_2_1("m16n8k16.row.col.s32.u8.u8.s32", "r", d, c);
  }
}
template <int K, class T>
__device__ void multiply(double* d, const double* a, const double* b, const double* c, bool) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=d"(d[0]), "=d"(d[1])
               : "d"(a[0]), "d"(b[0]), "d"(c[0]), "d"(c[1]));
}

#undef GPUSIM_PRODUCT_4_2
#undef GPUSIM_PRODUCT_2_1

}  // namespace nvcuda::wmma::detail
// SPDX-License-Identifier: MIT
