// Compression: packing numbers in few bits, and unpacking them.
#pragma once

#include "fields_common.cuh"

namespace outside {

// Finds the runs of equal bytes, their values and ends: a block takes a tile, a thread four bytes.
namespace rle_encode_tiles {

const int TILE = 1024, TILES = 4096;

__global__ void rle_encode_tiles(const uint8_t* __restrict__ in, uint8_t* __restrict__ vals,
                                 uint16_t* __restrict__ ends, int* __restrict__ counts) {
  __shared__ int part[8];
  __shared__ uint8_t first[257];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  uchar4 v = reinterpret_cast<const uchar4*>(in + size_t(blockIdx.x) * TILE)[t];
  first[t] = v.x;
  __syncthreads();
  bool e0 = v.x != v.y, e1 = v.y != v.z, e2 = v.z != v.w, e3 = t == 255 || v.w != first[t + 1];
  int n = e0 + e1 + e2 + e3, inc = n;
  for (int o = 1; o < 32; o *= 2) {
    int u = __shfl_up_sync(0xffffffffu, inc, o);
    if (lane >= o) inc += u;
  }
  if (lane == 31) part[w] = inc;
  __syncthreads();
  int p = inc - n, all = 0;
  for (int i = 0; i < 8; ++i) {
    if (i < w) p += part[i];
    all += part[i];
  }
  size_t b = size_t(blockIdx.x) * TILE;
  if (e0) vals[b + p] = v.x, ends[b + p++] = uint16_t(4 * t + 1);
  if (e1) vals[b + p] = v.y, ends[b + p++] = uint16_t(4 * t + 2);
  if (e2) vals[b + p] = v.z, ends[b + p++] = uint16_t(4 * t + 3);
  if (e3) vals[b + p] = v.w, ends[b + p++] = uint16_t(4 * t + 4);
  if (t == 0) counts[blockIdx.x] = all;
}

inline void add_row() {
  std::vector<uint8_t> h(size_t(TILE) * TILES);
  Rng r(66);
  uint8_t v = 0;
  for (auto& x : h) {
    if (r.below(6) == 0) v = uint8_t(r.below(256));
    x = v;
  }
  const Array<uint8_t> in(h);
  const Array<uint8_t> vals(h.size());
  const Array<uint16_t> ends(h.size());
  const Array<int> counts(TILES);
  row("rle_encode_tiles", [&] { rle_encode_tiles<<<TILES, 256>>>(in, vals, ends, counts); });
}

}  // namespace rle_encode_tiles

// Adds up differences of a byte each: a block takes a tile, a thread two of them.
namespace delta_decode_i64 {

const int TILE = 2048, TILES = 2048;

__global__ void delta_decode_i64(const signed char* __restrict__ in, const long long* __restrict__ base,
                                 long long* __restrict__ o) {
  __shared__ int part[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  char2 v = reinterpret_cast<const char2*>(in + size_t(blockIdx.x) * TILE)[t];
  int n = v.x + v.y, inc = n;
#pragma unroll
  for (int k = 1; k < 32; k *= 2) {
    int u = __shfl_up_sync(0xffffffffu, inc, k);
    if (lane >= k) inc += u;
  }
  if (lane == 31) part[w] = inc;
  __syncthreads();
  if (w == 0) {
    int x = part[lane];
#pragma unroll
    for (int k = 1; k < 32; k *= 2) {
      int u = __shfl_up_sync(0xffffffffu, x, k);
      if (lane >= k) x += u;
    }
    part[lane] = x;
  }
  __syncthreads();
  long long b = base[blockIdx.x] + inc - n + (w ? part[w - 1] : 0);
  longlong2 r;
  r.x = b + v.x, r.y = b + n;
  reinterpret_cast<longlong2*>(o + size_t(blockIdx.x) * TILE)[t] = r;
}

inline void add_row() {
  auto u = host_u8(size_t(TILE) * TILES, 67);
  std::vector<signed char> h(u.begin(), u.end());
  std::vector<long long> hb;
  for (int i = 0; i < TILES; ++i) hb.push_back(1234567890123ll * i);
  const Array<signed char> in(h);
  const Array<long long> base(hb);
  const Array<long long> out(h.size());
  row("delta_decode_i64", [&] { delta_decode_i64<<<TILES, 1024>>>(in, base, out); });
}

}  // namespace delta_decode_i64

// Unpacks numbers of eleven bits, two for each thread.
namespace bitunpack11 {

const int N = 24 << 20;

__device__ __forceinline__ uint32_t get(const uint32_t* s, uint32_t i) {
  uint32_t b = i * 11, w = b >> 5, o = b & 31;
  uint64_t v = s[w] | uint64_t(s[w + 1]) << 32;
  return uint32_t(v >> o) & 2047;
}

__global__ void bitunpack11(const uint32_t* __restrict__ s, ushort2* __restrict__ d) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = make_ushort2((unsigned short)get(s, 2 * i), (unsigned short)get(s, 2 * i + 1));
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(size_t(N) / 32 * 11 + 2, 68));
  const Array<uint16_t> out(N);
  row("bitunpack11", [&] { bitunpack11<<<N / 2 / 256, 256>>>(in, as<ushort2>(out)); });
}

}  // namespace bitunpack11

