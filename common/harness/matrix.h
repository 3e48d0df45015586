// Matrices of elements of 4, 8 or 16 bytes, row after row: their contents, and whether one is the transpose of
// another. Nothing is computed, so results are compared bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/reference.h"

namespace harness {

// An element of 16 bytes. nvcc moves it with one instruction. clang's own assignment moves two halves of 8 bytes, and merges a member
// that two branches have in common; the simulated GPU would count more requests than a GPU makes. A vector stays whole.
struct alignas(16) Quad {
  float x, y, z, w;
#if defined(__clang__) && defined(__CUDA__)
  typedef float AllFour __attribute__((ext_vector_type(4), may_alias));
  __attribute__((host, device)) Quad& operator=(const Quad& other) {
    *reinterpret_cast<AllFour*>(this) = *reinterpret_cast<const AllFour*>(&other);
    return *this;
  }
#endif
};
static_assert(sizeof(Quad) == 16 && std::is_aggregate_v<Quad>);

// How many rows and columns a matrix has.
struct Shape {
  int rows, columns;
};

// The squarest matrix of n elements that is no higher than wide. 2^25 elements are 4096 x 8192, a prime
// number of elements is one row, and 0 elements are 0 x 0.
Shape squarest(int n);

// The shape that --n, --rows and --columns of `program` ask for. If rows or columns are 0, --n decides them;
// if neither is, *n follows from them. If the three contradict each other, this ends the program with one
// line.
Shape choose_shape(const std::string& program, int* n, long long rows, long long columns);

// Writes `count` elements (at most 2^30) that are all different, for any seed. `element_bytes` is a multiple
// of 4, and each word of 4 bytes is a float in [2^-63, 2^65).
void fill_distinct(void* elements, std::size_t count, std::size_t element_bytes, std::uint64_t seed);

// Compares `got` with the transpose of `input`, which is rows x columns. The message names the first wrong
// element, and which element it holds: "out[5][3] holds in[4][3], expected in[3][5]; 992 of 1024 elements are
// wrong".
Verdict verify_transpose(const void* got, const void* input, std::size_t element_bytes, int rows,
                         int columns);

template <typename T> std::vector<T> distinct_elements(std::size_t count, std::uint64_t seed) {
  std::vector<T> elements(count);
  fill_distinct(elements.data(), count, sizeof(T), seed);
  return elements;
}

template <typename T>
Verdict verify_transpose(const std::vector<T>& got, const std::vector<T>& input, int rows, int columns) {
  return verify_transpose(got.data(), input.data(), sizeof(T), rows, columns);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
