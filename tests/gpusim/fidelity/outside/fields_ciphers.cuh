// Hashes, ciphers, random numbers and products of long integers.
#pragma once

#include "fields_common.cuh"

namespace outside {

// Rotations of words, which most hashes and ciphers need.
__device__ __forceinline__ uint32_t rotl32(uint32_t v, int k) { return v << k | v >> (32 - k); }
__device__ __forceinline__ uint64_t rotl64(uint64_t v, int k) { return v << k | v >> (64 - k); }

// SHA-256 of a block that differs in one word: a thread tries a value of that word.
namespace sha256_nonces {

const int N = 1 << 17;
static const uint32_t hk[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
__constant__ uint32_t ck[64];

__device__ __forceinline__ uint32_t digest(const uint32_t* k, uint32_t nonce) {
  uint32_t w[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) w[i] = i * 0x01010101u;
  w[3] = nonce;
  uint32_t a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c,
           g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    if (i >= 16) {
      uint32_t x = w[(i + 1) & 15], y = w[(i + 14) & 15];
      w[i & 15] += (rotl32(x, 25) ^ rotl32(x, 14) ^ x >> 3) + w[(i + 9) & 15] +
                   (rotl32(y, 15) ^ rotl32(y, 13) ^ y >> 10);
    }
    uint32_t t1 =
        h + (rotl32(e, 26) ^ rotl32(e, 21) ^ rotl32(e, 7)) + ((e & f) ^ (~e & g)) + k[i] + w[i & 15];
    uint32_t t2 = (rotl32(a, 30) ^ rotl32(a, 19) ^ rotl32(a, 10)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  return a ^ rotl32(e, 5) ^ h;
}

__global__ void sha256_nonces(uint32_t* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = digest(ck, i);
}

inline void add_row() {
  CALIBRATE_CHECK(cudaMemcpyToSymbol(ck, hk, sizeof hk));
  const Array<uint32_t> out(N);
  row("sha256_nonces", [&] { sha256_nonces<<<N / 128, 128>>>(out); });
}

}  // namespace sha256_nonces

// SipHash of keys of 32 bytes.
namespace siphash24_keys {

const int N = 1 << 19;

__device__ __forceinline__ void rnd(uint64_t& a, uint64_t& b, uint64_t& c, uint64_t& d) {
  a += b, b = rotl64(b, 13) ^ a, a = rotl64(a, 32);
  c += d, d = rotl64(d, 16) ^ c;
  a += d, d = rotl64(d, 21) ^ a;
  c += b, b = rotl64(b, 17) ^ c, c = rotl64(c, 32);
}

__device__ __forceinline__ uint64_t hash(const uint64_t* m) {
  uint64_t a = 0x736f6d6570736575ull ^ 7, b = 0x646f72616e646f6dull ^ 9, c = 0x6c7967656e657261ull ^ 7,
           d = 0x7465646279746573ull ^ 9;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    d ^= m[k];
    rnd(a, b, c, d), rnd(a, b, c, d);
    a ^= m[k];
  }
  c ^= 0xff;
  rnd(a, b, c, d), rnd(a, b, c, d), rnd(a, b, c, d), rnd(a, b, c, d);
  return a ^ b ^ c ^ d;
}

__global__ void siphash24_keys(const uint64_t* __restrict__ in, uint64_t* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = hash(in + size_t(i) * 4);
}

inline void add_row() {
  std::vector<uint64_t> h(size_t(N) * 4);
  Rng r(60);
  for (auto& v : h) v = uint64_t(r.next()) << 32 | r.next();
  const Array<uint64_t> in(h);
  const Array<uint64_t> out(N);
  row("siphash24_keys", [&] { siphash24_keys<<<N / 256, 256>>>(in, out); });
}

}  // namespace siphash24_keys

// Fills an array with random numbers: each thread has a generator of its own.
namespace xoshiro_fill_u64 {

const int T = 132 * 1024, PER = 48;

__device__ __forceinline__ uint64_t step(uint64_t* s) {
  uint64_t r = rotl64(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0], s[3] ^= s[1], s[1] ^= s[2], s[0] ^= s[3], s[2] ^= t, s[3] = rotl64(s[3], 45);
  return r;
}

__device__ __forceinline__ void seed(uint64_t* s, uint64_t i) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    uint64_t z = (i * 4 + k + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull, z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    s[k] = z ^ z >> 31;
  }
}

__global__ void xoshiro_fill_u64(uint64_t* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t s[4];
  seed(s, i);
  for (int k = 0; k < PER; ++k) o[size_t(k) * T + i] = step(s);
}

inline void add_row() {
  const Array<uint64_t> out(size_t(T) * PER);
  row("xoshiro_fill_u64", [&] { xoshiro_fill_u64<<<T / 256, 256>>>(out); });
}

}  // namespace xoshiro_fill_u64

// Encrypts with ChaCha20: a thread takes 64 bytes.
namespace chacha20_xor {

const int N = 1 << 18;  // blocks of 64 bytes
#define FIELDS_QUARTER_ROUND(a, b, c, d)                                                              \
  a += b, d = rotl32(d ^ a, 16), c += d, b = rotl32(b ^ c, 12), a += b, d = rotl32(d ^ a, 8), c += d, \
          b = rotl32(b ^ c, 7)

__device__ __forceinline__ void block(uint32_t ctr, uint32_t* x) {
  uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 1, 2, 3, 4, 5, 6, 7, 8, ctr, 9, 10, 11};
#pragma unroll
  for (int i = 0; i < 16; ++i) x[i] = s[i];
#pragma unroll 1
  for (int r = 0; r < 10; ++r) {
    FIELDS_QUARTER_ROUND(x[0], x[4], x[8], x[12]);
    FIELDS_QUARTER_ROUND(x[1], x[5], x[9], x[13]);
    FIELDS_QUARTER_ROUND(x[2], x[6], x[10], x[14]);
    FIELDS_QUARTER_ROUND(x[3], x[7], x[11], x[15]);
    FIELDS_QUARTER_ROUND(x[0], x[5], x[10], x[15]);
    FIELDS_QUARTER_ROUND(x[1], x[6], x[11], x[12]);
    FIELDS_QUARTER_ROUND(x[2], x[7], x[8], x[13]);
    FIELDS_QUARTER_ROUND(x[3], x[4], x[9], x[14]);
  }
#pragma unroll
  for (int i = 0; i < 16; ++i) x[i] += s[i];
}

__global__ void chacha20_xor(const uint4* __restrict__ in, uint4* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x[16];
  block(i, x);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    uint4 v = in[i * 4 + k];
    o[i * 4 + k] = make_uint4(v.x ^ x[4 * k], v.y ^ x[4 * k + 1], v.z ^ x[4 * k + 2], v.w ^ x[4 * k + 3]);
  }
}

