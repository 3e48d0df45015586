// Sorting, merging and searching in order.
#pragma once

#include "homework_common.cuh"

#include <algorithm>

namespace outside {

// How many of the first k merged numbers come from a: a search between two bounds.
__device__ inline int co_rank(int k, const int* a, int m, const int* b, int n) {
  int i = min(k, m), j = k - i, i_low = max(0, k - n), j_low = max(0, k - m);
  while (true) {
    if (i > 0 && j < n && a[i - 1] > b[j]) {
      const int step = (i - i_low + 1) / 2;
      j_low = j;
      j += step;
      i -= step;
    } else if (j > 0 && i < m && b[j - 1] >= a[i]) {
      const int step = (j - j_low + 1) / 2;
      i_low = i;
      i += step;
      j -= step;
    } else {
      return i;
    }
  }
}

// Merges two sorted arrays: each thread finds where its eight results begin in both, and merges those in
// order.
__global__ void merge_sorted(const int* a, int m, const int* b, int n, int* out) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (first >= m + n) return;
  const int last = min(first + 8, m + n);
  int i = co_rank(first, a, m, b, n), j = first - i;
  for (int k = first; k < last; ++k) {
    if (i < m && (j >= n || a[i] <= b[j])) out[k] = a[i++];
    else out[k] = b[j++];
  }
}

// Sorts each 32 numbers by a bitonic network whose exchanges are shuffles.
__global__ void sort_lanes(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int value = in[i];
  for (int size = 2; size <= 32; size *= 2) {
    for (int apart = size / 2; apart > 0; apart /= 2) {
      const int other = __shfl_xor_sync(kFullWarp, value, apart);
      const bool is_upper = (lane & apart) != 0, goes_down = (lane & size) != 0;
      value = is_upper != goes_down ? max(value, other) : min(value, other);
    }
  }
  out[i] = value;
}

// Sorts by counting for each number those that are less, or equal and earlier: tiles of 256 in shared memory.
__global__ void rank_sort(const int* in, int* out, int count) {
  __shared__ int tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x, own = in[i];
  int rank = 0;
  for (int start = 0; start < count; start += 256) {
    tile[threadIdx.x] = in[start + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) rank += tile[k] < own || (tile[k] == own && start + k < i);
    __syncthreads();
  }
  out[rank] = own;
}

// Sorts 512 bytes' worth of keys in shared memory by one bit after another, with votes and sums over the
// warps.
__global__ void sort_by_bits(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[512];
  __shared__ int zeros_of_warp[16];
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32, first = blockIdx.x * 512;
  unsigned key = in[first + tid];
  for (int bit = 0; bit < 8; ++bit) {
    const bool is_zero = (key >> bit & 1) == 0;
    const unsigned votes = __ballot_sync(kFullWarp, is_zero);
    if (lane == 0) zeros_of_warp[warp] = __popc(votes);
    __syncthreads();
    int before = __popc(votes & ((1u << lane) - 1)), zeros = 0;
    for (int w = 0; w < 16; ++w) {
      if (w < warp) before += zeros_of_warp[w];
      zeros += zeros_of_warp[w];
    }
    keys[is_zero ? before : zeros + tid - before] = key;
    __syncthreads();
    key = keys[tid];
    __syncthreads();
  }
  out[first + tid] = key;
}

// Insertion sort of 24 numbers for each thread, in a column of shared memory; how far they move differs.
__global__ void sort_by_insertion(const int* in, int* out, int count) {
  __shared__ int column[24][128];
  const int tid = threadIdx.x, i = blockIdx.x * 128 + tid;
  for (int k = 0; k < 24; ++k) {
    const int value = in[k * count + i];
    int place = k;
    while (place > 0 && column[place - 1][tid] > value) {
      column[place][tid] = column[place - 1][tid];
      --place;
    }
    column[place][tid] = value;
  }
  for (int k = 0; k < 24; ++k) out[k * count + i] = column[k][tid];
}

// Searches keys in a binary tree whose nodes hold key, left, right and value, from the root down.
__global__ void search_tree(const int4* nodes, const int* keys, int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int key = keys[i];
  int at = 0, found = -1;
  while (at >= 0) {
    const int4 node = nodes[at];
    if (node.x == key) {
      found = node.w;
      break;
    }
    at = key < node.x ? node.y : node.z;
  }
  out[i] = found;
}

