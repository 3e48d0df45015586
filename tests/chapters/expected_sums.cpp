#include "expected_sums.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace judge {
namespace {

constexpr int kSizes[] = {0, 1, 31, 32, 33, 255, 256, 257, 1000, 4099, 65536};

}  // namespace

std::string title(const SumKernel& kernel, std::size_t n, const std::string& input_kind) {
  return kernel.name + std::string(", n = ") + std::to_string(n) + ", " + input_kind;
}

Stretch stretch_of(const SumKernel& kernel, std::size_t n, std::size_t b) {
  if (kernel.per_sum == SumKernel::kAll) return {0, n};
  return {std::min(n, b * kernel.per_sum), std::min(n, (b + 1) * kernel.per_sum)};
}

bool is_as_shipped(const SumKernel& kernel, const Run& run, const std::vector<float>& input) {
  if (!kernel.has_gap || input.empty()) return false;
  for (std::size_t b = 0; b < run.sums.size(); ++b)
    if (std::memcmp(&run.sums[b], &input[stretch_of(kernel, input.size(), b).first], sizeof(float)) != 0)
      return false;
  return true;
}

std::vector<int> sizes_of(const SumKernel& kernel) {
  std::vector<int> sizes(std::begin(kSizes), std::end(kSizes));
  if (const int each = kernel.per_sum; each != SumKernel::kAll && each > 1 && each < kAskedAtOnce)
    sizes.insert(sizes.end(), {each - 1, each, each + 1, 2 * each - 1});
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

int depth_of(const SumKernel& kernel, std::size_t n, bool exact) {
  return exact ? harness::kExact : static_cast<int>(stretch_of(kernel, n, 0).end);
}

harness::Reference reference_of(const std::vector<float>& input, Stretch stretch) {
  return harness::reference_sum(input.data() + stretch.first, stretch.end - stretch.first);
}

std::vector<std::size_t> wrong_sums(const SumKernel& kernel, const std::vector<float>& sums,
                                    const std::vector<float>& input, int depth) {
  std::vector<std::size_t> wrong;
  for (std::size_t b = 0; b < sums.size(); ++b)
    if (!harness::verify_sum(sums[b], reference_of(input, stretch_of(kernel, input.size(), b)), depth))
      wrong.push_back(b);
  return wrong;
}

}  // namespace judge
// SPDX-License-Identifier: MIT
