#include "section_checks.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "counts.h"
#include "harness/device_buffer.h"
#include "judge.h"
#include "large_grids.h"
#include "scan_checks.h"
#include "simulated.h"
#include "sum_checks.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

int sections_in(int n, int length) { return (n - 1) / length + 1; }

void check_guards(const std::string& what, const DeviceBuffer<int>& array, const char* which) {
  std::string message;
  if (!array.guards_intact(&message))
    report(Kind::wrong_result, what + ": outside " + which + ": " + message);
}

// Each section of `length` elements is scanned by itself; totals, unless it is null, are what the sections add up to.
void verify_sections(const std::string& what, const std::vector<int>& got, const std::vector<int>* totals,
                     const std::vector<int>& input, int length, harness::ScanKind kind) {
  for (int first = 0; first < int(input.size()); first += length) {
    const int last = std::min(first + length, int(input.size()));
    const std::vector<int> section(input.begin() + first, input.begin() + last);
    const std::string where = what + ": section " + std::to_string(first / length);
    const auto verdict = harness::verify_scan({got.begin() + first, got.begin() + last}, section, kind);
    if (!verdict) return report(Kind::wrong_result, where + ": " + verdict.message);
    const int total = std::accumulate(section.begin(), section.end(), 0);
    if (totals && (*totals)[first / length] != total)
      return report(Kind::wrong_result, where + ": its total is given as " +
                                            std::to_string((*totals)[first / length]) + ", expected " +
                                            std::to_string(total));
  }
}

// For two sections. Its description has three: a scan of the sections, one of their totals, and what adds these.
int launches_of(const Hierarchy& hierarchy) {
  const int n = 2 * hierarchy.length;
  DeviceBuffer<int> d_in(n), d_out(n), d_totals(hierarchy.totals_of(n));
  d_in.fill_zero();
  return launches_in([&] { hierarchy.launch(d_in.data(), d_out.data(), d_totals.data(), n); });
}

// False says nothing of the kernel: its blocks may divide the work in another way.
bool is_right_in_chosen_sections(const Hierarchy& hierarchy, harness::ScanKind kind, int n) {
  const auto [length, totals_of, launch] = hierarchy;
  const std::vector<std::uint64_t> chosen = blocks_to_run(sections_in(n, length), length);
  const OnlyBlocks only(chosen);
  if (!only) return false;
  std::vector<int> input(n), expected(n);
  for (const std::uint64_t b : chosen)
    for (std::size_t i = b * length; i < std::min<std::size_t>(n, (b + 1) * length); ++i)
      input[i] = static_cast<int>(i % 999) - 300;
  if (kind == harness::ScanKind::inclusive) std::inclusive_scan(input.begin(), input.end(), expected.begin());
  else std::exclusive_scan(input.begin(), input.end(), expected.begin(), 0);
  DeviceBuffer<int> d_in(input), d_out(n), d_totals(totals_of(n));
  d_totals.fill_zero();  // as the blocks would leave it that do not run
  launch(d_in.data(), d_out.data(), d_totals.data(), n);
  if (cudaDeviceSynchronize() != cudaSuccess || !d_totals.guards_intact() || !d_out.guards_intact())
    return false;
  return std::ranges::all_of(chosen, [&, length = length](std::uint64_t b) {
    const auto first = expected.begin() + b * length;
    const std::vector<int> section(first, first + std::min<std::size_t>(length, n - b * length));
    return copy_out(d_out.data() + b * length, section.size()) == section;
  });
}

// What comes before sections: nothing before the first one, so a kernel may leave that out.
std::vector<int> before_sections(std::vector<int> sums) {
  sums.front() = 0;
  return sums;
}

}  // namespace

void check_sections(const SectionScan& scan) {
  const auto [name, length, kind, has_totals, launch] = scan;
  for (const int n : {1, length - 1, length, 3 * length + 1, 5 * length - 3})
    for (const bool in_place : {false, true}) {
      const std::string what = std::string(name) + ", sections of " + std::to_string(length) +
                               ", n = " + std::to_string(n) + (in_place ? ", in place" : "");
      const std::vector<int> input = random_ints(n);
      DeviceBuffer<int> d_in(input), d_other(n), d_totals(sections_in(n, length));
      d_other.fill_poison();
      d_totals.fill_poison();
      DeviceBuffer<int>& d_out = in_place ? d_in : d_other;
      launch(d_in.data(), d_out.data(), d_totals.data(), n, sections_in(n, length));
      check_launch(what);
      check_guards(what, d_out, "out");
      check_guards(what, d_totals, "totals");
      const std::vector<int> totals = d_totals.download();
      verify_sections(what, d_out.download(), has_totals ? &totals : nullptr, input, length, kind);
    }
}

