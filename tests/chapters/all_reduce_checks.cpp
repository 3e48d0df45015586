#include "all_reduce_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "harness/reference.h"
#include "judge.h"
#include "quoted_line.h"
#include "thresholds.h"

namespace judge {
namespace {

std::string text(long long number) { return std::to_string(number); }

std::string call_of(const char* function, int a, int b, int c) {
  return std::string(function) + "(" + text(a) + ", " + text(b) + ", " + text(c) + ")";
}

void report_wrong(const std::string& call, const char* function, const std::string& why) {
  const std::string line = quoted_definition(kernels_file, function);
  report({Kind::wrong_result, call + why + (line.empty() ? "" : "\n" + line), {}, function});
}

// Lengths up to 2^30: of no work, of fewer fours than ranks, and of each remainder.
const std::vector<int> kLengths = {1000,
                                   0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   5,
                                   7,
                                   31,
                                   32,
                                   33,
                                   64,
                                   4099,
                                   100'003,
                                   4112,
                                   4111,
                                   4113,
                                   123'456'789,
                                   (1 << 30) - 5,
                                   (1 << 30) - 1,
                                   1 << 30};

// By how many fours the largest part has more than the smallest. The elements beyond the last multiple of 4 count as a
// whole four or as none.
int unevenness(const PartOf& part_of, int ranks, int n, bool counts_rest) {
  const int end = n / 4 * 4 + (counts_rest && n % 4 ? 4 : 0);
  int least = n, most = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const ElementRange part = part_of(rank, ranks, n);
    const int last = part.end == n ? end : part.end,
              fours = std::max(last - std::min(part.begin, end), 0) / 4;
    least = std::min(least, fours), most = std::max(most, fours);
  }
  return most - least;
}

// False if everything is everybody's part, as shipped.
bool is_split(const PartOf& part_of, int ranks, int n) {
  if (ranks == 1 || n < 8 * ranks) return true;
  for (int rank = 0; rank < ranks; ++rank)
    if (const ElementRange part = part_of(rank, ranks, n); part.begin != 0 || part.end != n) return true;
  report({Kind::unimproved,
          call_of("part_of", 0, ranks, n) + " is everything, as for every rank: each GPU computes all sums",
          {},
          "part_of"});
  return false;
}

// Whether the parts are the array. What comes behind a wrong part says nothing.
void check_order(const PartOf& part_of, int ranks, int n) {
  int end = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const ElementRange part = part_of(rank, ranks, n);
    const std::string call = call_of("part_of", rank, ranks, n);
    const std::string is = " is [" + text(part.begin) + ", " + text(part.end) + ")";
    if (part.begin != end)
      report_wrong(call, "part_of",
                   is + (rank == 0 ? ": the first part begins at 0"
                                   : ", and the part before it ends at " + text(end)));
    if (part.end < part.begin) report_wrong(call, "part_of", is + ", which ends before it begins");
    if (part.end > n) report_wrong(call, "part_of", is + ", which goes beyond the array");
    if (part.begin % 4 != 0 && part.begin != n)
      report_wrong(call, "part_of",
                   is + ": it must begin at a multiple of 4, since threads load four floats at once");
    end = part.end;
  }
  if (end != n)
    report_wrong(
        call_of("part_of", ranks - 1, ranks, n), "part_of",
        ", the last part, ends at " + text(end) + ": " + text(n - end) + " elements belong to nobody");
}

bool are_of_one_size(const PartOf& part_of, int ranks, int n) {
  const int uneven = std::min(unevenness(part_of, ranks, n, false), unevenness(part_of, ranks, n, true));
  if (uneven <= 1) return true;
  report({Kind::unimproved,
          "part_of: of " + text(n) + " elements for " + text(ranks) + " ranks one part has " +
              text(4ll * uneven) + " more than another: give none more than 4 more",
          {},
          "part_of"});
  return false;
}

// Calls each(rank, step, ranks) for all steps of all GPUs, up to `most` of them.
template <typename Each> void for_each_step(int most, Each each) {
  for (int ranks = 2; ranks <= most; ++ranks)
    for (int step = 0; step < ranks - 1; ++step)
      for (int rank = 0; rank < ranks; ++rank) each(rank, step, ranks);
}

int before(int rank, int ranks) { return (rank + ranks - 1) % ranks; }

std::string has(const char* verb, int rank, int part) {
  return "GPU " + text(rank) + " has " + verb + " part " + text(part);
}

}  // namespace

void check_parts(const PartOf& part_of, int most) {
  std::vector<int> lengths = kLengths;
  for (const std::size_t n : sizes_around_thresholds(1, std::size_t(1) << 30)) lengths.push_back(int(n));
  for (int ranks = 1; ranks <= most; ++ranks)
    for (const int n : lengths) {
      if (!is_split(part_of, ranks, n)) return;
      check_order(part_of, ranks, n);
      if (!are_of_one_size(part_of, ranks, n)) return;
    }
}

