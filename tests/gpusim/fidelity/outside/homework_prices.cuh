// Random numbers by generators written by hand, and prices of options, bonds and shares.
#pragma once

#include "homework_common.cuh"

namespace outside {

__device__ inline uint4 philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high_0 = __umulhi(0xd2511f53u, counter.x), low_0 = 0xd2511f53u * counter.x;
    const unsigned high_1 = __umulhi(0xcd9e8d57u, counter.z), low_1 = 0xcd9e8d57u * counter.z;
    counter = make_uint4(high_1 ^ counter.y ^ key.x, low_1, high_0 ^ counter.w ^ key.y, low_0);
    key.x += 0x9e3779b9u;
    key.y += 0xbb67ae85u;
  }
  return counter;
}

// Four normal numbers for each thread: Philox's ten rounds, then Box and Muller.
__global__ void philox_normals(float4* out, unsigned seed, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint4 bits = philox(make_uint4(unsigned(i), 0u, 0u, 0u), make_uint2(seed, 0u));
  const float a = sqrtf(-2.0f * logf((bits.x + 1.0f) * 2.3283064e-10f));
  const float b = sqrtf(-2.0f * logf((bits.z + 1.0f) * 2.3283064e-10f));
  float sine_a, cosine_a, sine_b, cosine_b;
  sincosf(6.2831853f * (bits.y * 2.3283064e-10f), &sine_a, &cosine_a);
  sincosf(6.2831853f * (bits.w * 2.3283064e-10f), &sine_b, &cosine_b);
  out[i] = make_float4(a * cosine_a, a * sine_a, b * cosine_b, b * sine_b);
}

// Doubles from a generator of 64 bits by shifts and a multiplication: sixteen for each thread, a grid apart.
__global__ void xorshift_doubles(double* out, unsigned long long seed, int count) {
  const int threads = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long state = (seed + first) * 0x9e3779b97f4a7c15ull | 1;
  for (int i = first; i < count; i += threads) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    out[i] = double((state * 2685821657736338717ull) >> 11) * (1.0 / 9007199254740992.0);
  }
}

// Sobol's sequence: each point is the exclusive or of the directions that the bits of its number name.
__global__ void sobol_points(const unsigned* directions, float* out, int count) {
  __shared__ unsigned own[32];
  if (threadIdx.x < 32) own[threadIdx.x] = directions[blockIdx.y * 32 + threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned x = 0;
  for (unsigned gray = unsigned(i) ^ unsigned(i) >> 1; gray != 0; gray &= gray - 1)
    x ^= own[__ffs(int(gray)) - 1];
  out[std::size_t(blockIdx.y) * count + i] = x * 2.3283064e-10f;
}

__device__ inline float normal_below(float x) { return 0.5f * erfcf(-0.70710678f * x); }

// The volatility that gives a price, by Newton's method until the price fits.
__global__ void implied_volatility(const float* prices, const float* strikes, float* out, float spot,
                                   float rate, float years, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float price = prices[i], strike = strikes[i], discounted = strike * expf(-rate * years),
              root = sqrtf(years);
  float volatility = 0.8f;
  for (int step = 0; step < 40; ++step) {
    const float d1 =
        (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * years) / (volatility * root);
    const float value = spot * normal_below(d1) - discounted * normal_below(d1 - volatility * root);
    const float slope = spot * 0.39894228f * expf(-0.5f * d1 * d1) * root;
    const float error = value - price;
    if (fabsf(error) < 1e-3f || slope < 1e-4f) break;
    volatility = fminf(fmaxf(volatility - error / slope, 0.01f), 4.0f);
  }
  out[i] = volatility;
}

// Options that end when the price falls to a barrier: a path per thread, left when that happens.
__global__ void barrier_paths(float* payoffs, int steps, float drift, float volatility, float barrier,
                              int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float price = 100.0f;
  bool is_alive = true;
  for (int step = 0; step < steps && is_alive; step += 2) {
    const uint4 bits = philox(make_uint4(unsigned(i), unsigned(step), 0u, 0u), make_uint2(7u, 11u));
    const float radius = sqrtf(-2.0f * __logf((bits.x + 1.0f) * 2.3283064e-10f));
    const float angle = 6.2831853f * (bits.y * 2.3283064e-10f);
    price *= __expf(drift + volatility * radius * __cosf(angle));
    is_alive = price > barrier;
    price *= __expf(drift + volatility * radius * __sinf(angle));
    is_alive = is_alive && price > barrier;
  }
  payoffs[i] = is_alive ? fmaxf(price - 100.0f, 0.0f) : 0.0f;
}

// American puts by explicit finite differences: a block per option, 256 prices in shared memory, back through
// time.
__global__ void american_puts(const float* volatilities, float* out, int steps, float rate, float strike) {
  __shared__ float values[2][256];
  const int tid = threadIdx.x;
  const float volatility = volatilities[blockIdx.x], dt = 1.0f / (volatility * volatility * 256.0f * 256.0f);
  const float worth = fmaxf(strike - tid * strike / 64.0f, 0.0f), j = float(tid);
  const float up = 0.5f * dt * (volatility * volatility * j * j + rate * j);
  const float down = 0.5f * dt * (volatility * volatility * j * j - rate * j);
  const float stay = 1.0f - up - down - rate * dt;
  values[0][tid] = worth;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const float* const before = values[step % 2];
    float value = worth;
    if (tid > 0 && tid < 255)
      value = fmaxf(worth, down * before[tid - 1] + stay * before[tid] + up * before[tid + 1]);
    values[(step + 1) % 2][tid] = value;
    __syncthreads();
  }
  if (tid == 64) out[blockIdx.x] = values[steps % 2][64];
}

