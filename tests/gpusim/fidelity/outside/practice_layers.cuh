// Layers of language models and what trains them.
#pragma once

#include "practice_sums.cuh"

namespace outside {

// Root mean square norm: a block per row.
__global__ void rms_norm(const float* in, const float* weights, float* out, int columns) {
  const float* const x = in + std::size_t(blockIdx.x) * columns;
  float* const y = out + std::size_t(blockIdx.x) * columns;
  float squares = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) squares += x[c] * x[c];
  const float scale = rsqrtf(block_sum(squares) / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += blockDim.x) y[c] = x[c] * scale * weights[c];
}

// Cross entropy of logits: a block per row, whose threads keep a running maximum and rescale their sum.
__global__ void cross_entropy(const float* logits, const int* targets, float* losses, int classes) {
  const float* const x = logits + std::size_t(blockIdx.x) * classes;
  float most = -1e30f, sum = 0;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) {
    const float value = x[c];
    if (value > most) {
      sum *= __expf(most - value);
      most = value;
    }
    sum += __expf(value - most);
  }
  const float row_most = block_max(most);
  const float row_sum = block_sum(sum * __expf(most - row_most));
  if (threadIdx.x == 0) losses[blockIdx.x] = logf(row_sum) + row_most - x[targets[blockIdx.x]];
}

// Rotary position embedding: each thread turns one pair of a head by an angle that grows with the position.
__global__ void rope(const float2* in, float2* out, int heads, int pairs_of_head, int positions, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const int k = i % pairs_of_head, position = i / (pairs_of_head * heads) % positions;
  const float angle = position * powf(10000.0f, -float(k) / pairs_of_head);
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
  const float2 v = in[i];
  out[i] = make_float2(v.x * cosine - v.y * sine, v.x * sine + v.y * cosine);
}

// Token and position embeddings, added: a thread per float.
__global__ void embed_tokens(const int* tokens, const float* words, const float* places, float* out,
                             int count, int positions, int channels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * channels) return;
  const int token = i / channels, c = i % channels;
  out[i] = words[tokens[token] * channels + c] + places[token % positions * channels + c];
}

// A gate through SiLU times its partner half a row later.
__global__ void swiglu(const float* in, float* out, int hidden) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const std::size_t line = blockIdx.y;
  const float gate = in[line * 2 * hidden + c], up = in[line * 2 * hidden + hidden + c];
  out[line * hidden + c] = gate / (1.0f + expf(-gate)) * up;
}

// Attention's products of queries and keys, one thread per pair of positions, from rows of queries, keys,
// values.
__global__ void attention_scores(const float* rows_of_three, float* scores, int positions, int heads,
                                 int head_size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= heads * positions * positions) return;
  const int key = i % positions, query = i / positions % positions, head = i / (positions * positions);
  if (key > query) {
    scores[i] = -1e30f;
    return;
  }
  const int channels = heads * head_size;
  const float* const q = rows_of_three + query * 3 * channels + head * head_size;
  const float* const k = rows_of_three + key * 3 * channels + channels + head * head_size;
  float sum = 0;
  for (int d = 0; d < head_size; ++d) sum += q[d] * k[d];
  scores[i] = sum * rsqrtf(float(head_size));
}

// One step of Adam with weight decay.
__global__ void adam_step(float* weights, const float* gradients, float* means, float* squares, int count,
                          float rate, float decay) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float g = gradients[i];
  const float m = 0.9f * means[i] + 0.1f * g;
  const float v = 0.999f * squares[i] + 0.001f * g * g;
  means[i] = m;
  squares[i] = v;
  weights[i] -= rate * (m / 0.1f / (sqrtf(v / 0.001f) + 1e-8f) + decay * weights[i]);
}

// The column of each row's largest number: a warp per row.
__global__ void argmax_rows(const float* in, int* out, int rows, int columns) {
  const int line = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (line >= rows) return;
  float most = -1e30f;
  int best = 0;
  for (int c = lane; c < columns; c += 32) {
    const float value = in[std::size_t(line) * columns + c];
    if (value > most) most = value, best = c;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    const float other = __shfl_down_sync(kAllLanes, most, distance);
    const int other_best = __shfl_down_sync(kAllLanes, best, distance);
    if (other > most || (other == most && other_best < best)) most = other, best = other_best;
  }
  if (lane == 0) out[line] = best;
}

