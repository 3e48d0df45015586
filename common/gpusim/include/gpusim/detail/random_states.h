// The generators of curand_kernel.h: states, seeds, jumps and 32 bits at a time.
#pragma once

#include "vector_types.h"

// What curand_normal keeps for the next call: it makes two at a time.
struct gpusim_random_extra {
  int has_float, has_double;  // 1: of curand_normal, 2: of curand_log_normal
  float extra_float;
  double extra_double;
};

struct curandStateXORWOW {
  unsigned int d, v[5];
  struct gpusim_random_extra extra;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  struct gpusim_random_extra extra;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;  // which of `output` comes next
  struct gpusim_random_extra extra;
};
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#if defined(__CUDA__)  // host code only holds states and passes them on
#define GPUSIM_RANDOM static __device__ inline __attribute__((always_inline))

// Computed by the host (execution/builtins.cpp): n · 2^log2 numbers on.
extern "C" __device__ void __gpusim_skip_xorwow(unsigned int* words, unsigned long long n, int log2);
extern "C" __device__ void __gpusim_skip_mrg32k3a(unsigned int* words, unsigned long long n, int log2);

// XORWOW.
GPUSIM_RANDOM void gpusim_skip(curandStateXORWOW_t* state, unsigned long long n, int log2) {
  if (n == 0) return;
  unsigned int words[5];
  for (int i = 0; i < 5; ++i) words[i] = state->v[i];
  __gpusim_skip_xorwow(words, n, log2);
  for (int i = 0; i < 5; ++i) state->v[i] = words[i];
}
GPUSIM_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  gpusim_skip(state, n, 0);
  state->d += 362437u * (unsigned int)n;
}
GPUSIM_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  gpusim_skip(state, n, 67);
}
GPUSIM_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = ((unsigned int)seed ^ 0xaad26b49u) * 1099087573u;
  const unsigned int high = ((unsigned int)(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  *state = {6615241u + high + low,
            {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high, 5783321u + low},
            {0, 0, 0, 0}};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
GPUSIM_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int oldest = state->v[0], newest = state->v[4], t = oldest ^ oldest >> 2;
  for (int i = 0; i < 4; ++i) state->v[i] = state->v[i + 1];
  state->v[4] = newest ^ newest << 4 ^ t ^ t << 1;
  state->d += 362437u;
  return state->v[4] + state->d;
}

// MRG32k3a.
GPUSIM_RANDOM void gpusim_skip(curandStateMRG32k3a_t* state, unsigned long long n, int log2) {
  if (n == 0) return;
  unsigned int words[6];
  for (int i = 0; i < 3; ++i) words[i] = state->s1[i], words[i + 3] = state->s2[i];
  __gpusim_skip_mrg32k3a(words, n, log2);
  for (int i = 0; i < 3; ++i) state->s1[i] = words[i], state->s2[i] = words[i + 3];
}
GPUSIM_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) { gpusim_skip(state, n, 0); }
GPUSIM_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  gpusim_skip(state, n, 76);
}
GPUSIM_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  gpusim_skip(state, n, 127);
}
GPUSIM_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a_t* state) {
  const unsigned long long m1 = 4294967087u, m2 = 4294944443u;
  const unsigned long long low = seed ? (unsigned int)seed ^ 0x55555555u : 1;
  const unsigned long long high = seed ? (unsigned int)(seed >> 32) ^ 0xaaaaaaaau : 1;
  const auto start = [](unsigned long long factor, unsigned long long modulus) {
    return (unsigned int)(factor * 12345u % modulus);
  };
  *state = {{start(low, m1), start(high, m1), start(low, m1)},
            {start(high, m2), start(low, m2), start(high, m2)},
            {0, 0, 0, 0}};
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
// 1 … 4294967087
GPUSIM_RANDOM double curand_MRG32k3a(curandStateMRG32k3a_t* state) {
  const unsigned long long m1 = 4294967087u, m2 = 4294944443u;
  const unsigned long long p1 =
      (1403580u * (unsigned long long)state->s1[1] + 810728u * (m1 - state->s1[0])) % m1;
  const unsigned long long p2 =
      (527612u * (unsigned long long)state->s2[2] + 1370589u * (m2 - state->s2[0])) % m2;
  state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = (unsigned int)p1;
  state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = (unsigned int)p2;
  return (double)(p1 <= p2 ? p1 + m1 - p2 : p1 - p2);
}
GPUSIM_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
  return (unsigned int)(curand_MRG32k3a(state) * 1.000000048662);
}

// Philox4x32-10: a counter of 128 bits, whose upper half is the subsequence, goes through ten rounds.
GPUSIM_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xd2511f53ull * c.x, b = 0xcd9e8d57ull * c.z;
    c = make_uint4((unsigned int)(b >> 32) ^ c.y ^ key.x, (unsigned int)b,
                   (unsigned int)(a >> 32) ^ c.w ^ key.y, (unsigned int)a);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return c;
}
GPUSIM_RANDOM void gpusim_count(curandStatePhilox4_32_10_t* state, unsigned long long low,
                                unsigned long long high) {
  const unsigned long long before = (unsigned long long)state->ctr.y << 32 | state->ctr.x,
                           after = before + low;
  high += ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + (after < before);
  state->ctr = make_uint4((unsigned int)after, (unsigned int)(after >> 32), (unsigned int)high,
                          (unsigned int)(high >> 32));
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
GPUSIM_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->STATE += n & 3;
  gpusim_count(state, n / 4 + state->STATE / 4, 0);
  state->STATE %= 4;
}
GPUSIM_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  gpusim_count(state, 0, n);
}
GPUSIM_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  *state = {{0, 0, 0, 0}, {0, 0, 0, 0}, {(unsigned int)seed, (unsigned int)(seed >> 32)}, 0, {0, 0, 0, 0}};
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
GPUSIM_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const uint4 o = state->output;
  const unsigned int at = state->STATE;
  const unsigned int number = at == 0 ? o.x : at == 1 ? o.y : at == 2 ? o.z : o.w;
  state->STATE = (at + 1) % 4;
  if (at == 3) gpusim_count(state, 1, 0);
  return number;
}
GPUSIM_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 a = state->output;
  gpusim_count(state, 1, 0);
  const uint4 b = state->output;
  switch (state->STATE) {
    case 0: return a;
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    default: return make_uint4(a.w, b.x, b.y, b.z);
  }
}
#endif
// SPDX-License-Identifier: MIT
