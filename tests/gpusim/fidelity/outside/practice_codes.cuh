// Codes, check sums, ciphers, guesses and searches among places on a board.
#pragma once

#include "inputs.cuh"

namespace outside {

__constant__ char kBase64Letters[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Three bytes become four letters; the lanes look their letters up at different places of constant memory.
__global__ void base64_encode(const unsigned char* in, char* out, int triples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= triples) return;
  const unsigned bits = unsigned(in[3 * i]) << 16 | unsigned(in[3 * i + 1]) << 8 | unsigned(in[3 * i + 2]);
  out[4 * i] = kBase64Letters[bits >> 18];
  out[4 * i + 1] = kBase64Letters[bits >> 12 & 63];
  out[4 * i + 2] = kBase64Letters[bits >> 6 & 63];
  out[4 * i + 3] = kBase64Letters[bits & 63];
}

// CRC-32 of a piece of the bytes for each thread. The block's 256 threads make the table, one entry each.
__global__ void crc32_of_pieces(const unsigned char* in, unsigned* out, int length) {
  __shared__ unsigned table[256];
  unsigned entry = threadIdx.x;
  for (int k = 0; k < 8; ++k) entry = entry & 1 ? entry >> 1 ^ 0xedb88320u : entry >> 1;
  table[threadIdx.x] = entry;
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  const unsigned char* const piece = in + std::size_t(i) * length;
  unsigned crc = 0xffffffffu;
  for (int k = 0; k < length; ++k) crc = table[(crc ^ piece[k]) & 255] ^ crc >> 8;
  out[i] = ~crc;
}

// Looks keys up in a hash table: starts at a place that the key tells, and goes on to the key or a gap.
__global__ void look_up(const unsigned* table, const unsigned* values, const unsigned* keys, unsigned* out,
                        int queries, int bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries) return;
  const unsigned key = keys[i], last = (1u << bits) - 1;
  unsigned place = key * 2654435761u >> (32 - bits);
  while (table[place] != key && table[place] != 0) place = (place + 1) & last;
  out[i] = table[place] == key ? values[place] : 0;
}

// XTEA on blocks of 64 bits, a thread each.
__global__ void xtea_encipher(const uint2* in, uint2* out, uint4 key, int blocks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks) return;
  const unsigned keys[4] = {key.x, key.y, key.z, key.w};
  unsigned a = in[i].x, b = in[i].y, sum = 0;
#pragma unroll
  for (int round = 0; round < 32; ++round) {
    a += ((b << 4 ^ b >> 5) + b) ^ (sum + keys[sum & 3]);
    sum += 0x9e3779b9u;
    b += ((a << 4 ^ a >> 5) + a) ^ (sum + keys[sum >> 11 & 3]);
  }
  out[i] = make_uint2(a, b);
}

// Guesses a word of five letters by the hash of the word said twice: a thread tries each word, and the first
// that fits is kept.
__global__ void guess_word(unsigned wanted_hash, unsigned* first, unsigned words) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  unsigned hash = 2166136261u;
  for (int again = 0; again < 2; ++again) {
    unsigned rest = i;
    for (int k = 0; k < 5; ++k) {
      hash = (hash ^ (97 + rest % 26)) * 16777619u;
      rest /= 26;
    }
  }
  if (hash == wanted_hash) atomicMin(first, i);
}

// Ways to place n queens: each thread has the first three lines given, and tries the others with arrays of
// its own.
__global__ void place_queens(unsigned* ways, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, all = (1u << n) - 1;
  if (i >= unsigned(n * n * n)) return;
  unsigned columns[16], left[16], right[16], free[16], c = 0, l = 0, r = 0, rest = i, found = 0;
  bool can_stand = true;
  for (int k = 0; k < 3; ++k, rest /= n) {
    const unsigned queen = 1u << rest % n;
    can_stand = can_stand && ((c | l | r) & queen) == 0;
    c |= queen, l = (l | queen) << 1, r = (r | queen) >> 1;
  }
  int depth = can_stand ? 0 : -1;
  columns[0] = c, left[0] = l, right[0] = r, free[0] = all & ~(c | l | r);
  while (depth >= 0) {
    const unsigned queen = free[depth] & (0u - free[depth]);
    if (queen == 0) {
      --depth;
      continue;
    }
    free[depth] ^= queen;
    c = columns[depth] | queen, l = (left[depth] | queen) << 1, r = (right[depth] | queen) >> 1;
    if (c == all) {
      ++found;
      continue;
    }
    ++depth;
    columns[depth] = c, left[depth] = l, right[depth] = r, free[depth] = all & ~(c | l | r);
  }
  ways[i] = found;
}