// The nearest of the points of a balanced tree in the plane: each thread goes down with a stack of its own,
// and leaves out what is too far away.
__global__ void nearest_in_tree(const float2* tree, int nodes, const float2* queries, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float2 q = queries[i];
  int waiting[32];
  float gaps[32], best = 1e30f;
  int height = 1;
  waiting[0] = 0;
  gaps[0] = 0.0f;
  while (height > 0) {
    --height;
    if (gaps[height] >= best) continue;
    int at = waiting[height];
    while (at < nodes) {
      const float2 p = tree[at];
      const float dx = q.x - p.x, dy = q.y - p.y;
      best = fminf(best, dx * dx + dy * dy);
      const bool is_by_y = (31 - __clz(at + 1)) % 2 == 1;
      const float across = is_by_y ? dy : dx;
      waiting[height] = 2 * at + (across > 0.0f ? 1 : 2);
      gaps[height] = across * across;
      ++height;
      at = 2 * at + (across > 0.0f ? 2 : 1);
    }
  }
  out[i] = sqrtf(best);
}

// Puts the points from `low` up to `high` below node `at`, the middle one by x or y in turn first; there are
// one less than a power of two.
inline void plant(std::vector<float2>& points, std::vector<float2>& tree, int low, int high, int at,
                  bool is_by_y) {
  if (low >= high) return;
  const int middle = (low + high) / 2;
  const auto is_less = [&](float2 a, float2 b) { return is_by_y ? a.y < b.y : a.x < b.x; };
  std::nth_element(points.begin() + low, points.begin() + middle, points.begin() + high, is_less);
  tree[at] = points[middle];
  plant(points, tree, low, middle, 2 * at + 1, !is_by_y);
  plant(points, tree, middle + 1, high, 2 * at + 2, !is_by_y);
}

inline void nearest_in_tree_row() {
  constexpr int kNodes = (1 << 14) - 1, kQueries = 1 << 16;
  const auto point = [](std::size_t k) { return make_float2(fraction(2 * k), fraction(2 * k + 1)); };
  std::vector<float2> points, planted(kNodes);
  for (int k = 0; k < kNodes; ++k) points.push_back(point(k));
  plant(points, planted, 0, kNodes, 0, false);
  const Filled<float2> tree(kNodes, values_of(planted));
  const Filled<float2> queries(kQueries, [&](std::size_t k) { return point(k + 100000); });
  const Filled<float> out(kQueries);
  row("nearest_in_tree",
      [&] { nearest_in_tree<<<kQueries / 128, 128>>>(tree, kNodes, queries, out, kQueries); });
}

inline void search_tree_row(const char* name, int nodes, int queries) {
  std::vector<int4> tree;
  for (int k = 0; k < nodes; ++k) {
    const int key = int(scrambled(k) >> 1);
    tree.push_back(make_int4(key, -1, -1, k));
    for (int at = 0; k > 0;) {
      int& next = key < tree[at].x ? tree[at].y : tree[at].z;
      if (next < 0) {
        next = k;
        break;
      }
      at = next;
    }
  }
  const Filled<int4> device_tree(nodes, values_of(tree));
  const Filled<int> out(queries);
  const auto key_at = [&](std::size_t k) { return scrambled(scrambled(k + 77) % (2 * nodes)) >> 1; };
  const Filled<int> keys(queries, key_at);
  row(name, [&] { search_tree<<<blocks_over(queries, 256), 256>>>(device_tree, keys, out, queries); });
}

inline void merge_sorted_row() {
  constexpr int kEach = 1 << 21;
  std::vector<int> first, second;
  for (int k = 0; k < kEach; ++k) {
    first.push_back(int(scrambled(k) >> 1));
    second.push_back(int(scrambled(k + kEach) >> 1));
  }
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  const Filled<int> a(kEach, values_of(first)), b(kEach, values_of(second)), out(2 * kEach);
  row("merge_sorted", [&] { merge_sorted<<<2 * kEach / 8 / 256, 256>>>(a, kEach, b, kEach, out); });
}

inline void order_rows() {
  merge_sorted_row();
  search_tree_row("search_tree 2^10", 1 << 10, 1 << 17);
  search_tree_row("search_tree 2^17", 1 << 17, 1 << 20);
  nearest_in_tree_row();
  const auto number = [](std::size_t k) { return scrambled(k) >> 1; };
  const Filled<int> in(1 << 23, number), out(1 << 23);
  row("sort_lanes", [&] { sort_lanes<<<(1 << 23) / 256, 256>>>(in, out); });
  row("rank_sort", [&] { rank_sort<<<8192 / 256, 256>>>(in, out, 8192); });
  row("sort_by_bits", [&] { sort_by_bits<<<2048, 512>>>(in.as<unsigned>(), out.as<unsigned>()); });
  row("sort_by_insertion", [&] { sort_by_insertion<<<1024, 128>>>(in, out, 1024 * 128); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
