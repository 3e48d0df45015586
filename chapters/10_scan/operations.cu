// Chapter 10, experiment: how many additions does a scan of N elements take? Counts them while the kernels
// run, and prints them next to what formulas say. With --json, it prints them as data for a plot.
#include <kernels.cuh>

#include <cstdio>
#include <cstring>
#include <vector>

#include "counted.cuh"
#include "harness/device.h"
#include "harness/device_buffer.h"
#include "harness/output_file.h"

namespace {

struct Row {
  unsigned long long n, sequential, kogge_stone, brent_kung;  // additions
};

template <int kN>
Row count() {
  harness::DeviceBuffer<Counted> d_in(kN), d_out(kN), d_totals(1);
  d_in.fill_zero();
  Row row{kN, 0, 0, 0};
  for (int i = 1; i < kN; ++i) ++row.sequential;  // out[i] = out[i - 1] + in[i]
  row.kogge_stone = count_additions(
      [&] { scan_kogge_stone<Counted, kN, Scan::inclusive><<<1, kN>>>(d_in.data(), d_out.data(), kN); });
  row.brent_kung = count_additions([&] {
    scan_brent_kung<Counted, kN, Scan::inclusive>
        <<<1, kN / 2>>>(d_in.data(), d_out.data(), d_totals.data(), kN);
  });
  return row;
}

unsigned long long log2_of(unsigned long long n) { return n <= 1 ? 0 : 1 + log2_of(n / 2); }

void print_table(const std::vector<Row>& rows) {
  std::printf("additions of one scan of N elements, counted | and by formula\n\n");
  std::printf("%5s %11s %12s %11s | %6s %14s %7s %12s\n", "N", "sequential", "Kogge-Stone", "Brent-Kung",
              "N-1", "N log2N-(N-1)", "2N-3", "2N-2-log2N");
  for (const Row& r : rows)
    std::printf("%5llu %11llu %12llu %11llu | %6llu %14llu %7llu %12llu\n", r.n, r.sequential, r.kogge_stone,
                r.brent_kung, r.n - 1, r.n * log2_of(r.n) - (r.n - 1), 2 * r.n - 3,
                2 * r.n - 2 - log2_of(r.n));
}

void print_json(const std::vector<Row>& rows) {
  std::printf("{\"what\": \"additions of one inclusive scan of n elements, counted in a run\",\n");
  std::printf(" \"rows\": [");
  const char* separator = "\n";
  for (const Row& r : rows) {
    std::printf("%s  {\"n\": %llu, \"sequential\": %llu, ", separator, r.n, r.sequential);
    std::printf("\"kogge_stone\": %llu, \"brent_kung\": %llu}", r.kogge_stone, r.brent_kung);
    separator = ",\n";
  }
  std::printf("\n]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  harness::refuse_lost_output();
  const bool json = argc == 2 && std::strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) {
    const bool help = argc == 2 && std::strcmp(argv[1], "--help") == 0;
    std::fprintf(help ? stdout : stderr, "usage: 10_scan.operations [--json]\n");
    return help ? 0 : harness::kExitBadOption;
  }
  harness::require_gpu();
  const std::vector<Row> rows = {count<16>(),  count<32>(),  count<64>(),  count<128>(),
                                 count<256>(), count<512>(), count<1024>()};
  json ? print_json(rows) : print_table(rows);
  return 0;
}
// SPDX-License-Identifier: MIT
