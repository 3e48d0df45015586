// Sequences of genes, fingerprints of molecules, and text.
#pragma once

#include "fields_common.cuh"

#include <string>

namespace outside {

// Aligns pairs of 128 letters by Needleman and Wunsch: a block goes through the diagonals of the table.
namespace nw_antidiagonal {

const int PAIRS = 1056, L = 128;

__global__ void nw_antidiagonal(const uint8_t* __restrict__ a, const uint8_t* __restrict__ b,
                                int* __restrict__ score) {
  __shared__ int diag[3][L + 1];
  __shared__ uint8_t sb[L];
  int t = threadIdx.x;
  uint8_t ca = a[blockIdx.x * L + t];
  sb[t] = b[blockIdx.x * L + t];
  __syncthreads();
  // diag[.][i]: cell (i, d - i); thread t owns row t + 1
  for (int d = 0; d <= 2 * L; ++d) {
    int *now = diag[d % 3], *one = diag[(d + 2) % 3], *two = diag[(d + 1) % 3];
    int i = t + 1, j = d - i;
    if (t == 0 && d <= L) now[0] = -2 * d;
    if (j == 0) now[i] = -2 * i;
    if (j >= 1 && j <= L) {
      int m = two[i - 1] + (ca == sb[j - 1] ? 1 : -1);
      now[i] = max(m, max(one[i - 1], one[i]) - 2);
    }
    __syncthreads();
  }
  if (t == L - 1) score[blockIdx.x] = diag[(2 * L) % 3][L];
}

inline void add_row() {
  std::vector<uint8_t> ha = host_u8(size_t(PAIRS) * L, 47);
  std::vector<uint8_t> hb = host_u8(size_t(PAIRS) * L, 48);
  for (size_t i = 0; i < ha.size(); ++i) hb[i] = hb[i] < 90 ? hb[i] & 3 : ha[i] & 3, ha[i] &= 3;
  const Array<uint8_t> da(ha);
  const Array<uint8_t> db(hb);
  const Array<int> out(PAIRS);
  row("nw_antidiagonal", [&] { nw_antidiagonal<<<PAIRS, L>>>(da, db, out); });
}

}  // namespace nw_antidiagonal

// Counts the words of nine letters in a sequence: an atomic addition in global memory for each.
namespace kmer_count_2bit {

const int N = 1 << 21, K = 9, PER = 4;

__global__ void kmer_count_2bit(const uint8_t* __restrict__ s, uint32_t* __restrict__ table, int n) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
  uint32_t code = 0;
  for (int i = 0; i < K + PER - 1; ++i) {
    if (base + i >= n) return;
    uint8_t c = s[base + i];
    code = (code << 2 | ((c >> 1) & 3)) & ((1u << (2 * K)) - 1);
    if (i >= K - 1) atomicAdd(&table[code], 1u);
  }
}

inline void add_row() {
  std::vector<uint8_t> h = host_u8(N, 49);
  for (auto& v : h) v = uint8_t("ACGT"[v & 3]);
  const Array<uint8_t> in(h);
  const Array<uint32_t> table(size_t(1) << (2 * K));
  row("kmer_count_2bit", [&] { kmer_count_2bit<<<N / PER / 256, 256>>>(in, table, N); });
}

}  // namespace kmer_count_2bit