inline void add_row() {
  std::vector<uint32_t> h = host_u32(size_t(N) * 16, 61);
  const Array<uint32_t> in(h);
  const Array<uint32_t> out(h.size());
  row("chacha20_xor", [&] { chacha20_xor<<<N / 256, 256>>>(as<uint4>(in), as<uint4>(out)); });
}

}  // namespace chacha20_xor

// A cipher with four tables of 256 words in shared memory, as fast versions of AES have them.
namespace ttable_cipher_shared {

const int N = 1 << 18;

__device__ __forceinline__ void encrypt(const uint32_t* t, uint32_t* s) {
#pragma unroll 2
  for (int r = 0; r < 10; ++r) {
    uint32_t n[4];
#pragma unroll
    for (int c = 0; c < 4; ++c)
      n[c] = t[s[c] & 255] ^ t[256 + ((s[(c + 1) & 3] >> 8) & 255)] ^
             t[512 + ((s[(c + 2) & 3] >> 16) & 255)] ^ t[768 + (s[(c + 3) & 3] >> 24)] ^ (r * 0x1b873593u);
#pragma unroll
    for (int c = 0; c < 4; ++c) s[c] = n[c];
  }
}

__global__ void ttable_cipher_shared(const uint32_t* __restrict__ tab, const uint4* __restrict__ in,
                                     uint4* __restrict__ o) {
  __shared__ uint32_t t[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) t[i] = tab[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x) {
    uint4 v = in[i];
    uint32_t s[4] = {v.x, v.y, v.z, v.w};
    encrypt(t, s);
    o[i] = make_uint4(s[0], s[1], s[2], s[3]);
  }
}

inline void add_row() {
  std::vector<uint32_t> h = host_u32(size_t(N) * 4, 62);
  const Array<uint32_t> in(h);
  const Array<uint32_t> dt(host_u32(1024, 63));
  const Array<uint32_t> out(h.size());
  row("ttable_cipher_shared", [&] { ttable_cipher_shared<<<256, 512>>>(dt, as<uint4>(in), as<uint4>(out)); });
}

}  // namespace ttable_cipher_shared

