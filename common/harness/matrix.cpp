#include "harness/matrix.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "harness/device.h"

namespace harness {
namespace {

// "in[3][5]"
std::string place(const char* matrix, std::size_t element, std::size_t columns) {
  return matrix + ("[" + std::to_string(element / columns)) + "][" + std::to_string(element % columns) + "]";
}

}  // namespace

Shape squarest(int n) {
  int rows = 0;
  for (int r = 1; n > 0 && r <= n / r; ++r)
    if (n % r == 0) rows = r;
  return {rows, rows == 0 ? 0 : n / rows};
}

Shape choose_shape(const std::string& program, int* n, long long rows, long long columns) {
  const auto refuse = [&](const std::string& what) {
    std::fprintf(stderr, "%s: %s (try --help)\n", program.c_str(), what.c_str());
    std::exit(kExitBadOption);
  };
  if (rows == 0 && columns == 0) return squarest(*n);
  if (rows > 0 && columns > 0) {
    if (rows * columns > 1LL << 30) refuse("--rows times --columns is more than 2^30 elements");
    *n = static_cast<int>(rows * columns);
  } else if (const long long given = rows + columns; *n % given != 0) {
    refuse(std::string(rows > 0 ? "--rows " : "--columns ") + std::to_string(given) +
           " does not divide --n " + std::to_string(*n) + ": give both --rows and --columns");
  }
  if (rows == 0) rows = *n / columns;
  if (columns == 0) columns = *n / rows;
  return {static_cast<int>(rows), static_cast<int>(columns)};
}

void fill_distinct(void* elements, std::size_t count, std::size_t element_bytes, std::uint64_t seed) {
  constexpr std::uint32_t kOdd = 2654435761u;  // an odd factor permutes the numbers below 2^30
  constexpr std::uint32_t kMask = (1u << 30) - 1;
  constexpr std::uint32_t kFirst = 0x20000000;  // 2^-63, the first of 2^30 consecutive floats
  unsigned char* to = static_cast<unsigned char*>(elements);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t word = 0; word < element_bytes / 4; ++word, to += 4) {
      // The words of an element differ, so two words in the wrong order are found.
      const std::uint32_t number = static_cast<std::uint32_t>(i + word * 7 + seed);
      const std::uint32_t bits = kFirst + ((number * kOdd) & kMask);
      std::memcpy(to, &bits, 4);
    }
  }
}

Verdict verify_transpose(const void* got, const void* input, std::size_t element_bytes, int rows,
                         int columns) {
  if (verifies_nothing()) return {};
  const auto* out = static_cast<const unsigned char*>(got);
  const auto* in = static_cast<const unsigned char*>(input);
  const std::size_t in_columns = columns, out_columns = rows, count = in_columns * out_columns;
  const auto same = [&](std::size_t of_out, std::size_t of_in) {
    return std::memcmp(out + of_out * element_bytes, in + of_in * element_bytes, element_bytes) == 0;
  };
  std::size_t wrong = 0, first = count;
  constexpr std::size_t kBand = 16;  // columns of the input at a time: they fit the host's caches
  for (std::size_t band = 0; band < in_columns; band += kBand) {
    for (std::size_t row = 0; row < out_columns; ++row) {
      for (std::size_t column = band; column < std::min(band + kBand, in_columns); ++column) {
        const std::size_t i = column * out_columns + row;
        if (same(i, row * in_columns + column)) continue;
        first = std::min(first, i);
        ++wrong;
      }
    }
  }
  if (wrong == 0) return {};

  std::size_t source = 0;
  while (source < count && !same(first, source)) ++source;
  const std::string expected =
      place("in", first % out_columns * in_columns + first / out_columns, in_columns);
  return {false, place("out", first, out_columns) + " holds " +
                     (source < count ? place("in", source, in_columns) : "no element of the input") +
                     ", expected " + expected + "; " + std::to_string(wrong) + " of " +
                     std::to_string(count) + " elements are wrong"};
}

}  // namespace harness
// SPDX-License-Identifier: MIT
