// Arithmetic with sizes that programs pass. A result that would wrap round becomes kNoSize and stays kNoSize. No memory is that
// large, so comparing the final result with the memory's size is the only check that is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gpusim {

inline constexpr std::size_t kNoSize = SIZE_MAX;

inline std::size_t times(std::size_t a, std::size_t b) {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kNoSize : product;
}
inline std::size_t plus(std::size_t a, std::size_t b) {
  std::size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kNoSize : sum;
}

// Bytes from the start of the first of `height` rows, `pitch` bytes apart, to the end of the last; 0 if there are none.
inline std::size_t extent_of_rows(std::size_t pitch, std::size_t width, std::size_t height) {
  return width == 0 || height == 0 ? 0 : plus(times(pitch, height - 1), width);
}

// Does [first, first + count) lie in [0, size)?
inline bool within(std::size_t first, std::size_t count, std::size_t size) {
  return count <= size && first <= size - count;
}

// The same for addresses: do `count` bytes fit between `address` and the end of the address space?
inline bool can_lie_at(std::uint64_t address, std::size_t count) { return count <= UINT64_MAX - address; }

inline std::string size_text(std::size_t size) {
  return size == kNoSize ? "more than 2^64" : std::to_string(size);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
