// Chapter 13, experiment: what memory, shared memory and registers ask of a tile, by arithmetic alone.
#include <cstdio>

#include "bounds.h"
#include "harness/options.h"

int main(int argc, char** argv) {
  long long rows = 128, columns = 128, depth = 8, sums = 8, tiles = 2;
  harness::parse_options(argc, argv, "13_gemm.bounds",
                         "what a tiled product of matrices asks of a machine; --n is not used",
                         {{"--rows", "of a block's tile of C", &rows, 1, 1024},
                          {"--columns", "of a block's tile of C", &columns, 1, 1024},
                          {"--depth", "columns of A, rows of B at a time", &depth, 1, 256},
                          {"--sums", "a thread has so many rows and columns of sums", &sums, 1, 32},
                          {"--tiles", "2: the next is fetched while one is multiplied", &tiles, 1, 8}});
  if (rows % sums != 0 || columns % sums != 0) {
    std::fprintf(stderr,
                 "13_gemm.bounds: --sums %lld divides not both --rows %lld and --columns %lld (try --help)\n",
                 sums, rows, columns);
    return 2;
  }
  const Tile tile{int(rows), int(columns), int(depth), int(sums), int(sums), int(tiles)};
  std::printf("a tile of %lld x %lld, %lld deep, %lld at once; %lld x %lld sums a thread: %d threads\n\n",
              rows, columns, depth, tiles, sums, sums, tile.threads());
  std::printf("%-20s %9s %11s %11s %12s %12s %11s %11s %5s\n", "", "TFLOP/s", "GB/s", "least side",
              "shared words", "least sums", "shared", "registers", "");
  std::printf("%-20s %9s %11s %11s %12s %12s %11s %11s %5s\n", "machine", "at most", "needed", "of a tile",
              "a clock", "a side", "bytes", "a thread", "fits");
  for (const Machine& m : kMachines)
    std::printf("%-20s %9.1f %5.0f/%-5.0f %11.1f %7.0f/%-4.0f %12.1f %11d %7d/%-3d %5s\n", m.name,
                2 * fma_rate(m) / 1e12, bandwidth_needed(m, tile), m.gigabytes_per_second, least_side(m),
                shared_words_needed(m, tile), m.shared_words, least_sums(m), shared_bytes_needed(m, tile),
                registers_needed(m, tile), m.registers_per_thread, fits(m, tile) ? "yes" : "no");
  return 0;
}
// SPDX-License-Identifier: MIT
