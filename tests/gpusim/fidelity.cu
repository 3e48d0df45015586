// Does the simulated GPU count what a GPU counts? The solved kernels, against Nsight Compute's numbers for
// the same kernels on a GPU (tests/gpusim/data). Every full block counts the same, so a short input will do:
// the numbers are compared per block. NCU_DATA, set by the build, is the path of those numbers.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

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

constexpr int kBlock = 256, kBlocks = 256;
constexpr int kCount = kBlock * kBlocks;  // elements
static_assert(kBlock == chapter_01::kBlock && kBlock == chapter_02::kBlock, "the GPU's numbers are for it");

// Arbitration adds 1 to 3 % to the wavefronts of a GPU, and they are no conflicts of the kernel's.
constexpr double kWavefrontNoise = 0.03;

nlohmann::json measured_on_gpu() {
  std::ifstream file(NCU_DATA);
  REQUIRE_MESSAGE(file.good(), "cannot read " NCU_DATA);
  return nlohmann::json::parse(file);
}

struct Buffers {
  harness::DeviceBuffer<float> in{harness::uniform_floats(kCount, 1)};
  harness::DeviceBuffer<float> sums{kCount};
};

harness::Counters count(const std::function<void(float* d_in, float* d_sums)>& launch) {
  Buffers d;
  d.sums.fill_zero();
  return *harness::count_launches([&] { launch(d.in.data(), d.sums.data()); });
}

harness::Counters count_sum_in_place() {
  return count([](float* d_in, float* d_sums) {
    chapter_01::sum_in_place<<<kBlocks, kBlock>>>(d_in, d_sums, kCount);
  });
}

harness::Counters count_sum_tile() {
  return count([](float* d_in, float* d_sums) {
    chapter_02::sum_tile<<<kBlocks, kBlock>>>(d_in, d_sums, kCount);
  });
}

bool is_wavefronts(const std::string& counter) { return counter.find("_wavefronts") != std::string::npos; }

// Instructions are the compiler's business and are compared by inequality, below.
void compare(const harness::Counters& simulated, const std::string& kernel) {
  const nlohmann::json gpu = measured_on_gpu()["kernels"].at(kernel);
  REQUIRE(gpu["block"] == kBlock);
  const double blocks = gpu["grid"];
  for (const auto& counter : gpu["counters"].items()) {
    const std::string name = counter.key();
    if (name == "warp_instructions") continue;
    const double on_gpu = double(counter.value()) / blocks;
    CAPTURE(name);
    if (is_wavefronts(name))
      CHECK(simulated.at(name) / kBlocks == doctest::Approx(on_gpu).epsilon(kWavefrontNoise));
    else
      CHECK(simulated.at(name) / kBlocks == on_gpu);
  }
}

}  // namespace

TEST_CASE("sum_in_place makes the global requests and sectors that a GPU counts") {
  compare(count_sum_in_place(), "sum_in_place");
}

TEST_CASE("sum_tile makes the global requests, sectors and shared wavefronts that a GPU counts") {
  compare(count_sum_tile(), "sum_tile");
}

TEST_CASE("sum_tile issues fewer instructions than sum_in_place, as on a GPU") {
  const nlohmann::json gpu = measured_on_gpu()["kernels"];
  const auto on_gpu = [&](const char* kernel) { return int64_t(gpu.at(kernel)["counters"]["warp_instructions"]); };
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

TEST_CASE("sum_atomic reads 4 sectors a request and queues every add for one address") {
  const harness::Counters counters = count([](float* d_in, float* d_sums) {
    chapter_01::sum_atomic<<<kBlocks, kBlock>>>(d_in, d_sums, kCount);
  });
  CHECK(counters.at("global_load_sectors_per_request") == 4);
  CHECK(counters.at("global_atomic_serialised") == kCount);
}

TEST_CASE("sum_runs reads a sector for each lane") {
  const harness::Counters counters = count([](float* d_in, float* d_sums) {
    chapter_01::sum_runs<<<1, kBlock>>>(d_in, d_sums, kCount);  // 64 runs: two full warps
  });
  CHECK(counters.at("global_load_sectors_per_request") == 32);
  CHECK(counters.at("global_load_requests") == kCount / 32);
}
