// What probably went wrong, from the error of a block sum alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace harness {

struct ElementRange {
  std::size_t first = 0, end = 0;  // end is not in it
};

// A block should have summed input[block.first … block.end) and got `got`. Tries the mistakes that kernels
// make: the result never written, another block's elements, a run of elements missing or counted twice (runs
// are halves, quarters … single elements of the block, or a stretch beside it). Returns "" unless one of them
// explains the error within `allowed`, and far better than any other.
std::string likely_cause(float got, const std::vector<float>& input, ElementRange block, double allowed);

}  // namespace harness