// Enters keys into a Bloom filter: four hashes, and an atomic OR for each.
namespace bloom_insert_murmur {

const int N = 1 << 19, BITS = 1 << 24;

__device__ __forceinline__ uint32_t murmur(uint32_t k, uint32_t seed) {
  uint32_t x = rotl32(k * 0xcc9e2d51u, 15) * 0x1b873593u ^ seed;
  x = rotl32(x, 13) * 5 + 0xe6546b64u, x ^= 4;
  x ^= x >> 16, x *= 0x85ebca6bu, x ^= x >> 13, x *= 0xc2b2ae35u, x ^= x >> 16;
  return x & (BITS - 1);
}

__global__ void bloom_insert_murmur(const uint32_t* __restrict__ keys, uint32_t* filter) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t k = keys[i];
#pragma unroll
  for (int s = 0; s < 4; ++s) {
    uint32_t b = murmur(k, s);
    atomicOr(&filter[b >> 5], 1u << (b & 31));
  }
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(N, 64));
  const Array<uint32_t> filter(BITS / 32);
  row("bloom_insert_murmur", [&] { bloom_insert_murmur<<<N / 256, 256>>>(in, filter); });
}

}  // namespace bloom_insert_murmur

// Squares numbers of 256 bits twelve times by Montgomery: eight words each, modulo 2^256 - 189.
namespace montgomery256_square {

const int N = 33792, ITER = 12;

__device__ __forceinline__ void mont(uint32_t* x) {
  uint32_t t[10];
#pragma unroll
  for (int i = 0; i < 10; ++i) t[i] = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    uint64_t c = 0;
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      c += uint64_t(x[j]) * x[i] + t[j];
      t[j] = uint32_t(c), c >>= 32;
    }
    c += t[8];
    t[8] = uint32_t(c), t[9] = uint32_t(c >> 32);
    uint32_t m = t[0] * 0x73b07e95u;
    c = uint64_t(m) * 0xffffff43u + t[0], c >>= 32;
#pragma unroll
    for (int j = 1; j < 8; ++j) {
      c += uint64_t(m) * 0xffffffffu + t[j];
      t[j - 1] = uint32_t(c), c >>= 32;
    }
    c += t[8];
    t[7] = uint32_t(c), t[8] = t[9] + uint32_t(c >> 32);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) x[i] = t[i];
}

__global__ void montgomery256_square(const uint32_t* __restrict__ in, uint32_t* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = in[k * N + i];
#pragma unroll 1
  for (int k = 0; k < ITER; ++k) mont(x);
#pragma unroll
  for (int k = 0; k < 8; ++k) o[k * N + i] = x[k];
}

inline void add_row() {
  std::vector<uint32_t> h = host_u32(size_t(N) * 8, 65);
  const Array<uint32_t> in(h);
  const Array<uint32_t> out(h.size());
  row("montgomery256_square", [&] { montgomery256_square<<<N / 64, 64>>>(in, out); });
}

}  // namespace montgomery256_square

inline void field_cipher_rows() {
  sha256_nonces::add_row();
  siphash24_keys::add_row();
  xoshiro_fill_u64::add_row();
  chacha20_xor::add_row();
  ttable_cipher_shared::add_row();
  bloom_insert_murmur::add_row();
  montgomery256_square::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
