// How large the tiles of a matrix product must be, so that arithmetic is what limits it (G. Tan et al.: "Fast
// implementation of DGEMM on Fermi GPU", SC 2011, section 3, derived again on the page). A block makes rows x columns
// elements of C, depth elements of k at a time; a thread sum_rows x sum_columns of them, in registers.
#pragma once

#include <cmath>

// Figures of one multiprocessor, unless a comment says otherwise.
struct Machine {
  const char* name;
  int multiprocessors;
  double gigahertz;
  double fma_lanes;             // multiply-adds that a multiprocessor can begin in one clock
  double gigabytes_per_second;  // of device memory, all multiprocessors together
  double shared_words;          // of 4 bytes, that shared memory delivers in one clock
  int shared_bytes;             // that a block can have
  int registers;                // of 4 bytes
  int registers_per_thread;     // at most
  int element_bytes;
};

struct Tile {
  int rows, columns, depth;
  int sum_rows, sum_columns;
  int tiles_at_once;  // 2 where the next tile is fetched while this one is multiplied

  int threads() const { return rows / sum_rows * (columns / sum_columns); }
};

// Multiply-adds a second, all multiprocessors together.
inline double fma_rate(const Machine& m) { return m.multiprocessors * m.fma_lanes * m.gigahertz * 1e9; }

// Device memory. For each k a block reads rows + columns elements and makes rows * columns multiply-adds, so a
// multiply-add takes element_bytes * (1 / rows + 1 / columns) bytes, if no cache helps.
inline double bytes_per_fma(const Machine& m, double rows, double columns) {
  return m.element_bytes * (1 / rows + 1 / columns);
}
inline double bandwidth_needed(const Machine& m, const Tile& t) {  // GB/s
  return fma_rate(m) * bytes_per_fma(m, t.rows, t.columns) / 1e9;
}
// The least side of a square tile that memory can feed.
inline double least_side(const Machine& m) {
  return 2 * m.element_bytes * fma_rate(m) / (m.gigabytes_per_second * 1e9);
}

// Shared memory. For each k a thread reads sum_rows + sum_columns elements and makes sum_rows * sum_columns
// multiply-adds, if no two lanes share what they read.
inline double shared_words_needed(const Machine& m, const Tile& t) {  // a clock
  return m.fma_lanes * (m.element_bytes / 4.0) * (1.0 / t.sum_rows + 1.0 / t.sum_columns);
}
// The least side of a square of sums that shared memory can feed.
inline double least_sums(const Machine& m) {
  return 2 * m.fma_lanes * (m.element_bytes / 4.0) / m.shared_words;
}

// How much room tiles and sums take.
inline int shared_bytes_needed(const Machine& m, const Tile& t) {
  return t.tiles_at_once * (t.rows + t.columns) * t.depth * m.element_bytes;
}
// Sums, and the factors of one k. Addresses and counters come on top.
inline int registers_needed(const Machine& m, const Tile& t) {  // of a thread
  return m.element_bytes / 4 * (t.sum_rows * t.sum_columns + t.sum_rows + t.sum_columns);
}
inline bool fits(const Machine& m, const Tile& t) {
  return shared_bytes_needed(m, t) <= m.shared_bytes && registers_needed(m, t) <= m.registers_per_thread &&
         registers_needed(m, t) * t.threads() <= m.registers;
}

// From NVIDIA's data sheets and tuning guides: H200 and H100 SXM (compute capability 9.0), Tesla C2050 (2.0), whose
// multiprocessor begins 16 multiply-adds of doubles in a clock.
inline constexpr Machine kMachines[] = {
    {"H200, float", 132, 1.98, 128, 4800, 32, 227 * 1024, 65536, 255, 4},
    {"H100 SXM, float", 132, 1.98, 128, 3350, 32, 227 * 1024, 65536, 255, 4},
    {"Fermi C2050, double", 14, 1.15, 16, 144, 32, 48 * 1024, 32768, 63, 8},
};
// SPDX-License-Identifier: MIT
