#include "scan_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "simulated.h"
#include "sum_checks.h"
#include "thresholds.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;
using harness::ScanKind;

constexpr int kSizes[] = {0, 1, 2, 31, 32, 33, 127, 1000, 2047, 2048, 2049, 4099, 12289};
constexpr std::uint64_t kSeed = 3;

enum class Place { other, same };  // where the output goes

template <typename T>
auto launcher(const ScanKernel& kernel) {
  if constexpr (std::is_same_v<T, float>) return kernel.floats;
  else return kernel.ints;
}

template <typename T>
std::vector<T> run(const ScanKernel& kernel, const std::string& what, const std::vector<T>& input,
                   Place place = Place::other, Guards guards = Guards::zones,
                   Leftovers leftovers = Leftovers::poison) {
  const int n = static_cast<int>(input.size());
  DeviceBuffer<T> d_in(input, guards);
  DeviceBuffer<T> d_other(place == Place::other ? n : 0, guards);
  if (leftovers == Leftovers::poison) d_other.fill_poison();
  if (leftovers == Leftovers::zeros) d_other.fill_zero();
  DeviceBuffer<T>& d_out = place == Place::other ? d_other : d_in;
  launcher<T>(kernel)(d_in.data(), d_out.data(), n);
  check_launch(what);

  std::string message;
  if (!d_other.guards_intact(&message)) report(Kind::wrong_result, what + ": outside the output: " + message);
  if (!d_in.guards_intact(&message)) report(Kind::wrong_result, what + ": outside the input: " + message);
  if (place == Place::other && n > 0) {
    const std::vector<T> after = d_in.download();
    if (std::memcmp(after.data(), input.data(), n * sizeof(T)) != 0)
      report(Kind::wrong_result, what + ": the kernel overwrites its input");
  }
  return d_out.download();
}

std::string title(const ScanKernel& kernel, std::size_t n, const std::string& how) {
  return std::string(kernel.name) + ", n = " + std::to_string(n) + ", " + how;
}

std::set<const ScanKernel*>& open_gaps() {
  static std::set<const ScanKernel*> kernels;
  return kernels;
}

void check_ints(const ScanKernel& kernel, const std::vector<int>& input, Place place,
                const std::string& how) {
  const std::string what = title(kernel, input.size(), "int" + how);
  const std::vector<int> got = run(kernel, what, input, place);
  const harness::Verdict verdict = harness::verify_scan(got, input, kernel.kind);
  if (verdict) return;
  if (kernel.shipped && got == kernel.shipped(input)) {
    gap_is_open(kernel);
    return report(Kind::as_shipped, what + ": " + verdict.message);
  }
  report(Kind::wrong_result, what + ": " + verdict.message);
}

// In the worst order an element passes through as many additions as there are others.
void check_floats(const ScanKernel& kernel, int n, Place place, const std::string& how,
                  std::initializer_list<bool> exactly = {false, true}) {
  if (!kernel.floats) return;
  for (const bool exact : exactly) {
    const auto make = exact ? harness::small_integers : harness::uniform_floats;
    const std::vector<float> input = make(n, kSeed);
    const std::string what = title(kernel, n, (exact ? "float (whole numbers)" : "float") + how);
    const harness::Verdict verdict = harness::verify_scan(run(kernel, what, input, place), input, kernel.kind,
                                                          exact ? harness::kExact : std::max(n, 1));
    if (!verdict) report(Kind::wrong_result, what + ": " + verdict.message);
  }
}

// Whole numbers times a power of two: nothing is too small to be added, or too large.
void check_scaled(const ScanKernel& kernel, int n) {
  if (!kernel.floats) return;
  for (const int exponent : {-100, 100}) {
    if (cannot_be_judged(kernel)) return;
    const std::vector<float> input = harness::scaled_integers(n, kSeed, exponent);
    const std::string what =
        title(kernel, n, "float (whole numbers times 2^" + std::to_string(exponent) + ")");
    const harness::Verdict verdict =
        harness::verify_scan(run(kernel, what, input), input, kernel.kind, harness::kExact);
    if (!verdict) report(Kind::wrong_result, what + ": " + verdict.message);
  }
}

void check_one(const ScanKernel& kernel, int n) {
  for (const Place place : {Place::other, Place::same}) {
    if (cannot_be_judged(kernel)) return;
    const std::string where = place == Place::same ? ", in place" : "";
    check_ints(kernel, random_ints(n), place, where);
    if (!cannot_be_judged(kernel)) check_floats(kernel, n, place, where);
  }
}

bool takes(const ScanKernel& kernel, int n) { return kernel.most == ScanKernel::kAny || n <= kernel.most; }

int long_size(const ScanKernel& kernel) { return takes(kernel, 4099) ? 4099 : kernel.most; }

std::vector<int> sizes_of(const ScanKernel& kernel) {
  std::vector<int> sizes = kernel.lengths;
  if (sizes.empty())
    std::ranges::copy_if(kSizes, std::back_inserter(sizes), [&](int n) { return takes(kernel, n); });
  return sizes;
}

// Lengths on both sides of the numbers with which a kernel compares: the number may be one of elements or of tiles.
void check_around_thresholds(const ScanKernel& kernel) {
  constexpr std::size_t kMostScanned = 1 << 18, kTile = 512;
  for (const std::size_t n : sizes_around_thresholds(1, kMostScanned))
    if (takes(kernel, int(n)) && !cannot_be_judged(kernel))
      check_ints(kernel, random_ints(int(n)), Place::other, "");
  if (kernel.fixed_order || kernel.most != ScanKernel::kAny) return;
  for (const std::size_t tiles : sizes_around_thresholds(1, kMostScanned / kTile))
    if (!cannot_be_judged(kernel)) check_ints(kernel, random_ints(int(tiles * kTile)), Place::other, "");
}

}  // namespace

