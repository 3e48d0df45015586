// Chapter 14: what can be said of its functions and results on the host.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace judge {

// Elements [begin, end).
struct ElementRange {
  int begin, end;
};
using PartOf = std::function<ElementRange(int rank, int ranks, int n)>;
// Which part GPU `rank` adds to, or copies, in a step.
using PartInStep = std::function<int(int rank, int step, int ranks)>;

// Parts are the whole array, in the order of ranks, each begins at a multiple of 4, and they differ by at most 4 elements,
// not counting those beyond the last multiple of 4, which the last part has. For 1 to `most` ranks and up to 2^30 elements.
void check_parts(const PartOf& part_of, int most);

// Whether both functions name a part at all, as the starter's do not: reports those that do not.
bool are_ring_parts_named(const PartInStep& part_to_add, const PartInStep& part_to_copy);

// Each GPU adds to the part that the GPU before it has left, and copies the one that it has complete. part_to_add is looked
// at alone, for 2 to `most` GPUs, before part_to_copy is compared with it: so the function that is wrong is blamed.
void check_ring_parts(const PartInStep& part_to_add, const PartInStep& part_to_copy, int most);

// An all-reduce that has run: `inputs` of each GPU were multiplied by `scale` first, and GPU g has results[g].
struct Reduced {
  std::string what;  // "ring, n = 13, 3 GPUs, 2 blocks"
  const std::vector<std::vector<float>>& inputs;
  float scale;
  std::vector<std::vector<float>> results;
};
// Reports an element that is not the sum of all inputs; where sums are rounded, one that has other bits on another GPU than
// on GPU 0. With `is_exact` no rounding is allowed.
void check_reduced(const Reduced& reduced, bool is_exact);

// What arrays hold before kernels write to them: a NaN of these bits, which no sum has.
inline constexpr unsigned kUnwritten = 0xffffffff;
bool is_unwritten(float value);

}  // namespace judge
// SPDX-License-Identifier: MIT
