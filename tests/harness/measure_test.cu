// A kernel measured the way that a chapter's program does it.
#include <doctest/doctest.h>

#include "harness/harness.h"

namespace {

constexpr int kBlock = 64;

// Adds 1 to each of data[0, n).
__global__ void increment(int* data, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) data[i] += 1;
}

harness::Options options() {
  harness::Options options;
  options.program = "increment";
  options.summary = "adds 1";
  options.n = 1000;
  options.repeat = 3;
  return options;
}

}  // namespace

TEST_CASE("launches are counted on the simulated GPU and not on a real one") {
  harness::DeviceBuffer<int> d_data(std::vector<int>(256, 0));
  const auto counters = harness::count_launches([&] {
    increment<<<4, kBlock>>>(d_data.data(), 256);
    increment<<<4, kBlock>>>(d_data.data(), 256);
  });
  CHECK(d_data.download() == std::vector<int>(256, 2));
  REQUIRE(counters.has_value() == harness::is_simulated());
  if (!counters) return;
  CHECK(counters->at("launches") == 2);
  CHECK(counters->at("blocks") == 8);
  CHECK(counters->at("global_load_requests") == 16);  // 2 launches of 8 warps
  CHECK(counters->at("global_load_sectors") == 64);   // 32 lanes x 4 bytes are 4 sectors
  CHECK(counters->at("global_store_sectors_per_request") == 4);
  CHECK(counters->at("shared_bank_conflicts") == 0);
}

TEST_CASE("earlier launches are not counted") {
  harness::DeviceBuffer<int> d_data(std::vector<int>(kBlock, 0));
  const auto launch = [&] { increment<<<1, kBlock>>>(d_data.data(), kBlock); };
  const auto first = harness::count_launches(launch), second = harness::count_launches(launch);
  REQUIRE(first.has_value() == harness::is_simulated());
  if (first) CHECK(first->at("warp_instructions") == second->at("warp_instructions"));
}

TEST_CASE("a trace of the only block has a step for every warp instruction") {
  harness::DeviceBuffer<int> d_data(std::vector<int>(kBlock, 0));
  std::optional<harness::Counters> counters;
  const std::string json = harness::trace_launches(
      [&] { counters = harness::count_launches([&] { increment<<<1, kBlock>>>(d_data.data(), kBlock); }); });
  CHECK(d_data.download() == std::vector<int>(kBlock, 1));
  REQUIRE(json.empty() == !harness::is_simulated());
  if (json.empty()) return;
  std::size_t steps = 0;
  for (std::size_t at = 0; (at = json.find("{\"pc\":", at)) != std::string::npos; ++at) ++steps;
  CHECK(steps == counters->at("warp_instructions"));
}

TEST_CASE("a profile shows the source of what was counted") {
  harness::DeviceBuffer<int> d_data(std::vector<int>(kBlock, 0));
  const auto launch = [&] { increment<<<1, kBlock>>>(d_data.data(), kBlock); };
  launch();
  const std::size_t before = harness::profile_text(false).size();
  harness::count_launches(launch);
  const std::string text = harness::profile_text(false).substr(before);
  REQUIRE(text.empty() == !harness::is_simulated());
  if (text.empty()) return;
  CHECK(text.find("increment, grid 1, block 64\n") != std::string::npos);
  CHECK(text.find("if (i < n) data[i] += 1;\n") != std::string::npos);
}

TEST_CASE("nothing launched is nothing counted") {
  const auto counters = harness::count_launches([] {});
  REQUIRE(counters.has_value() == harness::is_simulated());
  if (counters) CHECK(counters->at("launches") == 0);
}

TEST_CASE("every run of a measured kernel starts from what prepare leaves") {
  harness::DeviceBuffer<int> d_data(1000);
  harness::Report report(options());
  report.measure_step(
      "increment", d_data.bytes(), [&] { increment<<<16, kBlock>>>(d_data.data(), 1000); },
      [&] { d_data.fill_zero(); });
  CHECK(d_data.download() == std::vector<int>(1000, 1));
  CHECK(d_data.guards_intact());

  const harness::SummaryRow& row = report.summary().rows.at(0);
  CHECK(row.kernel == "increment");
  CHECK(row.is_step);
  CHECK(row.counters.has_value() == harness::is_simulated());
  CHECK(row.timing.has_value() == !harness::is_simulated());
  CHECK(report.summary().copy_gigabytes_per_second.has_value() == !harness::is_simulated());
}

TEST_CASE("a row is right when all its verdicts are and the first bad one stays") {
  harness::Report report(options());
  report.measure("nothing", 0, [] {});
  CHECK_FALSE(report.summary().all_verified());
  report.verify({});
  CHECK(report.summary().all_verified());
  report.verify({false, "first"});
  report.verify({false, "second"});
  report.verify({});
  CHECK_FALSE(report.summary().all_verified());
  CHECK(report.summary().rows[0].message == "first");
}
// SPDX-License-Identifier: MIT