std::vector<int> random_ints(int n) {
  harness::Random random(kSeed);
  std::vector<int> values(n);
  for (int& value : values) {
    const int magnitude = 1 + static_cast<int>(random.below(1000));
    value = random.below(2) == 0 ? magnitude : -magnitude;
  }
  return values;
}

std::vector<int> wide_ints(int n) {
  harness::Random random(kSeed);
  std::vector<int> values(n);
  int sum = 0;
  for (int& value : values) {
    const int magnitude = 1 + static_cast<int>(random.below((1 << 28) - 1));
    value = sum < 0 ? magnitude : -magnitude;  // so a prefix stays below 2^28
    sum += value;
  }
  return values;
}

void gap_is_open(const ScanKernel& kernel) { open_gaps().insert(&kernel); }
bool is_gap_open(const ScanKernel& kernel) { return open_gaps().contains(&kernel); }
bool cannot_be_judged(const ScanKernel& kernel) {
  const bool cannot = is_gap_open(kernel) || (kernel.stands_on && is_gap_open(*kernel.stands_on));
  if (cannot) leave_out(kernel.name);
  return cannot;
}

void check_bounds(const ScanKernel& kernel) {
  for (int n : {0, 1, 31, 255, 1023, 2047, 2049}) {
    if (!takes(kernel, n)) continue;
    const std::string what = title(kernel, n, of_that_length(n));
    for (const Place place : {Place::other, Place::same})
      run(kernel, what, random_ints(n), place, Guards::none, Leftovers::nothing_ever_written);
  }
}

void check_scans(const ScanKernel& kernel) {
  for (int n : sizes_of(kernel)) check_one(kernel, n);
  check_around_thresholds(kernel);
  if (!cannot_be_judged(kernel))
    check_ints(kernel, wide_ints(long_size(kernel)), Place::other, ", large ones");
  check_scaled(kernel, long_size(kernel));
}

void check_long_scan(const ScanKernel& kernel, int n) {
  if (cannot_be_judged(kernel)) return;
  const WithoutChecks faster;
  check_ints(kernel, random_ints(n), Place::other, "");
}

void check_nan(const ScanKernel& kernel) {
  if (!kernel.floats || cannot_be_judged(kernel)) return;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const std::size_t n = long_size(kernel), middle = n / 2 + 5;
  struct Special {
    float value;
    std::size_t place;
    bool others_are_zero;
  };
  // An infinity near the beginning is in nearly all sums. None of them is NaN: nothing may be taken away from another sum, or
  // multiplied by 0.
  for (const auto& [value, place, others_are_zero] : {Special{kNan, middle, false},
                                                      {kNan, middle, true},
                                                      {kInfinity, 3, false},
                                                      {-kInfinity, middle, false}}) {
    std::vector<float> input(n, 0.0f);
    if (!others_are_zero) input = harness::uniform_floats(n, kSeed);
    input[place] = value;
    const std::string special = harness::digits(value);
    const std::string what = title(kernel, n, special + " as element ") + std::to_string(place) +
                             (others_are_zero ? ", the others 0" : "");
    const std::vector<float> got = run(kernel, what, input);
    const std::size_t first = kernel.kind == ScanKind::inclusive ? place : place + 1;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (i < first ? bool(std::isfinite(got[i]))
                    : got[i] == value || (std::isnan(got[i]) && std::isnan(value)))
        continue;
      report(Kind::wrong_result, what + ": element " + std::to_string(i) + " is " + harness::digits(got[i]) +
                                     (i >= first ? ", expected " + special + " as in every sum that covers it"
                                                 : ", and does not cover it"));
    }
  }
}

void check_repeatable(const ScanKernel& kernel) {
  if (!kernel.fixed_order || !kernel.floats || cannot_be_judged(kernel)) return;
  const std::vector<float> input = harness::uniform_floats(long_size(kernel), kSeed);
  const std::string what = title(kernel, input.size(), "twice");
  const std::vector<float> first = run(kernel, what, input, Place::other, Guards::zones, Leftovers::poison);
  const std::vector<float> second = run(kernel, what, input, Place::other, Guards::zones, Leftovers::zeros);
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (std::memcmp(&first[i], &second[i], sizeof(float)) == 0) continue;
    report(Kind::wrong_result, what + ": element " + std::to_string(i) + " was " + std::to_string(first[i]) +
                                   ", then " + std::to_string(second[i]) +
                                   ": it depends on what was in memory before");
  }
}

void check_schedules(const ScanKernel& kernel) {
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    const std::string how = " in schedule " + schedule;
    // Of what runs another kernel for each section, two sections show whether they come together.
    const int several = kernel.stands_on      ? kernel.stands_on->most + 3
                        : takes(kernel, 4099) ? 4099
                                              : kernel.most - 1;
    for (int n : {33, several}) {
      if (cannot_be_judged(kernel)) continue;
      check_ints(kernel, random_ints(n), Place::same, ", in place" + how);
      if (!kernel.stands_on) check_floats(kernel, n, Place::other, how, {true});
    }
  }
}

}  // namespace judge
// SPDX-License-Identifier: MIT
