#include "sum_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <vector>

#include "counts.h"
#include "expected_sums.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "launch_check.h"
#include "simulated.h"
#include "sum_run.h"
#include "thresholds.h"
#include "wrong_sums.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::digits;
using harness::Guards;

constexpr int kLargeSize = 500009;  // prime; once, for its length
constexpr int kLongSum = 200003;  // prime, too, for one sum of everything: there length brings no more blocks
constexpr int kScheduleSizes[] = {257, 1000,
                                  4099};  // a block and one; a last warp that is not full; many blocks
// Scaled by a power of two they stay exact: nothing is too small to be added, or too large.
const InputKind kScaled[] = {
    {"whole numbers times 2^-100", [](auto n, auto seed) { return harness::scaled_integers(n, seed, -100); },
     true},
    {"whole numbers times 2^100", [](auto n, auto seed) { return harness::scaled_integers(n, seed, 100); },
     true},
};
constexpr int kScaledSize = 4099;

// Leaves the sums to the caller. `gap_open`: an earlier length found the kernel as shipped; once is enough to say so.
// `how` goes into the message.
Run check_one(const SumKernel& kernel, int n, const InputKind& kind, bool& gap_open,
              const std::string& how = "") {
  const std::vector<float> input = kind.make(n, kSeed);
  const std::string what = title(kernel, n, kind.name) + how;
  const Run result = run(kernel, what, input);

  const int depth = depth_of(kernel, n, kind.exact);
  const std::vector<std::size_t> wrong = wrong_sums(kernel, result.sums, input, depth);
  if (!wrong.empty() && is_as_shipped(kernel, result, input)) {
    if (!gap_open)
      report(Kind::as_shipped, what + ": each sum is the first of its elements: the tree is missing");
    gap_open = true;
    leave_out(kernel.name);
    return result;
  }
  if (!wrong.empty())
    report(Kind::wrong_result, what + ": " + wrong_sums_text(kernel, result, input, depth, wrong));
  if (!result.outside.empty()) report(Kind::wrong_result, what + ": outside the " + result.outside);
  if (kernel.keeps_input) {
    const harness::Verdict kept = harness::verify_unchanged(result.input_after, input);
    if (!kept) report(Kind::wrong_result, what + ": " + kept.message);
  }
  return result;
}

// Elements, and with them sums, on both sides of a number with which the kernel compares: a power of two times whole numbers, so that sums
// are exact.
void check_values_around(const SumKernel& kernel, float number, bool& gap_open) {
  const int exponent = std::ilogb(number);
  if (exponent < -100 || exponent > 100) return;
  static int by;  // of the numbers that are made; InputKind has room for a function only
  by = exponent;
  const InputKind kind = {"whole numbers times a power of two",
                          [](auto n, auto seed) {
                            std::vector<float> values = harness::small_integers(n, seed);
                            for (float& x : values) x = std::ldexp(x > 4 ? 4.0f : x < -4 ? -4.0f : x, by);
                            return values;
                          },
                          true};
  check_one(kernel, 1000, kind, gap_open);
}

// Where the kernel writes to its input, in its first block or its last; empty: nowhere.
std::string writes_to_input(const SumKernel& kernel) {
  constexpr int n = 1000;
  DeviceBuffer<float> d_in(harness::uniform_floats(n, kSeed)), d_sums(kernel.count_of(n));
  fill_leftovers(d_sums);
  for (const std::uint64_t block : {0, kernel.count_of(n) - 1}) {
    const std::string place = writes_to(d_in.data(), n * sizeof(float), block,
                                        [&] { kernel.launch(d_in.data(), d_sums.data(), n); });
    check_launch(title(kernel, n, "uniform values"));
    if (!place.empty()) return place;
  }
  return "";
}

constexpr const char* kOnlyReads =
    "it writes to its input, which it is to read only, even if it leaves there what it found: ";

}  // namespace

std::string of_that_length(int n) {
  return std::string("arrays of exactly that length") + (n == 0 ? ": a block runs all the same" : "");
}

void check_bounds(const SumKernel& kernel) {
  for (int n : {0, 1, 31, 255, 256, 257})
    run(kernel, title(kernel, n, of_that_length(n)), harness::uniform_floats(n, kSeed), Guards::none,
        Leftovers::nothing_ever_written);
}