// Counts primes in the block's 32768 odd numbers: the threads strike out multiples, few of them far more
// than others.
__global__ void sieve(const unsigned* primes, int count, unsigned* found) {
  __shared__ unsigned char is_struck[32768];
  __shared__ unsigned total;
  const unsigned low = 1 + blockIdx.x * 65536;
  for (unsigned k = threadIdx.x; k < 32768; k += blockDim.x) is_struck[k] = low + 2 * k == 1;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += blockDim.x) {
    const unsigned p = primes[k];
    unsigned multiple = (low + p - 1) / p * p;
    if (multiple % 2 == 0) multiple += p;
    multiple = max(multiple, p * p);
    for (unsigned place = (multiple - low) / 2; place < 32768; place += p) is_struck[place] = 1;
  }
  __syncthreads();
  unsigned own = 0;
  for (unsigned k = threadIdx.x; k < 32768; k += blockDim.x) own += is_struck[k] == 0;
  atomicAdd(&total, own);
  __syncthreads();
  if (threadIdx.x == 0) found[blockIdx.x] = total;
}

inline void base64_row() {
  constexpr int kTriples = 1 << 23;
  const Filled<unsigned char> in(3 * kTriples, scrambled);
  const Filled<char> out(4 * kTriples);
  row("base64_encode", [&] { base64_encode<<<kTriples / 256, 256>>>(in, out, kTriples); });
}

inline void crc32_rows() {
  constexpr int kLength = 512, kPieces = 131072, kFewPieces = 8192;
  const Filled<unsigned char> in(std::size_t(kPieces) * kLength, scrambled);
  const Filled<unsigned> out(kPieces);
  row("crc32_of_pieces few", [&] { crc32_of_pieces<<<kFewPieces / 256, 256>>>(in, out, kLength); });
  row("crc32_of_pieces many", [&] { crc32_of_pieces<<<kPieces / 256, 256>>>(in, out, kLength); });
}

// A key that is not 0, which marks a gap.
inline unsigned key_number(std::size_t k) { return scrambled(k) | 1u; }

inline void look_up_row(const char* name, int bits, int queries) {
  const std::size_t places = std::size_t(1) << bits;
  std::vector<unsigned> entries(places, 0u);
  for (std::size_t k = 0; k < places / 2; ++k) {
    std::size_t place = key_number(k) * 2654435761u >> (32 - bits);
    while (entries[place] != 0) place = (place + 1) % places;
    entries[place] = key_number(k);
  }
  const Filled<unsigned> table(places, [&](std::size_t k) { return entries[k]; }), values(places, scrambled);
  const auto query = [&](std::size_t k) { return key_number(scrambled(k + places) % places); };
  const Filled<unsigned> keys(queries, query), out(queries);
  row(name, [&] { look_up<<<blocks_over(queries, 256), 256>>>(table, values, keys, out, queries, bits); });
}

inline void sieve_row() {
  const Filled<unsigned> found(512);
  std::vector<unsigned> odd_primes;
  for (unsigned n = 3; n < 8192; n += 2) {
    bool is_prime = true;
    for (unsigned d = 3; d * d <= n && is_prime; d += 2) is_prime = n % d != 0;
    if (is_prime) odd_primes.push_back(n);
  }
  const int count = int(odd_primes.size());
  const Filled<unsigned> primes(odd_primes.size(), [&](std::size_t k) { return odd_primes[k]; });
  row("sieve", [&] { sieve<<<512, 256>>>(primes, count, found); });
}

inline void code_rows() {
  base64_row();
  crc32_rows();
  look_up_row("look_up 2^17 of 2^18", 18, 1 << 17);
  look_up_row("look_up 2^21 of 2^22", 22, 1 << 21);
  sieve_row();
  {
    constexpr int kBlocks = 1 << 22;
    const auto block_at = [](std::size_t k) { return make_uint2(scrambled(2 * k), scrambled(2 * k + 1)); };
    const Filled<uint2> in(kBlocks, block_at), out(kBlocks);
    const uint4 key = make_uint4(0x01234567u, 0x89abcdefu, 0xfedcba98u, 0x76543210u);
    row("xtea_encipher", [&] { xtea_encipher<<<kBlocks / 256, 256>>>(in, out, key, kBlocks); });
  }
  {
    constexpr unsigned kWords = 26 * 26 * 26 * 26 * 26;
    const Filled<unsigned> first(1, [](std::size_t) { return 0xffffffffu; });
    row("guess_word", [&] { guess_word<<<blocks_over(kWords, 256), 256>>>(0x3a5c1e77u, first, kWords); });
  }
  {
    const Filled<unsigned> ways(12 * 12 * 12);
    row("place_queens", [&] { place_queens<<<27, 64>>>(ways, 12); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