// Sorts the bits of numbers by their place: a vote of the warp for each of twelve.
namespace bitplane_ballot {

const int N = 16 << 20;

__global__ void bitplane_ballot(const uint32_t* __restrict__ s, uint32_t* __restrict__ d) {
  uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, v = s[i], mine = 0;
#pragma unroll
  for (int b = 0; b < 12; ++b) {
    uint32_t m = __ballot_sync(0xffffffffu, v >> b & 1);
    if ((i & 31) == uint32_t(b)) mine = m;
  }
  if ((i & 31) < 12) d[(i >> 5) * 12 + (i & 31)] = mine;
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(N, 69));
  const Array<uint32_t> out(N / 32 * 12);
  row("bitplane_ballot", [&] { bitplane_ballot<<<N / 128, 128>>>(in, out); });
}

}  // namespace bitplane_ballot

// Finds the longest match in the last 96 bytes: the lanes of a warp search for different times.
namespace lz_match_window {

const int N = 1 << 17, WIN = 96, MAXL = 16;

__device__ __forceinline__ uint32_t best(const uint8_t* s, int back) {
  int bl = 0, bo = 0;
  for (int o = 1; o <= back; ++o) {
    if (s[bl] != s[bl - o]) continue;
    int l = 0;
    while (l < MAXL && s[l] == s[l - o]) ++l;
    if (l > bl) bl = l, bo = o;
    if (bl == MAXL) break;
  }
  return uint32_t(bl << 8 | bo);
}

__global__ void lz_match_window(const uint8_t* __restrict__ s, uint16_t* __restrict__ d) {
  __shared__ uint8_t buf[WIN + 256 + MAXL + 1];
  int b = blockIdx.x * 256, t = threadIdx.x;
  for (int k = t; k < WIN + 256 + MAXL + 1; k += 256) {
    int g = b + k - WIN;
    buf[k] = g >= 0 && g < N ? s[g] : 0;
  }
  __syncthreads();
  d[b + t] = uint16_t(best(buf + WIN + t, min(WIN, b + t)));
}

inline void add_row() {
  std::vector<uint8_t> h = host_u8(N + WIN + MAXL + 1, 70);
  Rng r(71);
  for (auto& v : h) v = uint8_t(r.below(8) < 5 ? r.below(2) : r.below(12));
  for (size_t i = N; i < h.size(); ++i) h[i] = 0;
  const Array<uint8_t> in(h);
  const Array<uint16_t> out(N);
  row("lz_match_window", [&] { lz_match_window<<<N / 256, 256>>>(in, out); });
}

}  // namespace lz_match_window

// Decodes a chunk of a Huffman code in each thread. An entry of the table is length << 8 | symbol.
namespace huffman_decode_chunks {

const int CHUNKS = 8448, WORDS = 24, SYM = 96;

__global__ void huffman_decode_chunks(const uint32_t* __restrict__ s, const uint16_t* __restrict__ tab,
                                      uint8_t* __restrict__ d) {
  __shared__ uint16_t t[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) t[i] = tab[i];
  __syncthreads();
  int c = blockIdx.x * blockDim.x + threadIdx.x, left = 32, w = 2;
  const uint32_t* p = s + c * WORDS;
  uint64_t bits = p[0] | uint64_t(p[1]) << 32;
  left = 64;
  for (int k = 0; k < SYM; ++k) {
    uint32_t e = t[bits & 255];
    d[c * SYM + k] = uint8_t(e & 255);
    bits >>= e >> 8, left -= int(e >> 8);
    if (left <= 32) bits |= uint64_t(p[w++]) << left, left += 32;
  }
}

inline void add_row() {
  std::vector<uint16_t> tab(256);
  for (int i = 0; i < 256; ++i) {
    int l = 1;
    while (l < 8 && (i >> (l - 1) & 1)) ++l;  // unary prefix, then rest
    int len = l < 7 ? l + 1 : 8;
    tab[i] = uint16_t(len << 8 | (i & ((1 << len) - 1)));
  }
  const Array<uint32_t> in(host_u32(size_t(CHUNKS) * WORDS + 8, 72));
  const Array<uint16_t> dt(tab);
  const Array<uint8_t> out(size_t(CHUNKS) * SYM);
  row("huffman_decode_chunks", [&] { huffman_decode_chunks<<<CHUNKS / 64, 64>>>(in, dt, out); });
}

}  // namespace huffman_decode_chunks

inline void field_code_rows() {
  rle_encode_tiles::add_row();
  delta_decode_i64::add_row();
  bitunpack11::add_row();
  bitplane_ballot::add_row();
  lz_match_window::add_row();
  huffman_decode_chunks::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
