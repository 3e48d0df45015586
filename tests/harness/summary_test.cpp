// The two texts of a result: a table that is aligned, and JSON that keeps its schema.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "harness/summary.h"

namespace {

// The counters that the table shows, and one that it does not.
harness::Counters counters(double warp_instructions) {
  return harness::Counters({{"warp_instructions", warp_instructions},
                            {"active_lanes", 31.25},
                            {"global_load_sectors_per_request", 4},
                            {"global_store_sectors_per_request", 1},
                            {"shared_bank_conflicts", 72},
                            {"barriers", 9},
                            {"votes", 3}});
}

harness::Summary simulated() {
  harness::Summary summary{"02_shared_memory", "sums tiles", {"Simulated GPU", true, ""}, 1048576, 7, {}, {}};
  summary.rows.resize(2);
  summary.rows[0] = {"sum_slow", false, 4e6, true, "", counters(999), {}, {}};
  summary.rows[1] = {"sum_tile", true, 4e6, true, "", counters(8028160), {}, {}};
  return summary;
}

harness::Summary timed() {
  harness::Summary summary{
      "01_global_memory", "sums", {"NVIDIA H200", false, "13.0"}, 1 << 20, 1, 4000.0, {}};
  summary.rows.resize(1);
  summary.rows[0] = {"sum_in_place", true, 4e6, true, "", {}, harness::Timing{0.002, 0.001, 0.003, 20}, {}};
  return summary;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("the table of a simulated run names device and size and counters") {
  CHECK(
      harness::to_table(simulated()) ==
      "02_shared_memory: sums tiles\n"
      "Simulated GPU, n = 1,048,576, seed 7\n"
      "\n"
      "kernel    result  warp instr.  active lanes  sectors/load  sectors/store  bank conflicts  barriers\n"
      "sum_slow  ok              999          31.2           4.0            1.0              72         9\n"
      "sum_tile  ok        8,028,160          31.2           4.0            1.0              72         9\n");
}

TEST_CASE("the table of a GPU run has times and the copy they are compared with") {
  CHECK(harness::to_table(timed()) ==
        "01_global_memory: sums\n"
        "NVIDIA H200, n = 1,048,576, seed 1\n"
        "\n"
        "kernel        result  median ms   q1 ms   q3 ms     GB/s  % of copy\n"
        "sum_in_place  ok         0.0020  0.0010  0.0030  2,000.0       50.0\n"
        "a copy on this device reads and writes 4,000.0 GB/s\n");
}

TEST_CASE("all lines of a table's body are equally long") {
  auto summary = simulated();
  summary.rows[0].counters = counters(123456789012);
  summary.rows[1].verified = false;
  const auto lines = lines_of(harness::to_table(summary));
  CHECK(lines[3].size() == lines[4].size());
  CHECK(lines[4].size() == lines[5].size());
}

TEST_CASE("a wrong row is marked and explained below the table") {
  auto summary = simulated();
  summary.rows[1].verified = false;
  summary.rows[1].message = "block 16: sum 4097, expected 4096.5";
  const auto lines = lines_of(harness::to_table(summary));
  CHECK(lines[5].find("WRONG") != std::string::npos);
  CHECK(lines.back() == "sum_tile: block 16: sum 4097, expected 4096.5");
  CHECK_FALSE(summary.all_verified());
}

TEST_CASE("the JSON of a simulated run has its schema") {
  const auto json = nlohmann::json::parse(harness::to_json(simulated()));
  CHECK(json["program"] == "02_shared_memory");
  CHECK(json["device"] ==
        nlohmann::json({{"name", "Simulated GPU"}, {"simulated", true}, {"cuda", nullptr}}));
  CHECK(json["n"] == 1048576);
  CHECK(json["seed"] == 7);
  CHECK(json["copy_gigabytes_per_second"].is_null());
  REQUIRE(json["rows"].size() == 2);
  const auto& row = json["rows"][1];
  CHECK(json["rows"][0]["step"] == false);
  CHECK(row["kernel"] == "sum_tile");
  CHECK(row["step"] == true);
  CHECK(row["verified"] == true);
  CHECK(row["message"] == "");
  CHECK(row["timing"].is_null());
  CHECK(row["counters"]["warp_instructions"].dump() == "8028160");  // a count is an integer
  CHECK(row["counters"]["active_lanes"] == 31.25);
  CHECK(row["counters"]["votes"] == 3);
}

TEST_CASE("the JSON of a GPU run has its schema") {
  const auto json = nlohmann::json::parse(harness::to_json(timed()));
  CHECK(json["device"] == nlohmann::json({{"name", "NVIDIA H200"}, {"simulated", false}, {"cuda", "13.0"}}));
  CHECK(json["copy_gigabytes_per_second"] == 4000.0);
  const auto& row = json["rows"][0];
  CHECK(row["counters"].is_null());
  CHECK(row["timing"]["milliseconds"] == 0.002);
  CHECK(row["timing"]["q1"] == 0.001);
  CHECK(row["timing"]["q3"] == 0.003);
  CHECK(row["timing"]["samples"] == 20);
  CHECK(row["timing"]["gigabytes_per_second"].get<double>() == doctest::Approx(2000));
  CHECK(row["timing"]["percent_of_copy"].get<double>() == doctest::Approx(50));
}

TEST_CASE("what is proved stands below the table and in the JSON") {
  auto summary = simulated();
  CHECK(harness::to_json(summary).find("\"proof\"") == std::string::npos);
  summary.rows[1].proved = {"not_proved", "k.cuh", 12, "takes its address from memory",
                            "not proved: k.cuh:12 takes its address from memory"};
  CHECK(harness::to_table(summary).find("not proved") ==
        std::string::npos);  // a profile has it beside the line
  summary.shows_proofs = true;
  CHECK(harness::to_table(summary).ends_with(
      "9\nsum_tile: not proved: k.cuh:12 takes its address from memory\n"));
  const auto rows = nlohmann::json::parse(harness::to_json(summary))["rows"];
  CHECK_FALSE(rows[0].contains("proof"));
  CHECK(rows[1]["proof"] == nlohmann::json({{"verdict", "not_proved"},
                                            {"file", "k.cuh"},
                                            {"line", 12},
                                            {"reason", "takes its address from memory"}}));
}

TEST_CASE("a run without elements has a bandwidth of 0 and no share of a copy") {
  auto summary = timed();
  summary.copy_gigabytes_per_second = std::nullopt;
  summary.rows[0].bytes = 0;
  const auto json = nlohmann::json::parse(harness::to_json(summary));
  CHECK(json["rows"][0]["timing"]["gigabytes_per_second"] == 0);
  CHECK(json["rows"][0]["timing"]["percent_of_copy"].is_null());
  CHECK(harness::to_table(summary).find("0.0          -\n") != std::string::npos);
}

TEST_CASE("a kernel that is about arithmetic has a column and a value in TFLOP/s") {
  harness::Summary summary = timed();
  CHECK(harness::to_table(summary).find("TFLOP/s") == std::string::npos);
  CHECK(harness::to_json(summary).find("teraflops") == std::string::npos);
  summary.rows[0].operations = 1e8;  // in 0.002 ms
  CHECK(harness::to_table(summary).find("TFLOP/s\n") != std::string::npos);
  CHECK(harness::to_table(summary).find("50.00\n") != std::string::npos);
  CHECK(nlohmann::json::parse(harness::to_json(summary))["rows"][0]["timing"]["teraflops"] ==
        doctest::Approx(50));
}

TEST_CASE("a predicted time is told with its error and as computed") {
  harness::Summary summary = simulated();
  summary.rows.resize(1);
  summary.rows[0].counters = std::nullopt;
  summary.rows[0].predicted = harness::Predicted{0.002, 4000, 0.25, "NVIDIA H200", "clang 14", "because"};
  CHECK(
      harness::to_table(summary) ==
      "02_shared_memory: sums tiles\n"
      "Simulated GPU, n = 1,048,576, seed 7\n"
      "\n"
      "kernel    result  predicted ms  error  predicted GB/s  % of copy\n"
      "sum_slow  -             0.0020   25 %         2,000.0       50.0\n"
      "\n"
      "predicted for an NVIDIA H200, ± 25 % (nine in ten predictions that were compared with measured times were at least this close): "
      "computed by a model from the PTX of clang 14, not measured; only some blocks of a large grid ran\n"
      "sum_slow: because\n");
  CHECK(nlohmann::json::parse(harness::to_json(summary))["rows"][0]["predicted"]["error"] == 0.25);

  CHECK(nlohmann::json::parse(harness::to_json(summary))["rows"][0]["predicted"]["derived_from"].is_null());

  summary.rows[0].predicted->derived_from = "h100";
  CHECK(
      harness::to_table(summary).find(
          "predicted for an NVIDIA H200. This GPU has not been measured: its model is derived from that of h100. ± 25 % is "
          "that of an H200 derived from an H100, and back; this GPU may be further off. Computed by a model from the PTX of "
          "clang 14, not measured; only some blocks of a large grid ran\n") != std::string::npos);
  CHECK(nlohmann::json::parse(harness::to_json(summary))["rows"][0]["predicted"]["derived_from"] == "h100");

  summary.rows[0].predicted->error = 0;  // nothing was held against that GPU
  CHECK(harness::to_table(summary).find("unknown") != std::string::npos);
  CHECK(harness::to_table(summary).find("by how much it is off is not known") != std::string::npos);
  CHECK(nlohmann::json::parse(harness::to_json(summary))["rows"][0]["predicted"]["error"].is_null());
}

TEST_CASE("a row that nobody verified counts as wrong") {
  harness::Summary summary;
  CHECK(summary.all_verified());
  summary.rows.emplace_back();
  CHECK_FALSE(summary.all_verified());
  CHECK(summary.rows[0].message == "never verified");
}

TEST_CASE("a counter that does not exist is an error that names it") {
  CHECK(counters(1).at("barriers") == 9);
  CHECK_THROWS_WITH_AS(counters(1).at("bariers"), "no counter is called 'bariers'", std::out_of_range);
}
// SPDX-License-Identifier: MIT