// Aligns a query of 24 letters with others by Smith and Waterman: a thread keeps a row of the table.
namespace sw_local_row {

const int N = 12288, Q = 24, T = 48;

__device__ __forceinline__ int align(const uint8_t* q, const uint8_t* t, int stride) {
  int row[Q + 1], best = 0;
#pragma unroll
  for (int j = 0; j <= Q; ++j) row[j] = 0;
  for (int i = 0; i < T; ++i) {
    int c = t[i * stride], diag = 0;
#pragma unroll
    for (int j = 1; j <= Q; ++j) {
      int m = diag + (q[j - 1] == c ? 3 : -2);
      diag = row[j];
      int g = (row[j - 1] > row[j] ? row[j - 1] : row[j]) - 2;
      m = m > g ? m : g;
      m = m > 0 ? m : 0;
      row[j] = m;
      best = best > m ? best : m;
    }
  }
  return best;
}

__global__ void sw_local_row(const uint8_t* __restrict__ q, const uint8_t* __restrict__ t,
                             int* __restrict__ o) {
  __shared__ uint8_t sq[Q];
  if (threadIdx.x < Q) sq[threadIdx.x] = q[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = align(sq, t + i, N);
}

inline void add_row() {
  std::vector<uint8_t> h = host_u8(size_t(N) * T, 50);
  std::vector<uint8_t> hq = host_u8(Q, 51);
  for (auto& v : h) v &= 3;
  for (auto& v : hq) v &= 3;
  const Array<uint8_t> in(h);
  const Array<uint8_t> dq(hq);
  const Array<int> out(N);
  row("sw_local_row", [&] { sw_local_row<<<N / 64, 64>>>(dq, in, out); });
}

}  // namespace sw_local_row

// Searches words in an index of a genome, a step for each letter. An entry has two planes of bits in x and y,
// and a count in z.
namespace fm_backward_search {

const int WORDS = 1 << 18, N = 65536, LEN = 20;

__device__ __forceinline__ int pop(uint32_t v) { return __popc(v); }

__device__ __forceinline__ uint32_t rank(const uint4* o, uint32_t c, uint32_t i) {
  uint4 w = o[i >> 5];
  uint32_t m = (c & 1 ? w.x : ~w.x) & (c & 2 ? w.y : ~w.y) & ((1u << (i & 31)) - 1);
  return (w.z + c * 2654435761u + pop(m)) & (WORDS * 32 - 1);
}

__device__ __forceinline__ uint2 find(const uint4* o, uint64_t p) {
  uint32_t lo = 0, hi = WORDS * 32 - 1;
  for (int k = 0; k < LEN; ++k, p >>= 2) {
    lo = rank(o, uint32_t(p & 3), lo);
    hi = rank(o, uint32_t(p & 3), hi);
  }
  return make_uint2(lo, hi);
}

__global__ void fm_backward_search(const uint4* __restrict__ o, const uint64_t* __restrict__ p,
                                   uint2* __restrict__ d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[i] = find(o, p[i]);
}

inline void add_row() {
  std::vector<uint4> h(WORDS);
  std::vector<uint64_t> hp(N);
  Rng r(52);
  for (auto& v : h) v = make_uint4(r.next(), r.next(), r.next(), 0);
  for (auto& v : hp) v = uint64_t(r.next()) << 32 | r.next();
  const Array<uint4> occ(h);
  const Array<uint64_t> pat(hp);
  const Array<uint2> out(N);
  row("fm_backward_search", [&] { fm_backward_search<<<N / 128, 128>>>(occ, pat, out); });
}

}  // namespace fm_backward_search

// How alike two fingerprints of 512 bits are, for all pairs: tiles in shared memory.
namespace tanimoto_pairs {

const int N = 1536;

__device__ __forceinline__ int pop64(uint64_t v) { return __popcll(v); }

__device__ __forceinline__ float sim(const uint64_t* a, const uint64_t* b) {
  int both = 0, any = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) both += pop64(a[k] & b[k]), any += pop64(a[k] | b[k]);
  return float(both) / float(any);
}

__global__ void tanimoto_pairs(const uint64_t* __restrict__ fp, float* __restrict__ o) {
  __shared__ uint64_t sa[16][8], sb[16][9];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  if (t < 128) sa[t / 8][t % 8] = fp[(blockIdx.y * 16 + t / 8) * 8 + t % 8];
  else sb[(t - 128) / 8][t % 8] = fp[(blockIdx.x * 16 + (t - 128) / 8) * 8 + t % 8];
  __syncthreads();
  o[(blockIdx.y * 16 + ty) * N + blockIdx.x * 16 + tx] = sim(sa[ty], sb[tx]);
}

inline void add_row() {
  std::vector<uint64_t> h(size_t(N) * 8);
  Rng r(53);
  for (auto& v : h) v = (uint64_t(r.next()) << 32 | r.next()) & (uint64_t(r.next()) << 32 | r.next());
  const Array<uint64_t> fp(h);
  const Array<float> out(size_t(N) * N);
  row("tanimoto_pairs", [&] { tanimoto_pairs<<<dim3(N / 16, N / 16), dim3(16, 16)>>>(fp, out); });
}

}  // namespace tanimoto_pairs

