#include "harness/timing.h"

#include <algorithm>
#include <cmath>

#include "harness/check.h"
#include "harness/device.h"
#include "harness/device_buffer.h"
#include "harness/evict.h"

namespace harness {
namespace {

constexpr int kWarmUps = 3;  // the first run loads the kernel, the next let the clocks rise

struct Event {
  cudaEvent_t handle = nullptr;
  Event() { CUDA_CHECK(cudaEventCreate(&handle)); }
  ~Event() { (void)cudaEventDestroy(handle); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
};

std::size_t l2_bytes() {
  int bytes = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
  return static_cast<std::size_t>(bytes);
}

}  // namespace

double quantile(const std::vector<double>& ascending, double p) {
  if (ascending.empty()) return 0;
  const double position = p * static_cast<double>(ascending.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  return std::lerp(ascending[below], ascending[above], position - static_cast<double>(below));
}

Timing summarise(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  return {quantile(milliseconds, 0.5), quantile(milliseconds, 0.25), quantile(milliseconds, 0.75),
          static_cast<int>(milliseconds.size())};
}

double gigabytes_per_second(double bytes, double milliseconds) {
  return milliseconds > 0 ? bytes / milliseconds * 1e-6 : 0;
}

std::optional<Timing> time_launch(const std::function<void()>& launch, const std::function<void()>& prepare,
                                  int repeat) {
  if (is_simulated() || repeat == 0) return std::nullopt;
  DeviceBuffer<unsigned char> flush(2 * l2_bytes(), Guards::none);
  flush.fill_zero();
  Event start, stop;
  std::vector<double> samples;
  for (int run = -kWarmUps; run < repeat; ++run) {
    if (prepare) prepare();
    evict_by_reading(flush.data(), flush.bytes());
    // The host does not wait here. While the eviction runs, start, kernel and stop are queued behind it, so
    // the time that the launches take is not between the two events.
    CUDA_CHECK(cudaEventRecord(start.handle));
    launch();
    CUDA_CHECK(cudaEventRecord(stop.handle));
    check_launch("timed kernel", HARNESS_WHERE);
    float milliseconds = 0;
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start.handle, stop.handle));
    if (run >= 0) samples.push_back(milliseconds);
  }
  return summarise(std::move(samples));
}

std::optional<double> copy_ceiling(std::size_t bytes, int repeat) {
  if (is_simulated() || bytes == 0) return std::nullopt;
  DeviceBuffer<unsigned char> source(bytes, Guards::none), target(bytes, Guards::none);
  source.fill_zero();
  const cudaStream_t stream = nullptr;
  const auto copy = [&] {
    CUDA_CHECK(cudaMemcpyAsync(target.data(), source.data(), bytes, cudaMemcpyDeviceToDevice, stream));
  };
  const auto timing = time_launch(copy, {}, repeat);
  return gigabytes_per_second(2.0 * static_cast<double>(bytes), timing->median);
}

}  // namespace harness
// SPDX-License-Identifier: MIT
