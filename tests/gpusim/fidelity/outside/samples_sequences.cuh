// Kernels of kinds that public samples have: sums, sorts, searches, graphs, random numbers, signals.
#pragma once

#include "samples_matrices.cuh"

namespace outside {

__global__ void dot(const float* x, const float* y, float* out,
                    unsigned n) {  // a tree in shared memory, an atomic a block
  __shared__ float parts[256];
  float sum = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  parts[threadIdx.x] = sum;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(out, parts[0]);
}
__global__ void most_of_blocks(const u32* in, u32* out, unsigned n) {
  u32 most = 0;
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) most = max(most, in[i]);
  most = __reduce_max_sync(~0u, most);
  if (threadIdx.x % 32 == 0) atomicMax(out, most);
}
__global__ void scan_warps(const u32* in, u32* out) {  // an exclusive scan of each block's 256 elements
  __shared__ u32 sums[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const u32 own = in[thread_number()];
  u32 v = own;
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const u32 left = __shfl_up_sync(~0u, v, offset);
    if (lane >= offset) v += left;
  }
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  u32 before = 0;
  for (unsigned w = 0; w < warp; ++w) before += sums[w];
  out[thread_number()] = before + v - own;
}
// From one array to another, so that each of the timed runs has the same to do.
__global__ void bitonic_step(const u32* in, u32* out, unsigned size, unsigned apart) {
  const unsigned i = thread_number(), other = i ^ apart;
  if (other <= i) return;
  const u32 a = in[i], b = in[other];
  const bool swaps = (a > b) == ((i & size) == 0);
  out[i] = swaps ? b : a;
  out[other] = swaps ? a : b;
}
__global__ void count_digits(const u32* in, u32* counts, unsigned n,
                             unsigned shift) {  // of a radix sort, by warps
  __shared__ u32 mine[8][16];
  if (threadIdx.x < 128) mine[threadIdx.x / 16][threadIdx.x % 16] = 0;
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[threadIdx.x / 32][in[i] >> shift & 15], 1u);
  __syncthreads();
  if (threadIdx.x >= 16) return;
  u32 sum = 0;
  for (int w = 0; w < 8; ++w) sum += mine[w][threadIdx.x];
  counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
}
__global__ void lower_bound(const u32* sorted, unsigned n, const u32* keys, u32* out, unsigned count) {
  const unsigned i = thread_number();
  if (i >= count) return;
  unsigned low = 0, high = n;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    if (sorted[middle] < keys[i]) low = middle + 1;
    else high = middle;
  }
  out[i] = low;
}
__constant__ u8 pattern[8];
__global__ void find_text(const u8* text, u32* found, unsigned n) {
  const unsigned i = thread_number();
  if (i + 8 > n) return;
  unsigned k = 0;
  while (k < 8 && text[i + k] == pattern[k]) ++k;
  if (k == 8) atomicAdd(found, 1u);
}
__global__ void bfs_level(const u32* begin, const u32* to, const int* level, int* next, u32* changed, int now,
                          unsigned nodes) {
  const unsigned node = thread_number();
  if (node >= nodes || level[node] != now) return;
  for (u32 k = begin[node]; k < begin[node + 1]; ++k)
    if (level[to[k]] == -1) next[to[k]] = now + 1, *changed = 1;
}
__global__ void assign(const float2* points, const float2* centres, int* nearest, unsigned n,
                       int count) {  // k-means
  const unsigned i = thread_number();
  if (i >= n) return;
  const float2 p = points[i];
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < count; ++c) {
    const float dx = p.x - centres[c].x, dy = p.y - centres[c].y, d = dx * dx + dy * dy;
    if (d < least) least = d, best = c;
  }
  nearest[i] = best;
}
__global__ void add_to_centres(const float2* points, const int* nearest, float* sums, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const int c = nearest[i] & 63;
  atomicAdd(&sums[3 * c], points[i].x);
  atomicAdd(&sums[3 * c + 1], points[i].y);
  atomicAdd(&sums[3 * c + 2], 1.0f);
}
__global__ void estimate_pi(u32* hits, int rounds) {  // xorshift
  u32 state = hash(thread_number() + 1) | 1u, inside = 0;
  const auto next = [&] {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return float(state) * (1.0f / 4294967296.0f);
  };
  for (int k = 0; k < rounds; ++k) {
    const float x = next(), y = next();
    inside += x * x + y * y < 1.0f;
  }
  hits[thread_number()] = inside;
}
__global__ void random_walks(float* out, int steps) {  // Box and Muller, a geometric walk
  u32 state = hash(thread_number() + 7) | 1u;
  float value = 100.0f;
  for (int k = 0; k < steps; k += 2) {
    state = state * 1664525u + 1013904223u;
    const float r = sqrtf(-2.0f * __logf((state >> 8 | 1u) * (1.0f / 16777216.0f)));
    state = state * 1664525u + 1013904223u;
    float sine, cosine;
    __sincosf(6.2831853f * (state >> 8) * (1.0f / 16777216.0f), &sine, &cosine);
    value *= __expf(0.0001f + 0.01f * r * sine);
    value *= __expf(0.0001f + 0.01f * r * cosine);
  }
  out[thread_number()] = value;
}
__global__ void binomial_option(const float* prices, float* out) {  // 256 steps, a block each
  __shared__ float values[257];
  const int t = int(threadIdx.x);
  values[t] = fmaxf(prices[blockIdx.x] + 0.3f * float(2 * t - 256), 0.0f);
  if (t == 0) values[256] = prices[blockIdx.x] + 76.8f;
  for (int step = 256; step > 0; --step) {
    __syncthreads();
    const float next = t < step ? 0.4999f * values[t] + 0.4999f * values[t + 1] : 0.0f;
    __syncthreads();
    if (t < step) values[t] = next;
  }
  if (t == 0) out[blockIdx.x] = values[0];
}
__global__ void fft_stage(const float2* in, float2* out, unsigned n,
                          unsigned half) {  // radix 2, out of place
  const unsigned i = thread_number(), k = i & (half - 1);
  const float2 a = in[i], b = in[i + n / 2];
  float sine, cosine;
  sincosf(-3.14159265f * float(k) / float(half), &sine, &cosine);
  const float2 turned = {b.x * cosine - b.y * sine, b.x * sine + b.y * cosine};
  const unsigned to = (i - k) * 2 + k;
  out[to] = {a.x + turned.x, a.y + turned.y};
  out[to + half] = {a.x - turned.x, a.y - turned.y};
}
__global__ void walsh_transform(float* values) {  // 2048 elements a block of 512, in shared memory
  __shared__ float tile[2048];
  const unsigned t = threadIdx.x, base = blockIdx.x * 2048;
  for (unsigned k = t; k < 2048; k += 512) tile[k] = values[base + k];
  for (unsigned apart = 1024; apart > 0; apart /= 2) {
    __syncthreads();
    for (unsigned pair = t; pair < 1024; pair += 512) {
      const unsigned low = pair & (apart - 1), i = (pair - low) * 2 + low;
      const float a = tile[i], b = tile[i + apart];
      tile[i] = a + b, tile[i + apart] = a - b;
    }
  }
  __syncthreads();
  for (unsigned k = t; k < 2048; k += 512) values[base + k] = tile[k];
}
__global__ void bodies_plain(const float4* at, float4* force, int n) {  // from global memory
  const float4 me = at[thread_number()];
  float3 sum = {0, 0, 0};
  for (int k = 0; k < n; ++k) {
    const float4 other = at[k];
    const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    const float square = dx * dx + dy * dy + dz * dz + 1e-4f, w = other.w / (square * sqrtf(square));
    sum.x += dx * w, sum.y += dy * w, sum.z += dz * w;
  }
  force[thread_number()] = {sum.x, sum.y, sum.z, 0};
}

