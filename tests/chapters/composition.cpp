#include "composition.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>

#include "harness/inputs.h"

namespace judge {
namespace {

constexpr double kExactUpTo = 1 << 24;  // float holds every whole number up to here
constexpr int kBase = 8, kDigits = 8;   // 8 digits of base 8 are 24 bits: 8 elements in one question
constexpr std::size_t kAskedOneByOne =
    1024;  // up to here every element gets its digit; beyond, only where it matters
constexpr std::size_t kMostElements = 4000000;  // in all inputs together: about a second
constexpr int kTrials = 3;                      // random inputs that must confirm the counts
constexpr std::size_t kShown = 4;               // runs of elements in a message

struct GivenUp {};  // thrown: it would take too many questions, or floats with more digits

// Asks for the sum of inputs of whole numbers.
class Questions {
 public:
  Questions(const Ask& ask, std::size_t n) : ask_(ask), input_(n, 0.0f) {}

  // The sum where element i is weight(i) in [first, end), else 0; nothing if it is not a whole number that is
  // exact.
  template <typename Weight>
  std::optional<long> of(std::size_t first, std::size_t end, Weight weight) {
    if ((asked_ += input_.size()) > kMostElements) throw GivenUp{};
    for (std::size_t i = first; i < end; ++i) input_[i] = static_cast<float>(weight(i));
    const float sum = ask_(input_, Leftovers::poison);
    std::fill(input_.begin() + first, input_.begin() + end, 0.0f);
    if (!(std::fabs(sum) < kExactUpTo) || sum != std::floor(sum)) return std::nullopt;
    return static_cast<long>(sum);
  }
  long of_ones(std::size_t first, std::size_t end) {
    const std::optional<long> sum = of(first, end, [](std::size_t) { return 1; });
    if (!sum) throw GivenUp{};
    return *sum;
  }

