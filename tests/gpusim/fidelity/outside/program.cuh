// What the programs of this directory do with a launch: nvcc's take its time, simcc's predict it. Rows of JSON come out.
#pragma once

#include "rows.cuh"

#include <algorithm>
#include <string_view>

#if __has_include(<gpusim/report.h>)
#include <gpusim/chosen_blocks.h>
#include <gpusim/report.h>
#endif

namespace outside {
namespace {

std::string_view wanted;
bool is_first = true;

#if __has_include(<gpusim/report.h>)
constexpr const char* kKind = "predicted";
constexpr u64 kBlocksRun = 0;  // all, as where GPUSIM_REPORT asks

std::string time_of(const std::function<void()>& launch) {
  gpusim::enable_reports();
  gpusim::enable_predictions();
  gpusim::run_some_blocks(kBlocksRun);
  launch();
  CALIBRATE_CHECK(cudaDeviceSynchronize());
  gpusim::run_some_blocks(0);
  const gpusim::Prediction& p = gpusim::last_report().prediction;
  std::string why = p.bottleneck;
  for (const std::string& what : p.not_modelled) why += "; not modelled: " + what;
  std::string savings;
  for (const gpusim::Saving& saving : p.savings)
    savings += (savings.empty() ? "{\"cost\": \"" : ", {\"cost\": \"") + saving.cost +
               "\", \"milliseconds\": " + std::to_string(saving.nanoseconds * 1e-6) + "}";
  return "\"milliseconds\": " + std::to_string(p.nanoseconds * 1e-6) + ", \"why\": \"" + why +
         "\", \"savings\": [" + savings + "]";
}
#else
constexpr const char* kKind = "measured";

// As the tutorial's harness does it (common/harness/timing.cpp): caches cold, launches queued behind what evicts.
std::string time_of(const std::function<void()>& launch) {
  constexpr int kWarmUps = 3, kRuns = 20;
  static cudaEvent_t start = nullptr, stop = nullptr;
  if (!start) {
    CALIBRATE_CHECK(cudaEventCreate(&start));
    CALIBRATE_CHECK(cudaEventCreate(&stop));
  }
  std::vector<float> samples;
  for (int run = -kWarmUps; run < kRuns; ++run) {
    calibrate::evict();
    CALIBRATE_CHECK(cudaEventRecord(start));
    launch();
    CALIBRATE_CHECK(cudaEventRecord(stop));
    CALIBRATE_CHECK(cudaGetLastError());
    CALIBRATE_CHECK(cudaDeviceSynchronize());
    float milliseconds = 0;
    CALIBRATE_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    if (run >= 0) samples.push_back(milliseconds);
  }
  std::sort(samples.begin(), samples.end());
  return "\"milliseconds\": " + std::to_string((samples[kRuns / 2 - 1] + samples[kRuns / 2]) / 2) +
         ", \"q1\": " + std::to_string(samples[kRuns / 4]) +
         ", \"q3\": " + std::to_string(samples[3 * kRuns / 4]);
}
#endif

}  // namespace

void row(const std::string& name, const std::function<void()>& launch) {
  if (name.find(wanted) == std::string::npos) return;
  std::printf("%s\n  {\"kernel\": \"%s\", %s}", is_first ? "" : ",", name.c_str(), time_of(launch).c_str());
  std::fflush(stdout);
  is_first = false;
}

// The body of main(): rows() calls row() for each launch. An argument names the kernels that are run: those in whose name it
// stands.
template <class Rows>
void run_rows(int argc, char** argv, const Rows& rows) {
  if (argc > 1) wanted = argv[1];
  cudaDeviceProp properties;
  CALIBRATE_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("{\"gpu\": \"%s\", \"times\": \"%s\", \"rows\": [", properties.name, kKind);
  rows();
  std::printf("\n]}\n");
}

}  // namespace outside
// SPDX-License-Identifier: MIT
