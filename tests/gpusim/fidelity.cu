// Does the simulated GPU count what a GPU counts? The solved kernels, against Nsight Compute's numbers for
// the same kernels on a GPU (tests/gpusim/data). Every full block counts the same, so a short input will do.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "fidelity.h"
#include "harness/counters.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"

// Both chapters have a kBlock of their own.
namespace chapter_01 {
#include "../../solutions/01_global_memory/kernels.cuh"
}
namespace chapter_02 {
#include "../../solutions/02_shared_memory/kernels.cuh"
}

namespace {

using namespace chapter_01;
using chapter_02::sum_tile;

constexpr int kBlocks = 256, kThreads = 256;
constexpr int kCount = kBlocks * kThreads;  // elements
static_assert(kThreads == chapter_01::kBlock && kThreads == chapter_02::kBlock, "the GPU's numbers are for it");
constexpr int kRunsCount = kThreads * kRun;  // elements that one block of sum_runs adds

struct Arrays {
  float *in, *scratch, *sums;
};

harness::Counters count(int n, const std::function<void(const Arrays&)>& launch) {
  harness::DeviceBuffer<float> d_in(harness::uniform_floats(n, 1)), d_scratch(n), d_sums(n);
  d_sums.fill_zero();
  return *harness::count_launches([&] { launch({d_in.data(), d_scratch.data(), d_sums.data()}); });
}

harness::Counters count_sum_in_place() {
  return count(kCount, [](const Arrays& d) { sum_in_place<<<kBlocks, kThreads>>>(d.in, d.sums, kCount); });
}
harness::Counters count_sum_tile() {
  return count(kCount, [](const Arrays& d) { sum_tile<<<kBlocks, kThreads>>>(d.in, d.sums, kCount); });
}

// Instructions are the compiler's business and are compared by inequality, below.
void compare(const std::string& kernel, const harness::Counters& simulated) {
  const nlohmann::json& on_gpu = fidelity::measured("kernels").at(kernel);
  REQUIRE(on_gpu.at("block") == kThreads);
  fidelity::compare(kernel, simulated, on_gpu);
}

}  // namespace

TEST_CASE("every kernel makes the requests, sectors and wavefronts that a GPU counts, block for block") {
  compare("sum_atomic", count(kCount, [](const Arrays& d) { sum_atomic<<<kBlocks, kThreads>>>(d.in, d.sums, kCount); }));
  compare("sum_runs", count(kRunsCount, [](const Arrays& d) { sum_runs<<<1, kThreads>>>(d.in, d.sums, kRunsCount); }));
  compare("sum_in_place", count_sum_in_place());
  compare("sum_out_of_place", count(kCount, [](const Arrays& d) {
            sum_out_of_place<<<kBlocks, kThreads>>>(d.in, d.scratch, d.sums, kCount);
          }));
  compare("sum_tile", count_sum_tile());
}

TEST_CASE("sum_tile issues fewer instructions than sum_in_place, as on a GPU") {
  const auto on_gpu = [](const char* kernel) {
    return int64_t(fidelity::measured("kernels")[kernel]["counters"]["warp_instructions"]);
  };
  CHECK(on_gpu("sum_tile") < on_gpu("sum_in_place"));
  CHECK(count_sum_tile().at("warp_instructions") < count_sum_in_place().at("warp_instructions"));
}

TEST_CASE("sum_tile has 95 shared loads, 55 shared stores and no bank conflict a block") {
  const harness::Counters counters = count_sum_tile();
  CHECK(counters.at("shared_load_wavefronts") == 95 * kBlocks);   // 2 x 47 in the tree, 1 for the sum
  CHECK(counters.at("shared_store_wavefronts") == 55 * kBlocks);  // 8 fill the tile, 47 in the tree
  CHECK(counters.at("shared_bank_conflicts") == 0);
  CHECK(counters.at("barriers") == 8 * 9 * kBlocks);  // 8 warps; one barrier after the load, one a level
}

TEST_CASE("sum_atomic queues every add for one address") {
  const harness::Counters counters =
      count(kCount, [](const Arrays& d) { sum_atomic<<<kBlocks, kThreads>>>(d.in, d.sums, kCount); });
  CHECK(counters.at("global_atomic_serialised") == kCount);
}