 private:
  const Ask& ask_;
  std::vector<float> input_;
  std::size_t asked_ = 0;  // elements
};

long total_of(const std::vector<long>& counts, std::size_t first, std::size_t end) {
  return std::accumulate(counts.begin() + first, counts.begin() + end, 0L);
}

void count_one_by_one(Questions& questions, std::size_t first, std::size_t end, std::vector<long>& counts) {
  for (std::size_t i = first; i < end; ++i) counts[i] = questions.of_ones(i, i + 1);
}

// Fills counts[first, end), which add up to `total`: a digit for each element. A count of kBase or more would
// carry into the next digit, and the digits would add up to less.
void count_by_digits(Questions& questions, std::size_t first, std::size_t end, long total,
                     std::vector<long>& counts) {
  for (std::size_t group = first; group < end; group += kDigits) {
    const std::size_t last = std::min(end, group + kDigits);
    long digits = questions.of(group, last, [&](std::size_t i) { return 1L << 3 * (i - group); }).value_or(0);
    for (std::size_t i = group; i < last; ++i, digits /= kBase) counts[i] = digits % kBase;
  }
  if (total_of(counts, first, end) != total) count_one_by_one(questions, first, end, counts);
}

// The same for many elements: a run that is counted equally often needs no closer look.
void count_by_halves(Questions& questions, std::size_t first, std::size_t end, long total,
                     std::vector<long>& counts, harness::Random& random) {
  if (total == 0) return;  // counts are 0 already
  const long length = static_cast<long>(end - first), each = total / length;
  // Weights for which no other counts with this total would give this sum; twice, as they are small in a long
  // run.
  const auto fits = [&] {
    const long most = std::clamp(static_cast<long>(kExactUpTo / 2) / std::abs(total), 2L, 1000L);
    std::vector<long> weights(length);
    for (long& weight : weights) weight = 1 + static_cast<long>(random.below(most));
    return questions.of(first, end, [&](std::size_t i) { return weights[i - first]; }) ==
           each * total_of(weights, 0, weights.size());
  };
  if (each * length == total && fits() && fits())
    return std::fill(counts.begin() + first, counts.begin() + end, each);
  if (length <= 8 * kDigits) return count_by_digits(questions, first, end, total, counts);
  const std::size_t middle = first + length / 2;
  const long left = questions.of_ones(first, middle);
  count_by_halves(questions, first, middle, left, counts, random);
  count_by_halves(questions, middle, end, total - left, counts, random);
}

// Whole numbers of either sign whose sums float holds exactly, if each is counted as often as `counts` says.
std::vector<float> trial_input(const std::vector<long>& counts, harness::Random& random) {
  const long total = std::accumulate(counts.begin(), counts.end(), static_cast<long>(counts.size()));
  const auto most =
      static_cast<std::uint64_t>(std::clamp(kExactUpTo / static_cast<double>(total), 1.0, 1000.0));
  std::vector<float> input(counts.size());
  for (float& value : input) {
    value = static_cast<float>(1 + random.below(most));
    if (random.below(2) == 0) value = -value;
  }
  return input;
}

bool is_bitwise(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool is_filled_with(unsigned char byte, float value) {
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return std::ranges::all_of(bytes, [&](unsigned char b) { return b == byte; });
}

std::string how_often(long count) {
  if (count == 1) return "counted";
  if (count == -1) return "subtracted";
  return count == 2 ? "counted twice" : "counted " + std::to_string(count) + " times";
}

// "64..127 and 192..254", or "128 elements, 1, 3, 5 … 255," where there are many runs.
struct Listed {
  std::string text;
  std::size_t elements;
};
Listed list_of(const std::vector<std::size_t>& elements) {
  std::vector<Stretch> runs;
  for (std::size_t i : elements) {
    if (!runs.empty() && runs.back().end == i) ++runs.back().end;
    else runs.push_back({i, i + 1});
  }
  std::vector<std::string> texts;
  for (const Stretch& run : runs)
    texts.push_back(std::to_string(run.first) +
                    (run.end - run.first == 1 ? "" : ".." + std::to_string(run.end - 1)));
  const std::size_t size = texts.size();
  std::string text = texts[0];
  if (size <= kShown) {
    for (std::size_t k = 1; k < size; ++k) text += (k + 1 == size ? " and " : ", ") + texts[k];
  } else {
    text += ", " + texts[1] + ", " + texts[2] + " … " + texts.back();
  }
  return {text, elements.size()};
}

std::string sentence(const std::vector<std::size_t>& elements, const std::string& what) {
  const Listed listed = list_of(elements);
  const bool one = listed.elements == 1, many = listed.text.find("…") != std::string::npos;
  const std::string number = many ? std::to_string(listed.elements) + " elements, " + listed.text + ","
                                  : (one ? "element " : "elements ") + listed.text;
  return number + (one ? " is " : " are ") + what;
}

}  // namespace

std::string in_words(const std::vector<long>& counts, Stretch stretch) {
  std::map<long, std::vector<std::size_t>> own, others;  // by count
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const bool is_own = stretch.first <= i && i < stretch.end;
    if (counts[i] != (is_own ? 1 : 0)) (is_own ? own : others)[counts[i]].push_back(i);
  }
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (const auto& [count, elements] : own) {
    if (count == 0 && elements.size() == stretch.end - stretch.first) {
      add(elements.size() == 1 ? sentence(elements, "missing") : "all of its elements are missing");
      continue;
    }
    add(sentence(elements, count == 0 ? "missing" : how_often(count)));
  }
  for (const auto& [count, elements] : others)
    add(sentence(elements,
                 how_often(count) + ", and belong" + (elements.size() == 1 ? "s" : "") + " to another sum"));
  return text;
}

std::string composition(const Ask& ask, std::size_t n, Stretch stretch) {
  // Does it depend on its elements at all, and on nothing else?
  const std::vector<float> nothing(n, 0.0f);
  const float after_poison = ask(nothing, Leftovers::poison), after_zeros = ask(nothing, Leftovers::zeros);
  if (is_filled_with(0xff, after_poison) && is_filled_with(0, after_zeros))
    return "it is what memory held before the launch: a sum is not stored";
  if (!is_bitwise(after_poison, after_zeros)) return "it depends on what was in memory before the launch";
  if (after_poison != 0) {
    const std::string fact =
        n == 0 ? "the sum of no elements is 0" : "it is not 0 even where every element is 0";
    if (!std::isnan(after_poison)) return fact;
    return fact +
           ": something is added that is no element. (Shared memory, an array or a variable that nothing has been "
           "stored in may be NaN)";
  }
  if (n == 0) return "";

  std::vector<long> counts(n, 0);
  harness::Random random(7);
  const auto are_confirmed = [&] {
    for (int trial = 0; trial < kTrials; ++trial) {
      const std::vector<float> input = trial_input(counts, random);
      double expected = 0;
      for (std::size_t i = 0; i < n; ++i)
        expected += static_cast<double>(counts[i]) * static_cast<double>(input[i]);
      if (ask(input, Leftovers::zeros) != expected) return false;
    }
    return true;
  };
  try {
    Questions questions(ask, n);
    const long total = questions.of_ones(0, n);
    if (n > kAskedOneByOne) {
      const long before = stretch.first == 0 ? 0 : questions.of_ones(0, stretch.first);
      const long inside = questions.of_ones(stretch.first, stretch.end);
      if (stretch.first > 0) count_by_halves(questions, 0, stretch.first, before, counts, random);
      count_by_halves(questions, stretch.first, stretch.end, inside, counts, random);
      if (stretch.end < n)
        count_by_halves(questions, stretch.end, n, total - before - inside, counts, random);
      return are_confirmed() ? in_words(counts, stretch) : "";
    }
    count_by_digits(questions, 0, n, total, counts);
    if (are_confirmed()) return in_words(counts, stretch);
    count_one_by_one(questions, 0, n, counts);
    if (are_confirmed()) return in_words(counts, stretch);
  } catch (const GivenUp&) {
    return "";
  }
  const std::string alone = in_words(counts, stretch);
  return (alone.empty() ? "each element alone is counted as it should be"
                        : "with one element other than 0, " + alone) +
         "; with several, something else is added: it depends on the values";
}

}  // namespace judge
// SPDX-License-Identifier: MIT