void check_large_sections(const SectionScan& scan) {
  const auto [name, length, kind, has_totals, launch] = scan;
  const std::size_t n = kTwoFit - length / 2 - 7, blocks = (n - 1) / length + 1;
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, length);
  const OnlyBlocks only(chosen);
  if (!only) return;
  const std::string what = std::string(name) + ", n = " + std::to_string(n);
  DeviceBuffer<int> d_in(n, Guards::none), d_out(n, Guards::none),
      d_totals(has_totals ? blocks : 0, Guards::none);
  d_in.fill_zero();
  std::vector<std::vector<int>> sections;
  for (const std::uint64_t b : chosen) {
    sections.push_back(random_ints(static_cast<int>(std::min<std::size_t>(length, n - b * length))));
    sections.back().front() = static_cast<int>(b) + 1;  // no section is like another
    copy_in(d_in.data() + b * length, sections.back());
  }
  launch(d_in.data(), d_out.data(), d_totals.data(), static_cast<int>(n), static_cast<int>(blocks));
  check_launch(what);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::vector<int> got = copy_out(d_out.data() + chosen[k] * length, sections[k].size());
    const auto verdict = harness::verify_scan(got, sections[k], kind);
    if (!verdict)
      report(Kind::wrong_result,
             what + ": section " + std::to_string(chosen[k]) + ": " + verdict.message +
                 "; in shorter arrays it was right. Does an index, or its bytes, outgrow their type?");
  }
}

bool check_add_before(const AddBefore& add, const std::string& how) {
  const auto [length, launch] = add;
  for (const int n : {1, length / 2, length / 2 + 1, length, 2 * length + 5, 4 * length - 1}) {
    const int blocks = sections_in(n, length);
    const std::string what = "add_before, n = " + std::to_string(n) + how;
    // Of the longest array the sums are more than a float carries.
    const bool wide = n > 3 * length;
    const std::vector<int> input = wide ? wide_ints(n) : random_ints(n),
                           before = before_sections((wide ? wide_ints : random_ints)(blocks + 3));
    DeviceBuffer<int> d_out(input), d_before(before);
    launch(d_out.data(), d_before.data(), n, blocks);
    check_launch(what);
    check_guards(what, d_out, "out");
    if (d_before.download() != before) report(Kind::wrong_result, what + ": `before` has changed");
    const std::vector<int> got = d_out.download();
    for (int i = 0; i < n; ++i) {
      if (got[i] == input[i] + before[i / length]) continue;
      const bool as_shipped = got == input;
      report(as_shipped ? Kind::as_shipped : Kind::wrong_result,
             what + ": element " + std::to_string(i) + " becomes " + std::to_string(got[i]) + ", expected " +
                 std::to_string(input[i] + before[i / length]) + " = " + std::to_string(input[i]) +
                 " + before[" + std::to_string(i / length) + "]");
      return !as_shipped;
    }
  }
  return true;
}

void check_large_add_before(const AddBefore& add) {
  const auto [length, launch] = add;
  const std::size_t n = kMost - length / 2 - 7, blocks = (n - 1) / length + 1;
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, length);
  const OnlyBlocks only(chosen);
  if (!only) return;
  const std::string what = "add_before, n = " + std::to_string(n);
  DeviceBuffer<int> d_out(n, Guards::none), d_before(blocks);
  std::vector<int> before(blocks);
  std::iota(before.begin(), before.end(), 0);
  d_before.upload(before);
  const auto section = [&, length = length](std::uint64_t b) {
    return std::vector<int>(std::min<std::size_t>(length, n - b * length), 5);
  };
  for (const std::uint64_t b : chosen) copy_in(d_out.data() + b * length, section(b));
  launch(d_out.data(), d_before.data(), static_cast<int>(n), static_cast<int>(blocks));
  check_launch(what);
  for (const std::uint64_t b : chosen) {
    const std::vector<int> expected(section(b).size(), 5 + before[b]);
    if (copy_out(d_out.data() + b * length, expected.size()) != expected)
      report(Kind::wrong_result,
             what + ": section " + std::to_string(b) + " is not what it was plus before[" +
                 std::to_string(b) +
                 "]; in shorter arrays it was. Does an index, or its bytes, outgrow their type?");
  }
}

void check_long_scan(const ScanKernel& kernel, const Hierarchy& hierarchy, int n) {
  if (cannot_be_judged(kernel)) return;
  const int launches = launches_of(hierarchy);
  if (launches == 0)
    return report(Kind::unimproved, "no kernel is launched for two sections: the GPU scans nothing: " +
                                        std::string(kernel.name));
  if (launches != 3 || !is_right_in_chosen_sections(hierarchy, kernel.kind, n)) check_long_scan(kernel, n);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
