// Sequences of letters: alignments, automata, counts of words of given length, hashes, and matches.
#pragma once

#include "homework_common.cuh"

namespace outside {

// One diagonal of 16 x 16 tiles of Needleman and Wunsch's table: a block of 16 threads per tile, which goes
// over its own diagonals in shared memory.
__global__ void needleman_wunsch(const int* likeness, int* table, int side, int diagonal, int penalty) {
  __shared__ int known[17][17], like[16][16];
  const int tx = threadIdx.x;
  const int left = blockIdx.x * 16, top = (diagonal - int(blockIdx.x)) * 16;
  int* const corner = table + top * side + left;
  for (int k = 0; k < 16; ++k) like[k][tx] = likeness[(top + k + 1) * side + left + tx + 1];
  if (tx == 0) known[0][0] = corner[0];
  known[0][tx + 1] = corner[tx + 1];
  known[tx + 1][0] = corner[(tx + 1) * side];
  __syncthreads();
  for (int step = 0; step < 31; ++step) {
    const int x = step < 16 ? tx + 1 : tx + step - 14, y = step < 16 ? step - tx + 1 : 16 - tx;
    if (tx <= (step < 16 ? step : 30 - step)) {
      const int over = max(known[y][x - 1], known[y - 1][x]) - penalty;
      known[y][x] = max(known[y - 1][x - 1] + like[y - 1][x - 1], over);
    }
    __syncthreads();
  }
  for (int k = 0; k < 16; ++k) corner[(k + 1) * side + tx + 1] = known[k + 1][tx + 1];
}

// The best local alignment of a query of 128 letters with each subject: a thread per letter, a barrier per
// diagonal.
__global__ void smith_waterman(const unsigned char* query, const unsigned char* subjects, int* out,
                               int length) {
  __shared__ int above[2][129];
  __shared__ int best_of_all;
  const int tid = threadIdx.x;
  const unsigned char own = query[tid];
  const unsigned char* const subject = subjects + std::size_t(blockIdx.x) * length;
  int left = 0, corner = 0, best = 0;
  above[0][tid + 1] = above[1][tid + 1] = 0;
  if (tid == 0) above[0][0] = above[1][0] = best_of_all = 0;
  __syncthreads();
  for (int step = 0; step < length + 127; ++step) {
    const int j = step - tid, up = above[step % 2][tid];
    int here = 0;
    if (j >= 0 && j < length) {
      here = max(max(corner + (own == subject[j] ? 5 : -3), 0), max(left, up) - 4);
      best = max(best, here);
    }
    corner = up;
    left = here;
    above[(step + 1) % 2][tid + 1] = here;
    __syncthreads();
  }
  atomicMax(&best_of_all, best);
  __syncthreads();
  if (tid == 0) out[blockIdx.x] = best_of_all;
}

// Counts words of six bases in a sequence: 4096 counts for each block in shared memory, added up at the end.
__global__ void count_kmers(const unsigned char* bases, unsigned* counts, int count) {
  __shared__ unsigned own[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x) own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count - 5; i += gridDim.x * blockDim.x) {
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < 6; ++k) word = word << 2 | (bases[i + k] >> 1 & 3u);
    atomicAdd(own + word, 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    if (own[k] != 0) atomicAdd(counts + k, own[k]);
}

__constant__ char kComplements[33] = "@TVGH##CD##M#KN###YSA#BW#R#@@@@@";

// The other strand: complements from a table in constant memory, in reverse.
__global__ void reverse_complement(const char* in, char* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[count - 1 - i] = kComplements[in[i] & 31];
}

// Runs an automaton of 128 states over text: each thread starts afresh for its own 128 letters, and counts
// the states that accept.
__global__ void run_automaton(const unsigned char* text, const unsigned char* table, int* found,
                              int threads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= threads) return;
  const unsigned char* const own = text + std::size_t(i) * 128;
  int state = 0, accepted = 0;
  for (int k = 0; k < 128; ++k) {
    state = table[state * 128 + own[k]];
    accepted += state >= 120;
  }
  found[i] = accepted;
}

// Where a pattern has each of four letters.
struct LetterMasks {
  unsigned long long a, c, g, t;
};

// Edit distances to a pattern of 64 letters, all of a column at once in the bits of words, as Myers does.
// Letter k of all texts lies together.
__global__ void bit_parallel_distances(const unsigned char* texts, LetterMasks masks, int* out, int count,
                                       int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long plus = ~0ull, minus = 0;
  int distance = 64;
  for (int k = 0; k < length; ++k) {
    const unsigned char letter = texts[k * count + i];
    const unsigned long long first_two = letter == 0 ? masks.a : masks.c,
                             last_two = letter == 2 ? masks.g : masks.t;
    const unsigned long long equal = letter < 2 ? first_two : last_two;
    const unsigned long long xv = equal | minus, xh = (((equal & plus) + plus) ^ plus) | equal;
    unsigned long long up = minus | ~(xh | plus), down = plus & xh;
    distance += int(up >> 63) - int(down >> 63);
    up = up << 1 | 1;
    down <<= 1;
    plus = down | ~(xv | up);
    minus = up & xv;
  }
  out[i] = distance;
}

// Murmur hashes of strings of one to sixteen words that follow each other: a string per thread.
__global__ void murmur_strings(const unsigned* words, const int* begin, unsigned* out, int strings) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= strings) return;
  const int first = begin[i], last = begin[i + 1];
  unsigned hash = 0x12345678u;
  for (int k = first; k < last; ++k) {
    unsigned word = words[k] * 0xcc9e2d51u;
    word = (word << 15 | word >> 17) * 0x1b873593u;
    hash ^= word;
    hash = (hash << 13 | hash >> 19) * 5 + 0xe6546b64u;
  }
  hash ^= unsigned(last - first) * 4;
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  out[i] = hash ^ hash >> 16;
}

// The probability of what was seen under a hidden Markov model of 64 states: a block of 64 threads per
// sequence.
__global__ void hmm_forward(const float* transitions, const float* emissions, const unsigned char* seen,
                            float* out, int length) {
  __shared__ float moves[64][64], before[64], weights[64];
  const int tid = threadIdx.x;
  for (int k = 0; k < 64; ++k) moves[k][tid] = transitions[k * 64 + tid];
  before[tid] = 1.0f / 64;
  float log_of_all = 0;
  for (int t = 0; t < length; ++t) {
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 64; ++k) sum += before[k] * moves[k][tid];
    sum *= emissions[seen[blockIdx.x * length + t] * 64 + tid];
    weights[tid] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
      if (tid < half) weights[tid] += weights[tid + half];
      __syncthreads();
    }
    before[tid] = sum / weights[0];
    log_of_all += logf(weights[0]);
  }
  if (tid == 0) out[blockIdx.x] = log_of_all;
}

// The longest match that each place of a text has among the 48 places before it, for compression.
__global__ void longest_match(const unsigned char* text, unsigned* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int best = 0, best_distance = 0;
  for (int distance = 1; distance <= 48 && distance <= i; ++distance) {
    int length = 0;
    while (length < 32 && i + length < count && text[i + length] == text[i - distance + length]) ++length;
    if (length > best) best = length, best_distance = distance;
  }
  out[i] = unsigned(best) << 16 | unsigned(best_distance);
}

}  // namespace outside
// SPDX-License-Identifier: MIT