// Yields of bonds from their prices: Newton's method in doubles over sums of coupons, whose numbers differ.
__global__ void bond_yields(const double* prices, const int* coupons, double* out, double coupon, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double rate = 0.05;
  for (int step = 0; step < 30; ++step) {
    const double factor = 1.0 / (1.0 + rate);
    double discount = 1.0, value = 0.0, slope = 0.0;
    for (int k = 1; k <= coupons[i]; ++k) {
      discount *= factor;
      value += coupon * discount;
      slope -= k * coupon * discount * factor;
    }
    value += 100.0 * discount;
    slope -= coupons[i] * 100.0 * discount * factor;
    const double change = (value - prices[i]) / slope;
    rate -= change;
    if (fabs(change) < 1e-9) break;
  }
  out[i] = rate;
}

// Bollinger's bands: a thread per share goes through time with sums over a window; all shares of a day lie
// together.
__global__ void bollinger_bands(const float* prices, float* low, float* high, int shares, int days,
                                int window) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= shares) return;
  float sum = 0, squares = 0;
  for (int day = 0; day < days; ++day) {
    const float price = prices[day * shares + s];
    sum += price;
    squares += price * price;
    if (day >= window) {
      const float old = prices[(day - window) * shares + s];
      sum -= old;
      squares -= old * old;
    }
    const int used = min(day + 1, window);
    const float mean = sum / used, spread = 2.0f * sqrtf(fmaxf(squares / used - mean * mean, 0.0f));
    low[day * shares + s] = mean - spread;
    high[day * shares + s] = mean + spread;
  }
}

inline void random_rows() {
  constexpr int kCount = 1 << 22;
  const Filled<float4> normals(kCount);
  row("philox_normals 2^15", [&] { philox_normals<<<(1 << 15) / 256, 256>>>(normals, 42u, 1 << 15); });
  row("philox_normals 2^22", [&] { philox_normals<<<kCount / 256, 256>>>(normals, 42u, kCount); });
  const Filled<double> doubles(kCount);
  row("xorshift_doubles", [&] { xorshift_doubles<<<1024, 256>>>(doubles, 2024ull, kCount); });
  const Filled<unsigned> directions(8 * 32,
                                    [](std::size_t k) { return (scrambled(k) | 1u) << (31 - k % 32); });
  const Filled<float> points(8 * kCount / 4);
  row("sobol_points",
      [&] { sobol_points<<<dim3(kCount / 4 / 256, 8), 256>>>(directions, points, kCount / 4); });
}

inline void price_rows() {
  random_rows();
  {
    constexpr int kCount = 1 << 18;
    const Filled<float> prices(kCount, [](std::size_t k) { return 8.0f + 22.0f * fraction(k); }), out(kCount);
    const Filled<float> strikes(kCount, [](std::size_t k) { return 95.0f + 30.0f * fraction(k + 3); });
    row("implied_volatility", [&] {
      implied_volatility<<<kCount / 256, 256>>>(prices, strikes, out, 100.0f, 0.03f, 1.0f, kCount);
    });
  }
  {
    constexpr int kPaths = 1 << 18;
    const Filled<float> payoffs(kPaths);
    row("barrier_paths",
        [&] { barrier_paths<<<kPaths / 256, 256>>>(payoffs, 128, 0.0001f, 0.02f, 85.0f, kPaths); });
  }
  {
    const Filled<float> volatilities(528, [](std::size_t k) { return 0.1f + 0.4f * fraction(k); }), out(528);
    row("american_puts", [&] { american_puts<<<528, 256>>>(volatilities, out, 300, 0.03f, 100.0f); });
  }
  {
    constexpr int kBonds = 1 << 16;
    const Filled<double> prices(kBonds, [](std::size_t k) { return 80.0 + 40.0 * fraction(k); }), out(kBonds);
    const Filled<int> coupons(kBonds, [](std::size_t k) { return 2 + scrambled(k) % 58; });
    row("bond_yields", [&] { bond_yields<<<kBonds / 128, 128>>>(prices, coupons, out, 4.5, kBonds); });
  }
  {
    constexpr int kShares = 8192, kDays = 512, kCount = kShares * kDays;
    const Filled<float> prices(kCount, [](std::size_t k) { return 50.0f + fraction(k); }), low(kCount),
        high(kCount);
    row("bollinger_bands",
        [&] { bollinger_bands<<<kShares / 64, 64>>>(prices, low, high, kShares, kDays, 20); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
