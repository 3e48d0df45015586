// Counts, flags, windows, orders and distances of whole numbers and letters.
#pragma once

#include "inputs.cuh"

namespace outside {

// Marks where a run of equal numbers begins: 32 marks in a word, by a vote of the warp.
__global__ void mark_runs(const int* in, unsigned* marks) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool is_first = i == 0 || in[i] != in[i - 1];
  const unsigned word = __ballot_sync(0xffffffffu, is_first);
  if (threadIdx.x % 32 == 0) marks[i / 32] = word;
}

// A pass of a radix sort: each block counts a digit of eight bits in its 4096 keys, in shared memory.
__global__ void count_radix(const unsigned* keys, unsigned* counts, int shift) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  const unsigned* const from = keys + std::size_t(blockIdx.x) * 4096;
  for (int k = threadIdx.x; k < 4096; k += 256) atomicAdd(own + (from[k] >> shift & 255u), 1u);
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = own[threadIdx.x];
}

__device__ inline int bits_apart(uint4 a, uint4 b) {
  return __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) + __popc(a.w ^ b.w);
}

// Hamming distances between all pairs of codes of 256 bits.
__global__ void hamming_distances(const uint4* a, const uint4* b, int* out, int codes) {
  const int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  out[i * codes + j] = bits_apart(a[2 * i], b[2 * j]) + bits_apart(a[2 * i + 1], b[2 * j + 1]);
}

// One thing more for a knapsack: the best worth for each weight, with it or without.
__global__ void knapsack_step(const int* in, int* out, int count, int weight, int worth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int best = in[i];
  if (i >= weight) best = max(best, in[i - weight] + worth);
  out[i] = best;
}

__device__ inline bool is_letter(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Counts the words that begin among the block's letters: a byte for each thread.
__global__ void count_words(const unsigned char* text, int* counts) {
  __shared__ int count;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  const bool begins = is_letter(text[i]) && (i == 0 || !is_letter(text[i - 1]));
  const unsigned votes = __ballot_sync(0xffffffffu, begins);
  if (threadIdx.x % 32 == 0) atomicAdd(&count, __popc(votes));
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// The largest of each number and those before it in a window, read from global memory one after another.
__global__ void sliding_max(const int* in, int* out, int window) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int most = in[i];
  for (int k = 1; k < window; ++k) most = max(most, in[max(i - k, 0)]);
  out[i] = most;
}

// Reverses an array in place: each thread exchanges two.
__global__ void reverse_in_place(float* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count / 2) return;
  const float first = values[i], last = values[count - 1 - i];
  values[i] = last;
  values[count - 1 - i] = first;
}

// How many edits make one word another: a pair of words per thread, whose row of the table is an array of
// its own.
__global__ void edit_distance(const unsigned char* first, const unsigned char* second, int* out, int pairs,
                              int length) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= pairs) return;
  int line[65];
  for (int j = 0; j <= length; ++j) line[j] = j;
  for (int i = 1; i <= length; ++i) {
    const unsigned char letter = first[(i - 1) * pairs + p];
    int diagonal = line[0];
    line[0] = i;
    for (int j = 1; j <= length; ++j) {
      const int above = line[j];
      const int other = diagonal + (letter != second[(j - 1) * pairs + p] ? 1 : 0);
      line[j] = min(min(above, line[j - 1]) + 1, other);
      diagonal = above;
    }
  }
  out[p] = line[length];
}

// Sorts 1024 numbers by exchanging neighbours, odd and even pairs in turn: a block with a barrier in each
// step.
__global__ void sort_odd_even(const int* in, int* out) {
  __shared__ int values[1024];
  const int first = blockIdx.x * 1024, thread = threadIdx.x;
  values[thread] = in[first + thread];
  values[thread + 512] = in[first + thread + 512];
  for (int step = 0; step < 1024; ++step) {
    __syncthreads();
    const int left = 2 * thread + step % 2;
    if (left + 1 < 1024 && values[left] > values[left + 1]) {
      const int kept = values[left];
      values[left] = values[left + 1];
      values[left + 1] = kept;
    }
  }
  __syncthreads();
  out[first + thread] = values[thread];
  out[first + thread + 512] = values[thread + 512];
}