// Which of eight experts a token goes to, and its share in their softmax: a warp per token.
__global__ void gate_top_one(const float* tokens, const float* weights, int* experts, float* shares,
                             int size) {
  const int token = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float scores[8] = {};
  for (int d = lane; d < size; d += 32) {
    const float value = tokens[std::size_t(token) * size + d];
#pragma unroll
    for (int e = 0; e < 8; ++e) scores[e] += value * weights[e * size + d];
  }
  float most = -1e30f, sum = 0;
  int best = 0;
#pragma unroll
  for (int e = 0; e < 8; ++e) {
    scores[e] = warp_sum(scores[e]);
    if (scores[e] > most) most = scores[e], best = e;
  }
#pragma unroll
  for (int e = 0; e < 8; ++e) sum += __expf(scores[e] - most);
  if (lane == 0) {
    experts[token] = best;
    shares[token] = 1.0f / sum;
  }
}

inline void rms_norm_row(int rows, int columns) {
  const Filled<float> in(std::size_t(rows) * columns, fraction), out(std::size_t(rows) * columns);
  const Filled<float> weights(columns, fraction);
  row("rms_norm " + std::to_string(columns), [&] { rms_norm<<<rows, 256>>>(in, weights, out, columns); });
}

inline void cross_entropy_row(int rows, int classes) {
  const Filled<float> logits(std::size_t(rows) * classes, fraction), losses(rows);
  const Filled<int> targets(rows, [&](std::size_t k) { return scrambled(k) % unsigned(classes); });
  row("cross_entropy " + std::to_string(classes),
      [&] { cross_entropy<<<rows, 256>>>(logits, targets, losses, classes); });
}

inline void rope_row() {
  constexpr int kPairs = 1 << 23;
  const auto pair_at = [](std::size_t k) { return make_float2(fraction(2 * k), fraction(2 * k + 1)); };
  const Filled<float2> in(kPairs, pair_at), out(kPairs);
  row("rope", [&] { rope<<<kPairs / 256, 256>>>(in, out, 16, 32, 2048, kPairs); });
}

inline void embed_tokens_row() {
  constexpr int kTokens = 16384, kChannels = 768, kWords = 8192, kPlaces = 1024;
  const Filled<int> tokens(kTokens, [](std::size_t k) { return scrambled(k) % kWords; });
  const Filled<float> words(kWords * kChannels, fraction), places(kPlaces * kChannels, fraction);
  const Filled<float> out(kTokens * kChannels);
  const unsigned blocks = blocks_over(kTokens * kChannels, 512);
  row("embed_tokens",
      [&] { embed_tokens<<<blocks, 512>>>(tokens, words, places, out, kTokens, kPlaces, kChannels); });
}

inline void attention_row() {
  constexpr int kPositions = 512, kHeads = 12, kHeadSize = 64;
  const Filled<float> in(kPositions * 3 * kHeads * kHeadSize, fraction);
  const Filled<float> scores(kHeads * kPositions * kPositions);
  const unsigned blocks = blocks_over(kHeads * kPositions * kPositions, 256);
  row("attention_scores",
      [&] { attention_scores<<<blocks, 256>>>(in, scores, kPositions, kHeads, kHeadSize); });
}

inline void adam_row() {
  constexpr int kCount = 1 << 22;
  const Filled<float> weights(kCount, fraction), gradients(kCount, fraction), means(kCount), squares(kCount);
  row("adam_step",
      [&] { adam_step<<<kCount / 512, 512>>>(weights, gradients, means, squares, kCount, 1e-4f, 0.01f); });
}

inline void layer_rows() {
  rms_norm_row(2048, 768);
  rms_norm_row(16384, 4096);
  cross_entropy_row(1024, 1000);
  cross_entropy_row(512, 32768);
  rope_row();
  embed_tokens_row();
  attention_row();
  adam_row();
  {
    const Filled<float> in(4096 * 8192, fraction), out(4096 * 4096);
    row("swiglu", [&] { swiglu<<<dim3(16, 4096), 256>>>(in, out, 4096); });
  }
  {
    const Filled<float> in(65536 * 128, fraction);
    const Filled<int> out(65536);
    row("argmax_rows 128", [&] { argmax_rows<<<65536 / 8, 256>>>(in, out, 65536, 128); });
  }
  {
    const Filled<float> tokens(16384 * 1024, fraction), weights(8 * 1024, fraction), shares(16384);
    const Filled<int> experts(16384);
    row("gate_top_one", [&] { gate_top_one<<<16384 / 8, 256>>>(tokens, weights, experts, shares, 1024); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