void check_sums(const SumKernel& kernel) {
  bool gap_open = false;
  for (int n : sizes_of(kernel))
    for (const InputKind& kind : kKinds) check_one(kernel, n, kind, gap_open);
  for (const InputKind& kind : kScaled)
    check_one(kernel, kScaledSize, kind, gap_open, " (the numbers themselves are summed right)");
  check_one(kernel, kernel.per_sum == SumKernel::kAll ? kLongSum : kLargeSize, kKinds[1], gap_open);
  constexpr std::size_t kMostSummed = 1 << 17;
  for (const std::size_t n : sizes_around_thresholds(1, kMostSummed))
    check_one(kernel, int(n), kKinds[1], gap_open);
  for (const float t : float_thresholds()) check_values_around(kernel, t, gap_open);
  if (!kernel.keeps_input || gap_open) return;
  if (const std::string place = writes_to_input(kernel); !place.empty())
    report(Kind::wrong_result, kOnlyReads + std::string(kernel.name) + "\n" + place);
}

void check_nan(const SumKernel& kernel) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity(),
                  kSmallest = std::numeric_limits<float>::min();  // normal: atomics flush smaller ones
  const std::size_t many = 3 * std::max(kernel.per_sum, 256) + 7,
                    last_sum = kernel.count_of(static_cast<int>(many)) - 1;
  enum class Others { any, zeros, like_it };
  struct Special {
    float value;
    std::size_t place, n;
    Others others = Others::any;
  };
  // A thread beyond the end must not read an element in place of its own, even if it multiplies by 0: at either end,
  // and where the last sum begins. And nothing may take it for a 0: where all others are 0, or there are none.
  const Special specials[] = {
      {kNan, many / 2, many},
      {kInfinity, many / 2, many},
      {-kInfinity, 0, many},
      {kInfinity, stretch_of(kernel, many, last_sum).first, many},
      {kInfinity, many - 1, many},
      {kNan, many / 2, many, Others::zeros},
      {kSmallest, many / 2, many, Others::zeros},
      {kInfinity, 0, many, Others::like_it},  // wherever one is multiplied by 0, or taken away
      {kNan, 0, 1}};
  for (const auto& [value, place, n, others] : specials) {
    std::vector<float> input(n, others == Others::like_it ? value : 0.0f);
    if (others == Others::any) input = harness::uniform_floats(n, kSeed);
    input[place] = value;
    const std::string what =
        title(kernel, n,
              others == Others::like_it ? "each of them " + digits(value)
                                        : digits(value) + " as element " + std::to_string(place) +
                                              (others == Others::zeros ? ", the others 0" : ""));
    const Run result = run(kernel, what, input);
    // check_sums has said why. (A lone element is its sum even if nothing is added up, and so is one of equal infinities.)
    const bool may_be_element = n > 1 && others != Others::like_it;
    if (may_be_element && is_as_shipped(kernel, result, input)) return leave_out(kernel.name);

    for (std::size_t b = 0; b < result.sums.size(); ++b) {
      const Stretch stretch = stretch_of(kernel, n, b);
      const float got = result.sums[b];
      const bool covers = others == Others::like_it ? stretch.first < stretch.end
                                                    : stretch.first <= place && place < stretch.end;
      if (covers) {
        if (got == value || (std::isnan(got) && std::isnan(value))) continue;
        report(Kind::wrong_result, what + ": sum " + std::to_string(b) + " covers it and is " + digits(got));
      }
      const harness::Verdict verdict =
          harness::verify_sum(got, reference_of(input, stretch), depth_of(kernel, n, false));
      if (!verdict)
        report(Kind::wrong_result,
               what + ", which sum " + std::to_string(b) + " does not cover: " + verdict.message);
    }
  }
}