// Distances between texts by Myers' method: a column of 64 cells is a word of 64 bits.
namespace myers_edit_distance {

const int N = 40960, T = 64;

__device__ __forceinline__ int dist(const uint64_t* peq, const uint8_t* t, int stride) {
  uint64_t pv = ~0ull, mv = 0;
  int score = 64;
  for (int i = 0; i < T; ++i) {
    uint64_t eq = peq[t[size_t(i) * stride]], xv = eq | mv, xh = (((eq & pv) + pv) ^ pv) | eq;
    uint64_t ph = mv | ~(xh | pv), mh = pv & xh;
    score += int(ph >> 63) - int(mh >> 63);
    ph = ph << 1 | 1, mh <<= 1;
    pv = mh | ~(xv | ph), mv = ph & xv;
  }
  return score;
}

__global__ void myers_edit_distance(const uint64_t* __restrict__ peq, const uint8_t* __restrict__ t,
                                    int* __restrict__ o) {
  __shared__ uint64_t sp[32];
  if (threadIdx.x < 32) sp[threadIdx.x] = peq[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = dist(sp, t + i, N);
}

inline void add_row() {
  std::vector<uint8_t> h = host_u8(size_t(N) * T, 54);
  for (auto& v : h) v &= 31;
  std::vector<uint64_t> peq(32, 0);
  Rng r(55);
  for (int i = 0; i < 64; ++i) peq[r.below(32)] |= 1ull << i;
  const Array<uint8_t> in(h);
  const Array<uint64_t> dp(peq);
  const Array<int> out(N);
  row("myers_edit_distance", [&] { myers_edit_distance<<<N / 256, 256>>>(dp, in, out); });
}

}  // namespace myers_edit_distance

// Reads decimal numbers of different lengths: a thread takes a number.
namespace parse_decimal_fields {

const int N = 400000;

__global__ void parse_decimal_fields(const char* __restrict__ t, const int* __restrict__ off,
                                     int* __restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const char* p = t + off[i];
  bool neg = *p == '-';
  if (neg) ++p;
  int v = 0;
  while (*p >= '0' && *p <= '9') v = v * 10 + (*p++ - '0');
  o[i] = neg ? -v : v;
}

inline void add_row() {
  std::vector<char> text;
  std::vector<int> off;
  std::vector<int> val;
  Rng r(56);
  for (int i = 0; i < N; ++i) {
    int v = int(r.next() >> (4 + r.below(26))) * (r.below(2) ? 1 : -1);
    off.push_back(int(text.size())), val.push_back(v);
    for (char c : std::to_string(v)) text.push_back(c);
    text.push_back(',');
  }
  const Array<char> dt(text);
  const Array<int> doff(off);
  const Array<int> out(N);
  row("parse_decimal_fields", [&] { parse_decimal_fields<<<(N + 191) / 192, 192>>>(dt, doff, out, N); });
}

}  // namespace parse_decimal_fields

// Counts characters of UTF-8 by the bytes that begin one; each warp ends with an atomic addition.
namespace utf8_count_points {

const int N = 96 << 20;

__global__ void utf8_count_points(const uint4* __restrict__ s, unsigned long long* __restrict__ o, int n) {
  int c = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint4 v = s[i];
    c += 16 - __popc(v.x & 0x80808080u & ~(v.x << 1)) - __popc(v.y & 0x80808080u & ~(v.y << 1)) -
         __popc(v.z & 0x80808080u & ~(v.z << 1)) - __popc(v.w & 0x80808080u & ~(v.w << 1));
  }
  c = __reduce_add_sync(0xffffffffu, c);
  if ((threadIdx.x & 31) == 0) atomicAdd(o, (unsigned long long)c);
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(N / 4, 57));
  const Array<unsigned long long> out(1);
  row("utf8_count_points", [&] { utf8_count_points<<<132 * 2, 1024>>>(as<uint4>(in), out, N / 16); });
}

}  // namespace utf8_count_points

inline void field_sequence_rows() {
  nw_antidiagonal::add_row();
  kmer_count_2bit::add_row();
  sw_local_row::add_row();
  fm_backward_search::add_row();
  tanimoto_pairs::add_row();
  myers_edit_distance::add_row();
  parse_decimal_fields::add_row();
  utf8_count_points::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
