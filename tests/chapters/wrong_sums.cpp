#include "wrong_sums.h"

#include <algorithm>
#include <iterator>

#include "composition.h"
#include "expected_sums.h"
#include "harness/inputs.h"
#include "harness/reference.h"

namespace judge {
namespace {

using harness::Guards;

constexpr std::size_t kSumsShown = 3;

// The shortest length above `right` and up to `wrong` that a search by halves finds a wrong sum for.
int shortest_wrong(const SumKernel& kernel, int right, int wrong) {
  while (wrong - right > 1) {
    const int n = right + (wrong - right) / 2;
    const std::vector<float> input = harness::small_integers(n, kSeed);
    const Run result = run(kernel, title(kernel, n, kKinds[1].name), input);
    (wrong_sums(kernel, result.sums, input, harness::kExact).empty() ? right : wrong) = n;
  }
  return wrong;
}

// What sum b is the sum of, measured. Beside it, whether that is why it is `got` on `input`.
std::string measured(const SumKernel& kernel, std::size_t n, std::size_t b) {
  const Ask ask = [&](const std::vector<float>& input, Leftovers leftovers) {
    return run(kernel, title(kernel, n, "to find out what is added"), input, Guards::zones, leftovers)
        .sums[b];
  };
  return composition(ask, n, stretch_of(kernel, n, b));
}

}  // namespace

std::string wrong_sums_text(const SumKernel& kernel, const Run& result, const std::vector<float>& input,
                            int depth, const std::vector<std::size_t>& wrong) {
  std::string text;
  for (std::size_t k = 0; k < std::min(wrong.size(), kSumsShown); ++k) {
    const Stretch stretch = stretch_of(kernel, input.size(), wrong[k]);
    if (k > 0) text += "\n";
    if (result.sums.size() > 1) text += kernel.part + (" " + std::to_string(wrong[k]) + ": ");
    text += harness::verify_sum(result.sums[wrong[k]], reference_of(input, stretch), depth).message;
    if (k > 0) continue;

    const int n = static_cast<int>(input.size());
    const std::vector<int> sizes = sizes_of(kernel);
    const auto earlier = std::ranges::lower_bound(sizes, n);  // shorter ones were right
    const int shortest = n > kAskedAtOnce ? shortest_wrong(kernel, *std::prev(earlier), n) : n;
    if (shortest == n) {
      const std::string cause = measured(kernel, n, wrong[k]);
      text += cause.empty() ? "" : ": " + cause;
      continue;
    }
    const std::vector<float> shorter = harness::small_integers(shortest, kSeed);
    const Run again = run(kernel, title(kernel, shortest, kKinds[1].name), shorter);
    const std::vector<std::size_t> now = wrong_sums(kernel, again.sums, shorter, harness::kExact);
    if (now.empty()) continue;
    const std::string cause = measured(kernel, shortest, now[0]);
    text += "; with n = " + std::to_string(shortest) +
            (again.sums.size() > 1 ? std::string(", ") + kernel.part + " " + std::to_string(now[0]) : "") +
            " is wrong already" + (cause.empty() ? "" : ": " + cause);
  }
  if (wrong.size() > kSumsShown)
    text += "\nand " + std::to_string(wrong.size() - kSumsShown) + " more of " +
            std::to_string(result.sums.size()) + " sums are wrong";
  return text;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
