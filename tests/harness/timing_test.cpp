// Statistics of times, and where times are measured at all.
#include <doctest/doctest.h>

#include "harness/device.h"
#include "harness/timing.h"

TEST_CASE("a quantile lies between its neighbours") {
  CHECK(harness::quantile({}, 0.5) == 0);
  CHECK(harness::quantile({7}, 0.25) == 7);
  CHECK(harness::quantile({1, 2}, 0.5) == 1.5);
  CHECK(harness::quantile({1, 2, 3, 4, 5}, 0.25) == 2);
  CHECK(harness::quantile({1, 2, 3, 4}, 0.75) == 3.25);
  CHECK(harness::quantile({1, 2, 9}, 1.0) == 9);
}

TEST_CASE("times are summed up by median and quartiles whatever their order") {
  const auto timing = harness::summarise({5, 1, 4, 2, 3});
  CHECK(timing.median == 3);
  CHECK(timing.q1 == 2);
  CHECK(timing.q3 == 4);
  CHECK(timing.samples == 5);
}

TEST_CASE("one interrupted run does not move the median") {
  CHECK(harness::summarise({1, 1, 1, 1, 1000}).median == 1);
}

TEST_CASE("bandwidth is 10^9 bytes a second") {
  CHECK(harness::gigabytes_per_second(1e9, 1000) == doctest::Approx(1));
  CHECK(harness::gigabytes_per_second(134217728, 0.1) == doctest::Approx(1342.17728));
  CHECK(harness::gigabytes_per_second(5, 0) == 0);
}

TEST_CASE("the simulated GPU measures no time and a real one does") {
  int runs = 0, preparations = 0;
  const auto timing = harness::time_launch([&] { ++runs; }, [&] { ++preparations; }, 5);
  CHECK(timing.has_value() == !harness::is_simulated());
  CHECK(harness::copy_ceiling(1 << 20, 3).has_value() == !harness::is_simulated());
  CHECK_FALSE(harness::copy_ceiling(0, 3).has_value());
  CHECK(runs == preparations);
  CHECK(runs == (harness::is_simulated() ? 0 : 8));  // 3 warm-ups and 5 samples
}
// SPDX-License-Identifier: MIT
