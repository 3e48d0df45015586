#include "harness/diagnosis.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "harness/device_buffer.h"

namespace harness {
namespace {

bool is_poison(float value) {
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return std::all_of(bytes, bytes + sizeof value,
                     [](unsigned char b) { return b == GuardedMemory::kPattern; });
}

std::string elements(ElementRange range) {
  const std::string first = std::to_string(range.first);
  if (range.end - range.first == 1) return "element " + first + " is ";
  return "elements " + first + ".." + std::to_string(range.end - 1) + " are ";
}

// The explanation that misses the error by least, if it stands out: a single element often comes near by
// chance, but rounding leaves the true cause nearer than that by orders of magnitude.
class Explanation {
 public:
  explicit Explanation(double error) : error_(error) {}

  // `text` would cause the error `value`.
  void offer(double value, std::string text) {
    const double miss = std::fabs(error_ - value);
    if (miss < best_) {
      second_ = best_;
      best_ = miss;
      text_ = std::move(text);
    } else {
      second_ = std::min(second_, miss);
    }
  }
  std::string text(double allowed) const { return best_ <= allowed && best_ * 16 < second_ ? text_ : ""; }

 private:
  double error_;
  double best_ = std::numeric_limits<double>::infinity(), second_ = best_;
  std::string text_;
};

}  // namespace

std::string likely_cause(float got, const std::vector<float>& input, ElementRange block, double allowed) {
  if (is_poison(got)) return "never written";
  if (!std::isfinite(got)) return "";
  if (allowed == 0) return "";  // whole numbers: many runs have the same sum by chance

  // before[i]: sum of the elements from `low` up to low + i; a run's sum is a difference of two.
  const std::size_t size = block.end - block.first;
  const std::size_t low = block.first - std::min(block.first, size);
  const std::size_t high = std::min(input.size(), block.end + size);
  std::vector<double> before(high - low + 1, 0.0);
  for (std::size_t i = low; i < high; ++i) before[i - low + 1] = before[i - low] + input[i];
  const auto sum = [&](ElementRange run) { return before[run.end - low] - before[run.first - low]; };

  Explanation explanation(got - sum(block));
  // Runs inside the block: all of it, its halves, its quarters … its elements.
  for (std::size_t length = size; length > 0; length /= 2) {
    for (std::size_t first = block.first; first + length <= block.end; first += length) {
      const ElementRange run = {first, first + length};
      explanation.offer(-sum(run), elements(run) + "missing");
      explanation.offer(sum(run), elements(run) + "counted twice");
    }
  }
  // Stretches beside it, which another block counts too.
  for (std::size_t first = low; first < block.first; ++first) {
    const ElementRange run = {first, block.first};
    explanation.offer(sum(run), elements(run) + "counted twice");
  }
  for (std::size_t end = block.end + 1; end <= high; ++end) {
    const ElementRange run = {block.end, end};
    explanation.offer(sum(run), elements(run) + "counted twice");
  }
  // A neighbour's sum in place of this one.
  const ElementRange previous = {low, block.first}, next = {block.end, high};
  if (low < block.first) explanation.offer(sum(previous) - sum(block), "it is the sum of the block before");
  if (block.end < high) explanation.offer(sum(next) - sum(block), "it is the sum of the block after");
  return explanation.text(allowed);
}

}  // namespace harness
