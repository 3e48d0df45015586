// The numbers with which the judged kernels compare sizes and indices (gpusim/compared_numbers.h). A kernel may be wrong, or as it was
// before the exercise, on one side of such a number only. So the checks run sizes on both sides of each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace judge {

// Numbers that lie next to each other: what holds of one side of them holds of the same side of all.
struct Threshold {
  std::size_t first, last;
};

// Those of the judged file from `least` to `most`, ascending; or those of one kernel, of what it calls, and of the host's functions. None
// on a GPU. A kernel that compares with very many numbers is judged at the first ones, and a line that is printed says so.
std::vector<Threshold> thresholds(std::size_t least, std::size_t most, const std::string& kernel = "");

// Sizes on both sides of each, from `least` to `most` and multiples of `unit`: the largest below it, the number itself, and one so far
// above it that several units lie beyond. `Sides::above`: the last of these only, where smaller sizes are judged anyway.
enum class Sides { all, above };
inline std::vector<std::size_t> sizes_around_thresholds(std::size_t least, std::size_t most,
                                                        std::size_t unit = 1, const std::string& kernel = "",
                                                        Sides sides = Sides::all) {
  std::vector<std::size_t> sizes;
  for (const Threshold& t : thresholds(least, most, kernel)) {
    const std::size_t below = (t.first - 1) / unit * unit,
                      above = ((t.last + t.last / 8) / unit + (unit == 1 ? 1 : 2)) * unit;
    for (const std::size_t size : {below, t.first, above})
      if (size >= least && size <= most && size % unit == 0 && (sizes.empty() || size > sizes.back()) &&
          (sides == Sides::all || size == above))
        sizes.push_back(size);
  }
  return sizes;
}

// The same numbers of floats: magnitudes.
std::vector<float> float_thresholds(const std::string& kernel = "");

// The largest whole number up to `most` in the code of the judged file, whatever is done with it; `most` on a GPU.
std::size_t largest_number_in_code(std::size_t most);

// Where the judged file compares sizes with the same outcome in all launches so far, though the threads that have run are of many sizes:
// "kernels.cuh:31:7". So whatever the kernel does otherwise is not judged. None on a GPU.
std::vector<std::string> comparisons_with_one_outcome();

// Prints where each number stands, for --thresholds.
void print_thresholds();

}  // namespace judge
// SPDX-License-Identifier: MIT
