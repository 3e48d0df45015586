#include "sum_run.h"

#include <cuda_runtime.h>

#include <numeric>

#include "judge.h"
#include "launch_check.h"
#include "sum_checks.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

Leftovers leftovers_now = Leftovers::poison;

// Arrays for inputs of one length, and what a launch on them leaves.
class Arrays {
 public:
  Arrays(const SumKernel& kernel, std::size_t n, Guards guards)
      : kernel_(kernel), n_(static_cast<int>(n)), d_in_(n, guards), d_sums_(kernel.count_of(n_), guards) {}

  Run run(const std::string& what, const std::vector<float>& input, Leftovers leftovers) {
    leftovers_now = leftovers;
    d_in_.upload(input);
    fill_leftovers(d_sums_);
    kernel_.launch(d_in_.data(), d_sums_.data(), n_);
    check_launch(what);

    Run result{d_sums_.download(), d_in_.download(), {}};
    std::string message;
    if (!d_sums_.guards_intact(&message)) result.outside = "sums: " + message;
    if (!d_in_.guards_intact(&message)) result.outside = "input: " + message;
    return result;
  }

 private:
  const SumKernel& kernel_;
  int n_;
  DeviceBuffer<float> d_in_, d_sums_;
};

}  // namespace

Run run(const SumKernel& kernel, const std::string& what, const std::vector<float>& input, Guards guards,
        Leftovers leftovers) {
  return Arrays(kernel, input.size(), guards).run(what, input, leftovers);
}

Run run_again(const SumKernel& kernel, const std::string& what, const std::vector<float>& first,
              const std::vector<float>& second) {
  Arrays arrays(kernel, first.size(), Guards::zones);
  arrays.run(what, first, Leftovers::poison);
  return arrays.run(what, second, Leftovers::poison);
}

void fill_leftovers(DeviceBuffer<float>& array) {
  if (leftovers_now == Leftovers::poison) array.fill_poison();
  if (leftovers_now == Leftovers::zeros) array.fill_zero();
}

void add_up(int count, float* d_sum, const std::function<void(float* d_sums)>& launch) {
  DeviceBuffer<float> d_sums(count);
  fill_leftovers(d_sums);
  launch(d_sums.data());
  check_launch("the kernel that leaves " + std::to_string(count) + (count == 1 ? " sum" : " sums"));
  std::string message;
  if (!d_sums.guards_intact(&message)) report(Kind::wrong_result, "outside the sums: " + message);
  const std::vector<float> sums = d_sums.download();
  const float total = static_cast<float>(std::accumulate(sums.begin(), sums.end(), 0.0));
  if (cudaMemcpy(d_sum, &total, sizeof total, cudaMemcpyHostToDevice) != cudaSuccess)
    report(Kind::fault, "the total has no place to go");
}

}  // namespace judge
// SPDX-License-Identifier: MIT