inline void mark_runs_row() {
  constexpr int kCount = 1 << 24;
  const Filled<int> in(kCount, [](std::size_t k) { return scrambled(k / 5) % 4; });
  const Filled<unsigned> marks(kCount / 32);
  row("mark_runs", [&] { mark_runs<<<kCount / 256, 256>>>(in, marks); });
}

inline void count_radix_row() {
  constexpr int kKeys = 1 << 22;
  const Filled<unsigned> keys(kKeys, scrambled), counts(kKeys / 16);
  row("count_radix", [&] { count_radix<<<kKeys / 4096, 256>>>(keys, counts, 8); });
}

inline void hamming_row(int codes) {
  const auto code = [](std::size_t k) {
    return make_uint4(scrambled(4 * k), scrambled(4 * k + 1), scrambled(4 * k + 2), scrambled(4 * k + 3));
  };
  const Filled<uint4> a(std::size_t(2) * codes, code);
  const Filled<uint4> b(std::size_t(2) * codes, [&](std::size_t k) { return code(k + 1000000); });
  const Filled<int> out(std::size_t(codes) * codes);
  const dim3 blocks(codes / 16, codes / 16), threads(16, 16);
  row("hamming_distances " + std::to_string(codes),
      [&] { hamming_distances<<<blocks, threads>>>(a, b, out, codes); });
}

inline void edit_distance_row() {
  constexpr int kPairs = 65536, kLength = 32;
  const auto letter = [](std::size_t k) { return 'a' + scrambled(k) % 4; };
  const Filled<unsigned char> first(kPairs * kLength, letter);
  const Filled<unsigned char> second(kPairs * kLength, [&](std::size_t k) { return letter(k + k % 3); });
  const Filled<int> out(kPairs);
  row("edit_distance", [&] { edit_distance<<<kPairs / 128, 128>>>(first, second, out, kPairs, kLength); });
}

inline void reverse_row(const char* name, int count) {
  const Filled<float> values(count, fraction);
  row(name, [&] { reverse_in_place<<<blocks_over(count / 2, 256), 256>>>(values, count); });
}

inline void integer_rows() {
  mark_runs_row();
  count_radix_row();
  hamming_row(512);
  hamming_row(4096);
  edit_distance_row();
  reverse_row("reverse 2^18", 1 << 18);
  reverse_row("reverse 2^26", 1 << 26);
  {
    constexpr int kWeights = 1 << 20;
    const Filled<int> in(kWeights, [](std::size_t k) { return scrambled(k) % 1000; }), out(kWeights);
    row("knapsack_step", [&] { knapsack_step<<<kWeights / 256, 256>>>(in, out, kWeights, 777, 50); });
  }
  {
    constexpr int kLetters = 1 << 21;
    const auto letter = [](std::size_t k) { return scrambled(k) % 6 == 0 ? ' ' : 'a' + scrambled(k) % 26; };
    const Filled<unsigned char> text(kLetters, letter);
    const Filled<int> counts(kLetters / 256);
    row("count_words", [&] { count_words<<<kLetters / 256, 256>>>(text, counts); });
  }
  {
    constexpr int kCount = 1 << 22;
    const Filled<int> in(kCount, [](std::size_t k) { return scrambled(k) % 100000; }), out(kCount);
    row("sliding_max", [&] { sliding_max<<<kCount / 256, 256>>>(in, out, 64); });
  }
  {
    constexpr int kBlocks = 1024;
    const Filled<int> in(kBlocks * 1024, [](std::size_t k) { return scrambled(k) % 100000; });
    const Filled<int> out(kBlocks * 1024);
    row("sort_odd_even", [&] { sort_odd_even<<<kBlocks, 512>>>(in, out); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
