#include "execution/random_streams.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace gpusim::libraries {
namespace {

// One step of XORWOW is linear over bits: a matrix of 160 columns of five words.
using Words = std::array<u32, 5>;
using BitMatrix = std::array<Words, 160>;

Words step(const Words& v) {
  const u32 t = v[0] ^ v[0] >> 2;
  return {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4 ^ t ^ t << 1};
}

Words product(const BitMatrix& matrix, const Words& vector) {
  Words sum{};
  for (u32 bit = 0; bit < 160; ++bit)
    if (vector[bit / 32] >> bit % 32 & 1)
      for (u32 word = 0; word < 5; ++word) sum[word] ^= matrix[bit][word];
  return sum;
}

// The matrix of 2^log2 steps; each is the square of the one before.
const BitMatrix& power(u32 log2) {
  static auto& powers = *new std::vector<std::unique_ptr<BitMatrix>>;
  while (powers.size() <= log2) {
    auto next = std::make_unique<BitMatrix>();
    for (u32 bit = 0; bit < 160; ++bit) {
      Words one{};
      one[bit / 32] = u32(1) << bit % 32;
      (*next)[bit] = powers.empty() ? step(one) : product(*powers.back(), (*powers.back())[bit]);
    }
    powers.push_back(std::move(next));
  }
  return *powers[log2];
}

constexpr u64 kModulus[] = {4294967087u, 4294944443u};
using Matrix = std::array<std::array<u64, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b, u64 modulus) {
  Matrix c{};
  for (u32 i = 0; i < 3; ++i)
    for (u32 j = 0; j < 3; ++j)
      for (u32 k = 0; k < 3; ++k) c[i][j] = (c[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
  return c;
}

// The matrix of 2^log2 steps of a recurrence; each is the square of the one before. The newest number is
// a12 s[1] - a13 s[0], or a21 s[2] - a23 s[0].
const Matrix& power(u32 part, u32 log2) {
  static auto& powers = *new std::array<std::vector<Matrix>, 2>;
  std::vector<Matrix>& of_part = powers[part];
  if (of_part.empty())
    of_part.push_back(part == 0 ? Matrix{{{0, 1, 0}, {0, 0, 1}, {kModulus[0] - 810728, 1403580, 0}}}
                                : Matrix{{{0, 1, 0}, {0, 0, 1}, {kModulus[1] - 1370589, 0, 527612}}});
  while (of_part.size() <= log2) of_part.push_back(product(of_part.back(), of_part.back(), kModulus[part]));
  return of_part[log2];
}

}  // namespace

void skip_xorwow(u32 words[5], u64 n, u32 log2) {
  Words v;
  std::copy_n(words, 5, v.begin());
  for (; n; n >>= 1, ++log2)
    if (n & 1) v = product(power(log2), v);
  std::copy_n(v.begin(), 5, words);
}

void skip_mrg32k3a(u32 words[6], u64 n, u32 log2) {
  for (u32 part = 0; part < 2; ++part) {
    u32* const s = words + 3 * part;
    for (u32 bit = 0; bit < 64 && n >> bit; ++bit) {
      if (!(n >> bit & 1)) continue;
      const Matrix& matrix = power(part, log2 + bit);
      u64 moved[3] = {};
      for (u32 i = 0; i < 3; ++i)
        for (u32 k = 0; k < 3; ++k)
          moved[i] = (moved[i] + matrix[i][k] * s[k] % kModulus[part]) % kModulus[part];
      for (u32 i = 0; i < 3; ++i) s[i] = u32(moved[i]);
    }
  }
}

Xorwow::Xorwow(u64 seed, u64 subsequence, u64 offset) {
  const u32 low = (u32(seed) ^ 0xaad26b49u) * 1099087573u,
            high = (u32(seed >> 32) ^ 0xf7dcefddu) * 2591861531u;
  d = 6615241u + high + low + 362437u * u32(offset);
  const Words start = {123456789u + low, 362436069u ^ low, 521288629u + high, 88675123u ^ high,
                       5783321u + low};
  std::copy_n(start.begin(), 5, v);
  skip_xorwow(v, subsequence, 67);
  skip_xorwow(v, offset, 0);
}

u32 Xorwow::next() {
  const Words moved = step({v[0], v[1], v[2], v[3], v[4]});
  std::copy_n(moved.begin(), 5, v);
  d += 362437u;
  return v[4] + d;
}

Mrg32k3a::Mrg32k3a(u64 seed, u64 subsequence, u64 offset) {
  const u32 low = u32(seed) ^ 0x55555555u, high = u32(seed >> 32) ^ 0xaaaaaaaau;
  for (u32 i = 0; i < 6; ++i) {
    const u64 factor = seed == 0 ? 1 : (i % 3 == 1) == (i < 3) ? high : low;
    s[i] = u32(factor * 12345 % kModulus[i / 3]);
  }
  skip_mrg32k3a(s, subsequence, 76);
  skip_mrg32k3a(s, offset, 0);
}

double Mrg32k3a::next() {
  skip_mrg32k3a(s, 1, 0);
  const s64 difference = s64(s[2]) - s64(s[5]);
  return double(difference <= 0 ? difference + s64(kModulus[0]) : difference);
}

std::array<u32, 4> philox(u64 seed, u64 subsequence, u64 counter) {
  u32 c[4] = {u32(counter), u32(counter >> 32), u32(subsequence), u32(subsequence >> 32)};
  u32 key[2] = {u32(seed), u32(seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const u64 a = u64(0xd2511f53u) * c[0], b = u64(0xcd9e8d57u) * c[2];
    const u32 next[4] = {u32(b >> 32) ^ c[1] ^ key[0], u32(b), u32(a >> 32) ^ c[3] ^ key[1], u32(a)};
    std::copy_n(next, 4, c);
    key[0] += 0x9e3779b9u;
    key[1] += 0xbb67ae85u;
  }
  return {c[0], c[1], c[2], c[3]};
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
