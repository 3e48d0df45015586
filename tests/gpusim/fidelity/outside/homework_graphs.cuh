// Steps of algorithms on graphs, whose edges are stored by their first vertex, and on lists and forests.
#pragma once

#include "homework_common.cuh"

#include <algorithm>

namespace outside {

// A step of page rank: each vertex adds up what its neighbours give.
__global__ void pull_ranks(const int* begin, const int* from, const float* ranks, const float* shares,
                           float* out, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  float sum = 0;
  for (int k = begin[v]; k < begin[v + 1]; ++k) sum += ranks[from[k]] * shares[from[k]];
  out[v] = 0.15f / vertices + 0.85f * sum;
}

// Triangles over each edge: a thread goes through both sorted lists of neighbours at once.
__global__ void count_triangles(const int* begin, const int* to, const int* first_of_edge, int* counts,
                                int edges) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  const int u = first_of_edge[e], v = to[e], last_i = begin[u + 1], last_j = begin[v + 1];
  int i = begin[u], j = begin[v], found = 0;
  while (i < last_i && j < last_j) {
    const int a = to[i], b = to[j];
    if (a == b) {
      ++found;
      ++i;
      ++j;
    } else if (a < b) {
      ++i;
    } else {
      ++j;
    }
  }
  counts[e] = found;
}

// Bellman and Ford's step: every edge offers its end a distance, by an atomic minimum.
__global__ void relax_edges(const int* from, const int* to, const unsigned* lengths,
                            const unsigned* distances, unsigned* next, int edges) {
  const int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges) return;
  atomicMin(next + to[e], distances[from[e]] + lengths[e]);
}

// A step of ranking lists: everyone takes over the successor of the successor, and adds the ranks.
__global__ void jump_pointers(const int* next, const int* ranks, int* new_next, int* new_ranks, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int to = next[i];
  new_ranks[i] = ranks[i] + ranks[to];
  new_next[i] = next[to];
}

// The root of each vertex of a forest: parents are followed until one is its own.
__global__ void find_roots(const int* parents, int* roots, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int at = i, parent = parents[at];
  while (parent != at) {
    at = parent;
    parent = parents[at];
  }
  roots[i] = at;
}

// Luby's step: a vertex is picked if no neighbour has a larger number; the first that has ends the search.
__global__ void pick_independent(const int* begin, const int* to, unsigned* is_picked, int vertices,
                                 unsigned seed) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices) return;
  const unsigned own = (unsigned(v) ^ seed) * 2654435761u;
  bool is_largest = true;
  for (int k = begin[v]; k < begin[v + 1]; ++k) {
    if (((unsigned(to[k]) ^ seed) * 2654435761u) > own) {
      is_largest = false;
      break;
    }
  }
  is_picked[v] = is_largest;
}

// A level of a search from below: vertices that were not seen look for a neighbour in the front, a bit for
// each vertex; a vote writes the next front.
__global__ void search_from_below(const int* begin, const int* from, const unsigned* seen,
                                  const unsigned* front, unsigned* next, int vertices) {
  const int v = blockIdx.x * blockDim.x + threadIdx.x;
  bool is_reached = false;
  if (v < vertices && (seen[v / 32] >> v % 32 & 1) == 0) {
    for (int k = begin[v]; k < begin[v + 1] && !is_reached; ++k)
      is_reached = front[from[k] / 32] >> from[k] % 32 & 1;
  }
  const unsigned votes = __ballot_sync(kFullWarp, is_reached);
  if (threadIdx.x % 32 == 0) next[v / 32] = votes;
}

// The sum of values along linked lists: a list per thread, of different lengths.
__global__ void walk_lists(const int* heads, const int2* nodes, int* sums, int lists) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= lists) return;
  int sum = 0;
  for (int at = heads[i]; at >= 0;) {
    const int2 node = nodes[at];
    sum += node.y;
    at = node.x;
  }
  sums[i] = sum;
}

struct HostGraph {
  std::vector<int> begin, to, from;
};

