// The distributions of curand_kernel.h, made of the generators' 32 bits.
#pragma once

#include "gpusim/detail/random_states.h"

#if defined(__CUDA__)

// (0, 1]
GPUSIM_RANDOM float gpusim_uniform(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
GPUSIM_RANDOM double gpusim_uniform(unsigned int x, unsigned int y) {
  return (x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
GPUSIM_RANDOM float curand_uniform(curandStateXORWOW_t* state) { return gpusim_uniform(curand(state)); }
GPUSIM_RANDOM float curand_uniform(curandStatePhilox4_32_10_t* state) {
  return gpusim_uniform(curand(state));
}
GPUSIM_RANDOM double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int x = curand(state), y = curand(state);
  return gpusim_uniform(x, y);
}
GPUSIM_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
GPUSIM_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return curand_MRG32k3a(state) * 2.3283065498378288e-10;
}
GPUSIM_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) {
  return (float)curand_uniform_double(state);
}
GPUSIM_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_float4(gpusim_uniform(x.x), gpusim_uniform(x.y), gpusim_uniform(x.z), gpusim_uniform(x.w));
}
GPUSIM_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return make_double2(gpusim_uniform(x.x, x.y), gpusim_uniform(x.z, x.w));
}
GPUSIM_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

// Two normal numbers of two uniform ones (Box and Muller). `angle`: in units of π for double, in radians for float.
GPUSIM_RANDOM float2 gpusim_normal_pair(float uniform, float angle) {
  const float radius = sqrtf(-2.0f * logf(uniform));
  float sine, cosine;
  __sincosf(angle, &sine, &cosine);
  return make_float2(sine * radius, cosine * radius);
}
GPUSIM_RANDOM double2 gpusim_normal_pair(double uniform, double angle) {
  const double radius = sqrt(-2.0 * log(uniform));
  return make_double2(sinpi(angle) * radius, cospi(angle) * radius);
}
GPUSIM_RANDOM float2 gpusim_normal_pair(unsigned int x, unsigned int y) {
  const float turn = 0x1p-32f * 6.2831855f;
  return gpusim_normal_pair(gpusim_uniform(x), y * turn + turn / 2);
}
GPUSIM_RANDOM double2 gpusim_normal_pair(uint4 x) {
  return gpusim_normal_pair(gpusim_uniform(x.x, x.y),
                            (x.z ^ (unsigned long long)x.w << 21) * 0x1p-52 + 0x1p-53);
}
template <class State> GPUSIM_RANDOM float2 curand_normal2(State* state) {
  const unsigned int x = curand(state), y = curand(state);
  return gpusim_normal_pair(x, y);
}
GPUSIM_RANDOM float2 curand_normal2(curandStateMRG32k3a_t* state) {
  const float x = curand_uniform(state), y = curand_uniform(state);
  return gpusim_normal_pair(x, y * 6.2831855f);
}
GPUSIM_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = gpusim_normal_pair(x.x, x.y), b = gpusim_normal_pair(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
GPUSIM_RANDOM double2 curand_normal2_double(curandStateXORWOW_t* state) {
  const unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
  return gpusim_normal_pair(make_uint4(x, y, z, w));
}
GPUSIM_RANDOM double2 curand_normal2_double(curandStatePhilox4_32_10_t* state) {
  return gpusim_normal_pair(curand4(state));
}
GPUSIM_RANDOM double2 curand_normal2_double(curandStateMRG32k3a_t* state) {
  const double x = curand_uniform_double(state), y = curand_uniform_double(state);
  return gpusim_normal_pair(x, y * 2);
}
GPUSIM_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state), b = curand_normal2_double(state);
  return make_double4(a.x, a.y, b.x, b.y);
}

// One of two; the other is kept for the next call of the same function. (A call of the other one drops it.)
template <class T, class Draw> GPUSIM_RANDOM T gpusim_one_of_two(int caller, int& kept_for, T& kept,
                                                                 Draw draw) {
  if (kept_for == caller) {
    kept_for = 0;
    return kept;
  }
  const auto pair = draw();
  kept = pair.y;
  kept_for = caller;
  return pair.x;
}
template <int caller = 1, class State> GPUSIM_RANDOM float curand_normal(State* state) {
  return gpusim_one_of_two(caller, state->extra.has_float, state->extra.extra_float,
                           [state] { return curand_normal2(state); });
}
template <int caller = 1, class State> GPUSIM_RANDOM double curand_normal_double(State* state) {
  return gpusim_one_of_two(caller, state->extra.has_double, state->extra.extra_double,
                           [state] { return curand_normal2_double(state); });
}

template <class State> GPUSIM_RANDOM float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal<2>(state));
}
template <class State> GPUSIM_RANDOM double curand_log_normal_double(State* state, double mean,
                                                                     double deviation) {
  return exp(mean + deviation * curand_normal_double<2>(state));
}
template <class State> GPUSIM_RANDOM float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 pair = curand_normal2(state);
  return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}
GPUSIM_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  const float4 x = curand_normal4(state);
  return make_float4(expf(mean + deviation * x.x), expf(mean + deviation * x.y), expf(mean + deviation * x.z),
                     expf(mean + deviation * x.w));
}
template <class State> GPUSIM_RANDOM double2 curand_log_normal2_double(State* state, double mean,
                                                                       double deviation) {
  const double2 pair = curand_normal2_double(state);
  return make_double2(exp(mean + deviation * pair.x), exp(mean + deviation * pair.y));
}

// Knuth's method, which multiplies uniform numbers; beyond 4000 the normal distribution, rounded. Between 64 and 4000
// NVIDIA's inverts the gamma function; here a large mean is a sum of small ones, which gives other numbers of the same
// distribution.
template <class State> GPUSIM_RANDOM unsigned int gpusim_poisson(State* state, float mean) {
  unsigned int count = 0;
  float product = expf(mean);
  do ++count, product *= curand_uniform(state);
  while (product > 1.0f);
  return count - 1;
}
template <class State> GPUSIM_RANDOM unsigned int curand_poisson(State* state, double mean) {
  if (mean > 4000) return (unsigned int)(sqrt(mean) * curand_normal_double(state) + mean + 0.5);
  unsigned int sum = 0;
  for (; mean >= 64; mean -= 32) sum += gpusim_poisson(state, 32);
  return sum + gpusim_poisson(state, (float)mean);
}
GPUSIM_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double mean) {
  const unsigned int x = curand_poisson(state, mean), y = curand_poisson(state, mean),
                     z = curand_poisson(state, mean), w = curand_poisson(state, mean);
  return make_uint4(x, y, z, w);
}
#undef GPUSIM_RANDOM
#endif
// SPDX-License-Identifier: MIT