bool are_ring_parts_named(const PartInStep& part_to_add, const PartInStep& part_to_copy) {
  bool are_named = true;
  const auto look = [&](const char* function, const PartInStep& part) {
    if (part(0, 0, 2) != -1) return;
    are_named = false;
    report({Kind::as_shipped, call_of(function, 0, 0, 2) + " is -1, which is no part", {}, function});
  };
  look("part_to_add", part_to_add);
  look("part_to_copy", part_to_copy);
  return are_named;
}

void check_ring_parts(const PartInStep& part_to_add, const PartInStep& part_to_copy, int most) {
  const auto check_range = [&](const char* function, int part, int rank, int step, int ranks) {
    if (part < 0 || part >= ranks)
      report_wrong(call_of(function, rank, step, ranks), function,
                   " is " + text(part) + ": parts are numbered from 0 to " + text(ranks - 1));
  };
  const auto wrong = [&](const char* function, int part, int rank, int step, int ranks,
                         const std::string& why) {
    report_wrong(call_of(function, rank, step, ranks), function, " is " + text(part) + ": " + why);
  };
  if (part_to_add(0, 0, 2) != -1)
    for_each_step(most, [&](int rank, int step, int ranks) {
      const int part = part_to_add(rank, step, ranks), front = before(rank, ranks);
      check_range("part_to_add", part, rank, step, ranks);
      if (step > 0 && part != part_to_add(front, step - 1, ranks))
        wrong("part_to_add", part, rank, step, ranks,
              "in the step before, " + has("added to", front, part_to_add(front, step - 1, ranks)));
      for (int other = 0; other < rank; ++other)
        if (part == part_to_add(other, step, ranks))
          wrong("part_to_add", part, rank, step, ranks,
                "GPU " + text(other) + " adds to the same part in this step");
    });
  if (part_to_copy(0, 0, 2) == -1) return;
  for_each_step(most, [&](int rank, int step, int ranks) {
    const int part = part_to_copy(rank, step, ranks), front = before(rank, ranks);
    check_range("part_to_copy", part, rank, step, ranks);
    if (part_to_add(0, 0, 2) == -1 && step == 0) return;  // nothing is complete yet to compare with
    const int left = step == 0 ? part_to_add(front, ranks - 2, ranks) : part_to_copy(front, step - 1, ranks);
    if (part != left)
      wrong("part_to_copy", part, rank, step, ranks,
            step == 0 ? "GPU " + text(front) + " has complete what it added to last, and " +
                            call_of("part_to_add", front, ranks - 2, ranks) + " is " + text(left) +
                            "; one of the two functions is wrong"
                      : "in the step before, " + has("copied", front, left));
  });
}

bool is_unwritten(float value) {
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == kUnwritten;
}

void check_reduced(const Reduced& reduced, bool is_exact) {
  const std::size_t gpus = reduced.results.size(), n = reduced.results[0].size();
  std::vector<harness::Reference> expected(n);
  for (const std::vector<float>& input : reduced.inputs)
    for (std::size_t i = 0; i < n; ++i) {
      const float value = reduced.scale * input[i];
      expected[i].sum += value;
      expected[i].sum_abs += std::fabs(value);
    }
  for (std::size_t g = 0; g < gpus; ++g) {
    std::size_t first = n, wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double error = std::fabs(reduced.results[g][i] - expected[i].sum);
      if (error <= (is_exact ? 0 : harness::tolerance(expected[i], int(gpus)))) continue;
      ++wrong;
      first = std::min(first, i);
    }
    if (wrong == 0) continue;
    const float value = reduced.results[g][first];
    report(Kind::wrong_result, reduced.what + ": element " + text(first) + " on GPU " + text(g) +
                                   (is_unwritten(value) ? " has not been written"
                                                        : " is " + harness::digits(value) + " and not " +
                                                              harness::digits(expected[first].sum)) +
                                   (wrong > 1 ? ", the first of " + text(wrong) + " wrong ones" : ""));
  }
  for (std::size_t g = 1; g < gpus; ++g)
    for (std::size_t i = 0; i < n; ++i)
      if (std::memcmp(&reduced.results[g][i], &reduced.results[0][i], sizeof(float)) != 0)
        report(Kind::wrong_result,
               reduced.what + ": element " + text(i) + " is " + harness::digits(reduced.results[g][i]) +
                   " on GPU " + text(g) + " and " + harness::digits(reduced.results[0][i]) +
                   " on GPU 0: add up in the same order for all, and all have the same bits");
}

}  // namespace judge
// SPDX-License-Identifier: MIT