// Each vertex has from one to 2 mean - 1 neighbours anywhere, in order.
inline HostGraph random_graph(int vertices, int mean) {
  HostGraph graph;
  graph.begin.push_back(0);
  for (int v = 0; v < vertices; ++v) {
    const int degree = 1 + int(scrambled(v) % unsigned(2 * mean - 1));
    for (int k = 0; k < degree; ++k) {
      graph.to.push_back(int(scrambled(std::size_t(v) * 64 + k + 12345) % unsigned(vertices)));
      graph.from.push_back(v);
    }
    std::sort(graph.to.begin() + graph.begin.back(), graph.to.end());
    graph.begin.push_back(int(graph.to.size()));
  }
  return graph;
}

inline void vertex_rows(const std::string& size, int vertices, int mean) {
  const HostGraph graph = random_graph(vertices, mean);
  const int edges = int(graph.to.size()), blocks = vertices / 256;
  const Filled<int> begin(graph.begin.size(), values_of(graph.begin)), to(edges, values_of(graph.to));
  const Filled<float> ranks(vertices, fraction), shares(vertices, fraction), out(vertices);
  row("pull_ranks " + size, [&] { pull_ranks<<<blocks, 256>>>(begin, to, ranks, shares, out, vertices); });
  const Filled<unsigned> is_picked(vertices);
  row("pick_independent " + size,
      [&] { pick_independent<<<blocks, 256>>>(begin, to, is_picked, vertices, 99u); });
  const Filled<unsigned> seen(vertices / 32, [](std::size_t k) { return scrambled(k) & scrambled(k + 1); });
  const Filled<unsigned> front(vertices / 32,
                               [](std::size_t k) { return scrambled(k + 5) & scrambled(k + 9); });
  const Filled<unsigned> next(vertices / 32);
  row("search_from_below " + size,
      [&] { search_from_below<<<blocks, 256>>>(begin, to, seen, front, next, vertices); });
  const Filled<int> from(edges, values_of(graph.from));
  const Filled<unsigned> lengths(edges, [](std::size_t k) { return 1 + scrambled(k) % 100; });
  const Filled<unsigned> distances(vertices, [](std::size_t k) { return scrambled(k) % 10000; });
  const Filled<unsigned> nearer(vertices, [](std::size_t) { return 1000000u; });
  const unsigned edge_blocks = blocks_over(edges, 256);
  row("relax_edges " + size,
      [&] { relax_edges<<<edge_blocks, 256>>>(from, to, lengths, distances, nearer, edges); });
}

inline void graph_rows() {
  vertex_rows("2^12", 1 << 12, 8);
  vertex_rows("2^18", 1 << 18, 16);
  {
    const HostGraph graph = random_graph(1 << 14, 24);
    const int edges = int(graph.to.size());
    const Filled<int> begin(graph.begin.size(), values_of(graph.begin)), to(edges, values_of(graph.to));
    const Filled<int> from(edges, values_of(graph.from)), counts(edges);
    row("count_triangles",
        [&] { count_triangles<<<blocks_over(edges, 128), 128>>>(begin, to, from, counts, edges); });
  }
  {
    constexpr int kCount = 1 << 20;
    const Filled<int> next(kCount, [](std::size_t k) { return scrambled(k) % kCount; }), new_next(kCount);
    const Filled<int> ranks(kCount, [](std::size_t k) { return scrambled(k) % 16; }), new_ranks(kCount);
    row("jump_pointers",
        [&] { jump_pointers<<<kCount / 256, 256>>>(next, ranks, new_next, new_ranks, kCount); });
    const Filled<int> parents(kCount, [](std::size_t k) { return k == 0 ? 0 : scrambled(k) % unsigned(k); });
    row("find_roots", [&] { find_roots<<<kCount / 256, 256>>>(parents, new_next, kCount); });
  }
  {
    constexpr int kLists = 1 << 16, kNodes = kLists * 16;
    const auto node = [](std::size_t k) {
      const int next = scrambled(k) % 16 == 0 ? -1 : int((k * 40501u + 12345u) % kNodes);
      return make_int2(next, int(scrambled(k + 3) % 100));
    };
    const Filled<int> heads(kLists, [](std::size_t k) { return scrambled(k + 8) % kNodes; }), sums(kLists);
    const Filled<int2> nodes(kNodes, node);
    row("walk_lists", [&] { walk_lists<<<kLists / 128, 128>>>(heads, nodes, sums, kLists); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