void check_repeatable(const SumKernel& kernel) {
  constexpr int n = 4099;
  const std::vector<float> input = harness::uniform_floats(n, kSeed);
  if (kernel.fixed_order) {
    const std::string what = title(kernel, n, "twice");
    const Run first = run(kernel, what, input, Guards::zones, Leftovers::poison);
    const Run second = run(kernel, what, input, Guards::zones, Leftovers::zeros);
    for (std::size_t b = 0; b < first.sums.size(); ++b) {
      if (std::memcmp(&first.sums[b], &second.sums[b], sizeof(float)) == 0) continue;
      report(Kind::wrong_result, what + ": sum " + std::to_string(b) + " was " + digits(first.sums[b]) +
                                     ", then " + digits(second.sums[b]) +
                                     ": it depends on what was in memory before");
    }
  }
  if (is_as_shipped(kernel.name)) return leave_out(kernel.name);
  const std::vector<float> other = harness::small_integers(n, kSeed);
  const std::string what = title(kernel, n, "again, with other values in the same arrays");
  const Run result = run_again(kernel, what, input, other);
  const std::vector<std::size_t> wrong = wrong_sums(kernel, result.sums, other, harness::kExact);
  if (wrong.empty()) return;
  const Stretch stretch = stretch_of(kernel, n, wrong[0]);
  report(
      Kind::wrong_result,
      what + ": sum " + std::to_string(wrong[0]) + ": " +
          harness::verify_sum(result.sums[wrong[0]], reference_of(other, stretch), harness::kExact).message +
          "; in arrays of its own it was right");
}

void check_schedules(const SumKernel& kernel) {
  const InputKind& kind = kKinds[0];
  const std::vector<std::string> schedules = other_schedules();
  for (int n : kScheduleSizes) {
    if (schedules.empty()) return;
    const std::string what = title(kernel, n, kind.name);
    const Run together = run(kernel, what, kind.make(n, kSeed));
    for (const std::string& schedule : schedules) {
      const InSchedule other(schedule);
      bool gap_open = true;  // check_sums has said so
      const std::string how = " in schedule " + schedule;
      const Run alone = check_one(kernel, n, kind, gap_open, how);
      if (!kernel.fixed_order) continue;
      for (std::size_t b = 0; b < alone.sums.size(); ++b)
        if (std::memcmp(&alone.sums[b], &together.sums[b], sizeof(float)) != 0)
          report(Kind::wrong_result, what + how + ": sum " + std::to_string(b) + " is " +
                                         digits(alone.sums[b]) + ", and " + digits(together.sums[b]) +
                                         " in lockstep: it depends on which lane comes first");
    }
  }
}

void check_input_kept(const SumKernel& kernel) {
  const std::vector<float> input = harness::uniform_floats(1000, kSeed);
  const Run result = run(kernel, title(kernel, input.size(), "uniform values"), input);
  const harness::Verdict kept = harness::verify_unchanged(result.input_after, input);
  if (!kept)
    report({Kind::unimproved, "it overwrites its input (this chapter asks to keep it)\n" + kept.message, "",
            kernel.name});
  else if (const std::string place = writes_to_input(kernel); !place.empty())
    report({Kind::unimproved, kOnlyReads + std::string(kernel.name) + "\n" + place, "", kernel.name});
}

void check_shares(const std::string& kernel, int blocks, int most, int n,
                  const std::function<void(float* d_in, float* d_sums, int n)>& launch) {
  const std::string what = kernel + ", n = " + std::to_string(n) + ", " + std::to_string(blocks) + " blocks";
  DeviceBuffer<float> d_in(std::vector<float>(n, 1.0f)), d_sums(blocks);
  d_sums.fill_poison();
  launch(d_in.data(), d_sums.data(), n);
  check_launch(what);
  const std::vector<float> sums = d_sums.download();
  const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
  if (total != n)
    report(Kind::wrong_result,
           what + ": of " + std::to_string(n) + " ones, the sums add up to " + digits(total));
  for (int b = 0; b < blocks; ++b)
    if (sums[b] > static_cast<float>(most))
      report({Kind::unimproved,
              "it leaves " + digits(sums[b]) + " of " + std::to_string(n) + " elements to block " +
                  std::to_string(b) + " of " + std::to_string(blocks) + " (this chapter asks for " +
                  std::to_string(most) + " at most): " + kernel,
              "", kernel});
}

}  // namespace judge
// SPDX-License-Identifier: MIT
