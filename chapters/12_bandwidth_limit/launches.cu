// Chapter 12, experiment: what does a launch cost if its kernel does nothing?
#include <kernels.cuh>

#include <string>

#include "harness/harness.h"

namespace {

__global__ void nothing() {}

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options =
      harness::parse_options(argc, argv, "12_bandwidth_limit.launches", "times launches that do nothing");
  harness::Report report(options);
  const harness::Verdict nothing_to_verify{true, ""};
  const auto measure = [&](const std::string& name, const std::function<void()>& launch) {
    report.measure(name, 0, launch);
    report.verify(nothing_to_verify);
  };
  measure("no launch", [] {});
  for (const int blocks : {1, 132, 1056, 8192})
    measure("1 launch, blocks: " + std::to_string(blocks), [=] { nothing<<<blocks, kBlock>>>(); });
  measure("2 launches, blocks: 1056 and 1", [] {
    nothing<<<1056, kBlock>>>();
    nothing<<<1, kBlock>>>();
  });
  return report.finish();
}
// SPDX-License-Identifier: MIT
