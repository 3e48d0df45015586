// Hashes, ciphers and arithmetic of large numbers.
#pragma once

#include "homework_common.cuh"

namespace outside {

__constant__ unsigned kSha256[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u};

__device__ inline unsigned turned_right(unsigned x, int bits) { return x >> bits | x << (32 - bits); }

// One block of SHA-256 for each thread; word k of all messages lies together.
__global__ void sha256_of_blocks(const unsigned* messages, unsigned* digests, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned w[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) w[k] = messages[k * count + i];
  unsigned a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au;
  unsigned e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    if (k >= 16) {
      const unsigned x = w[(k + 1) % 16], y = w[(k + 14) % 16];
      w[k % 16] += (turned_right(x, 7) ^ turned_right(x, 18) ^ x >> 3) + w[(k + 9) % 16] +
                   (turned_right(y, 17) ^ turned_right(y, 19) ^ y >> 10);
    }
    const unsigned t1 = h + (turned_right(e, 6) ^ turned_right(e, 11) ^ turned_right(e, 25)) +
                        ((e & f) ^ (~e & g)) + kSha256[k] + w[k % 16];
    const unsigned t2 =
        (turned_right(a, 2) ^ turned_right(a, 13) ^ turned_right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  digests[i] = a + 0x6a09e667u;
  digests[count + i] = b + 0xbb67ae85u;
  digests[2 * count + i] = c + 0x3c6ef372u;
  digests[3 * count + i] = d + 0xa54ff53au;
  digests[4 * count + i] = e + 0x510e527fu;
  digests[5 * count + i] = f + 0x9b05688cu;
  digests[6 * count + i] = g + 0x1f83d9abu;
  digests[7 * count + i] = h + 0x5be0cd19u;
}

// AES with a key of 128 bits on blocks of 16 bytes: one table of 256 words in shared memory, whose words are
// turned.
__global__ void aes_encrypt(const uint4* in, uint4* out, const unsigned* table, const unsigned* round_keys,
                            int count) {
  __shared__ unsigned mixes[256], keys[44];
  if (threadIdx.x < 44) keys[threadIdx.x] = round_keys[threadIdx.x];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) mixes[k] = table[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint4 block = in[i];
  unsigned s[4] = {block.x ^ keys[0], block.y ^ keys[1], block.z ^ keys[2], block.w ^ keys[3]};
  for (int round = 1; round < 10; ++round) {
    unsigned t[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      t[k] = mixes[s[k] >> 24] ^ turned_right(mixes[s[(k + 1) % 4] >> 16 & 255], 8) ^
             turned_right(mixes[s[(k + 2) % 4] >> 8 & 255], 16) ^
             turned_right(mixes[s[(k + 3) % 4] & 255], 24) ^ keys[4 * round + k];
#pragma unroll
    for (int k = 0; k < 4; ++k) s[k] = t[k];
  }
  unsigned last[4];
#pragma unroll
  for (int k = 0; k < 4; ++k)
    last[k] = ((mixes[s[k] >> 24] & 0xff00u) << 16 | (mixes[s[(k + 1) % 4] >> 16 & 255] & 0xff00u) << 8 |
               (mixes[s[(k + 2) % 4] >> 8 & 255] & 0xff00u) | (mixes[s[(k + 3) % 4] & 255] >> 8 & 255u)) ^
              keys[40 + k];
  out[i] = make_uint4(last[0], last[1], last[2], last[3]);
}

__device__ inline void quarter_round(unsigned& a, unsigned& b, unsigned& c, unsigned& d) {
  a += b, d = turned_right(d ^ a, 16);
  c += d, b = turned_right(b ^ c, 20);
  a += b, d = turned_right(d ^ a, 24);
  c += d, b = turned_right(b ^ c, 25);
}

// ChaCha20's stream over 64 bytes for each thread.
__global__ void chacha20(const uint4* in, uint4* out, uint4 low_key, uint4 high_key, int blocks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  const unsigned start[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, low_key.x,  low_key.y,
                              low_key.z,   low_key.w,   high_key.x,  high_key.y,  high_key.z, high_key.w,
                              unsigned(i), 0u,          7u,          9u};
  unsigned x[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) x[k] = start[k];
  for (int round = 0; round < 10; ++round) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const uint4 plain = in[4 * i + k];
    out[4 * i + k] =
        make_uint4(plain.x ^ (x[4 * k] + start[4 * k]), plain.y ^ (x[4 * k + 1] + start[4 * k + 1]),
                   plain.z ^ (x[4 * k + 2] + start[4 * k + 2]), plain.w ^ (x[4 * k + 3] + start[4 * k + 3]));
  }
}

__constant__ unsigned long long kKeccak[24] = {
    0x0000000000000001ull, 0x0000000000008082ull, 0x800000000000808aull, 0x8000000080008000ull,
    0x000000000000808bull, 0x0000000080000001ull, 0x8000000080008081ull, 0x8000000000008009ull,
    0x000000000000008aull, 0x0000000000000088ull, 0x0000000080008009ull, 0x000000008000000aull,
    0x000000008000808bull, 0x800000000000008bull, 0x8000000000008089ull, 0x8000000000008003ull,
    0x8000000000008002ull, 0x8000000000000080ull, 0x000000000000800aull, 0x800000008000000aull,
    0x8000000080008081ull, 0x8000000000008080ull, 0x0000000080000001ull, 0x8000000080008008ull};

// Keccak's permutation of 1600 bits for each thread: 24 rounds on 25 words of 64 bits.
__global__ void keccak_permute(const unsigned long long* in, unsigned long long* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int turns[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                         27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
  const int places[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                          15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
  unsigned long long s[25], column[5];
#pragma unroll
  for (int k = 0; k < 25; ++k) s[k] = in[k * count + i];
  for (int round = 0; round < 24; ++round) {
#pragma unroll
    for (int x = 0; x < 5; ++x) column[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
    for (int x = 0; x < 5; ++x) {
      const unsigned long long next = column[(x + 1) % 5],
                               mix = column[(x + 4) % 5] ^ (next << 1 | next >> 63);
#pragma unroll
      for (int y = 0; y < 25; y += 5) s[y + x] ^= mix;
    }
    unsigned long long moved = s[1];
#pragma unroll
    for (int k = 0; k < 24; ++k) {
      const unsigned long long kept = s[places[k]];
      s[places[k]] = moved << turns[k] | moved >> (64 - turns[k]);
      moved = kept;
    }
#pragma unroll
    for (int y = 0; y < 25; y += 5) {
#pragma unroll
      for (int x = 0; x < 5; ++x) column[x] = s[y + x];
#pragma unroll
      for (int x = 0; x < 5; ++x) s[y + x] = column[x] ^ (~column[(x + 1) % 5] & column[(x + 2) % 5]);
    }
    s[0] ^= kKeccak[round];
  }
#pragma unroll
  for (int k = 0; k < 25; ++k) out[k * count + i] = s[k];
}

// Powers by squaring, modulo numbers of 32 bits: remainders of 64 bits, as many as the exponent has bits.
__global__ void mod_powers(const unsigned* bases, const unsigned* exponents, unsigned* out, unsigned modulus,
                           int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long result = 1, base = bases[i] % modulus;
  for (unsigned rest = exponents[i]; rest != 0; rest >>= 1) {
    if (rest & 1) result = result * base % modulus;
    base = base * base % modulus;
  }
  out[i] = unsigned(result);
}

// Products of numbers of 256 bits, eight words of 32 bits each: by hand, with carries of 64 bits.
__global__ void multiply_256(const unsigned* a, const unsigned* b, unsigned* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned x[8], product[16] = {};
#pragma unroll
  for (int k = 0; k < 8; ++k) x[k] = a[8 * i + k];
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    const unsigned long long y = b[8 * i + j];
    unsigned long long carry = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      carry += x[k] * y + product[j + k];
      product[j + k] = unsigned(carry);
      carry >>= 32;
    }
    product[j + 8] = unsigned(carry);
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) out[16 * i + k] = product[k];
}

}  // namespace outside
// SPDX-License-Identifier: MIT
