// Chapter 08, experiment: the same sum with each of kBlocks and kThreads. A GPU shows how fast each grid is;
// the simulated GPU, which has no clock, shows each grid's counters.
#include <kernels.cuh>

#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <vector>

#include "harness/harness.h"
#include "harness/timing.h"
#include "variants.cuh"

namespace {

// An H200 has 132 multiprocessors: 66 blocks take half of them, 132 are one each, 264 are two … 1056 are what
// they hold at once (8 each, of 256 threads), and the larger grids are several times that.
constexpr int kBlocks[] = {1, 8, 66, 132, 264, 528, 1056, 2112, 4224, 8448, 32768};
constexpr int kMostSimulated = 8448;  // the largest takes as long as all others, and shows nothing new
// 33 and 48 are not multiples of 32: the block's second warp has lanes without a thread.
constexpr int kThreads[] = {32, 33, 48, 64, 128, 256, 512, 1024};

struct Row {
  int blocks, threads;
  std::optional<harness::Counters> counters;  // on the simulated GPU
  std::optional<harness::Timing> timing;      // on a real one
  double gigabytes_per_second;
};

// A table to print: its heading, and the number that it takes from each row.
struct Quantity {
  const char* heading;
  int decimals;
  std::function<double(const Row&)> of;
};
const std::vector<Quantity> kCounted = {
    {"warps in the grid", 0, [](const Row& r) { return double(r.blocks) * ((r.threads + 31) / 32); }},
    {"active lanes of 32", 1, [](const Row& r) { return r.counters->at("active_lanes"); }},
    {"global load requests", 0, [](const Row& r) { return r.counters->at("global_load_requests"); }},
    {"barrier waits", 0, [](const Row& r) { return r.counters->at("barriers"); }},
};
const std::vector<Quantity> kTimed = {
    {"GB/s", 1, [](const Row& r) { return r.gigabytes_per_second; }},
};

void print(const Quantity& quantity, const std::vector<Row>& rows) {
  std::printf("\n%s\n%8s", quantity.heading, "threads");
  for (int threads : kThreads) std::printf("%11d", threads);
  std::printf("\n%8s", "blocks");
  for (const Row& row : rows) {
    if (row.threads == kThreads[0]) std::printf("\n%8d", row.blocks);
    std::printf("%11.*f", quantity.decimals, quantity.of(row));
  }
  std::printf("\n");
}

// {"device": …, "n": …, "rows": [{"blocks": 1, "threads": 32, "milliseconds": …,
// "gigabytes_per_second": …}, …]}; on the simulated GPU a row has counters in place of these two.
void print_json(const harness::Options& options, const std::vector<Row>& rows) {
  nlohmann::ordered_json document = {{"program", options.program},
                                     {"device", harness::device_info().name},
                                     {"n", options.n},
                                     {"seed", options.seed},
                                     {"rows", nlohmann::ordered_json::array()}};
  for (const Row& row : rows) {
    nlohmann::ordered_json json = {{"blocks", row.blocks}, {"threads", row.threads}};
    if (row.timing) {
      json["milliseconds"] = row.timing->median;
      json["gigabytes_per_second"] = row.gigabytes_per_second;
    }
    if (row.counters)
      for (const char* name :
           {"active_lanes", "global_load_requests", "global_load_sectors", "barriers", "warp_instructions"})
        json[name] = row.counters->at(name);
    document["rows"].push_back(json);
  }
  std::printf("%s\n", document.dump(1).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "08_grid_sizing.sweep", "sums n floats with every number of blocks and threads");
  const std::vector<float> input = harness::small_integers(options.n, options.seed);  // exact in any order
  const harness::Reference expected = harness::reference_sum(input);
  const harness::DeviceBuffer<float> d_in(input);

  std::vector<Row> rows;
  for (int blocks : kBlocks) {
    if (harness::is_simulated() && blocks > kMostSimulated) continue;
    for (int threads : kThreads) {
      harness::DeviceBuffer<float> d_sums(blocks);
      d_sums.fill_poison();
      const auto launch = [&] {
        sum_any_block<<<blocks, threads, threads * sizeof(float)>>>(d_in.data(), d_sums.data(), options.n);
      };
      Row row{blocks, threads, {}, {}, 0};
      row.counters = harness::count_launches(launch);
      CUDA_CHECK_LAUNCH();
      row.timing = harness::time_launch(launch, {}, options.repeat);
      if (row.timing)
        row.gigabytes_per_second =
            harness::gigabytes_per_second(input.size() * sizeof(float), row.timing->median);

      const std::vector<float> sums = d_sums.download();
      const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
      const harness::Verdict verdict =
          harness::verify_sum(static_cast<float>(total), expected, harness::kExact);
      if (!verdict) {
        std::fprintf(stderr, "%d blocks of %d threads: %s\n", blocks, threads, verdict.message.c_str());
        return harness::kExitFailed;
      }
      rows.push_back(row);
    }
  }

  if (options.json) return print_json(options, rows), 0;
  std::printf("sums of %d floats, all right; one partial sum a block is written\n", options.n);
  for (const Quantity& quantity : harness::is_simulated() ? kCounted : kTimed) print(quantity, rows);
  return 0;
}
// SPDX-License-Identifier: MIT
