// Which elements of an array each block of a launch stores, or a warp loads. Where a kernel's blocks may take their work in any order, this
// tells whose result an element is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace judge {

struct Elements {
  std::size_t first, end;
};

// How many elements disjoint runs have.
inline std::size_t elements_in(const std::vector<Elements>& runs) {
  std::size_t count = 0;
  for (const Elements& run : runs) count += run.end - run.first;
  return count;
}

// Runs `launch` and returns, for each block that stores anything into the array, its elements there: disjoint runs,
// ascending. A GPU does not tell: then no block is in the map.
std::map<std::uint64_t, std::vector<Elements>> stores_of_blocks(const void* d_array, std::size_t elements,
                                                                std::size_t element_bytes,
                                                                const std::function<void()>& launch);

// What warp 0 of each block loads of two arrays of so many elements, when the other warps do nothing. Nothing on a GPU.
struct OneWarpsLoads {
  std::vector<Elements> of_first, of_second;
};
OneWarpsLoads loads_of_one_warp(const void* d_first, const void* d_second, std::size_t elements,
                                std::size_t element_bytes, const std::function<void()>& launch);

}  // namespace judge
// SPDX-License-Identifier: MIT