inline void sequence_rows() {
  constexpr unsigned n = 1u << 24, nodes = 1u << 20;
  const Array<u32> noise(n, 1u << 30), out(n), few(4096);
  const Array<float> x(n), y(n);
  const Array<u8> text(n, 4);
  row("dot", [&] { dot<<<1024, 256>>>(x, y, (float*)few.data(), n); });
  row("most_of_blocks", [&] { most_of_blocks<<<1056, 256>>>(noise, few, n); });
  row("scan_warps", [&] { scan_warps<<<n / 256, 256>>>(noise, out); });
  row("bitonic_step 2^20", [&] { bitonic_step<<<n / 512, 512>>>(noise, out, 1u << 21, 1u << 20); });
  row("bitonic_step 1", [&] { bitonic_step<<<n / 512, 512>>>(noise, out, 1u << 21, 1); });
  row("count_digits", [&] { count_digits<<<528, 256>>>(noise, out, n, 8); });
  std::vector<u32> ascending(1u << 22);
  for (u32 i = 0; i < ascending.size(); ++i) ascending[i] = i * 256;
  const Array<u32> sorted(ascending);
  row("lower_bound", [&] { lower_bound<<<n / 16 / 256, 256>>>(sorted, 1u << 22, noise, out, n / 16); });
  row("find_text", [&] { find_text<<<n / 256, 256>>>(text, few, n); });
  std::vector<u32> begin(nodes + 1), to(nodes * 8);
  for (u32 i = 0; i <= nodes; ++i) begin[i] = i * 8;
  for (u32 i = 0; i < to.size(); ++i) to[i] = (i * 2654435761u >> 7) % nodes;
  std::vector<int> levels(nodes, -1);
  for (u32 i = 0; i < nodes; i += 3) levels[i] = 4;
  const Array<u32> starts(begin), edges(to);
  const Array<int> level(levels), nearest(1u << 20, 64);
  row("bfs_level",
      [&] { bfs_level<<<nodes / 256, 256>>>(starts, edges, level, (int*)out.data(), few, 4, nodes); });
  const auto pairs = [](const Array<float>& a) { return reinterpret_cast<float2*>((float*)a); };
  row("assign",
      [&] { assign<<<(1u << 20) / 256, 256>>>(pairs(x), pairs(y), (int*)out.data(), 1u << 20, 64); });
  row("add_to_centres", [&] { add_to_centres<<<(1u << 20) / 256, 256>>>(pairs(x), nearest, y, 1u << 20); });
  row("estimate_pi", [&] { estimate_pi<<<2048, 256>>>(out, 256); });
  row("random_walks", [&] { random_walks<<<2048, 256>>>(x, 128); });
  row("binomial_option", [&] { binomial_option<<<2048, 256>>>(x, y); });
  row("fft_stage", [&] { fft_stage<<<(1u << 22) / 256, 256>>>(pairs(x), pairs(y), 1u << 23, 1u << 10); });
  row("walsh_transform", [&] { walsh_transform<<<n / 2048, 512>>>(x); });
  row("bodies_plain", [&] {
    bodies_plain<<<64, 128>>>(reinterpret_cast<float4*>((float*)x), reinterpret_cast<float4*>((float*)y),
                              8192);
  });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
