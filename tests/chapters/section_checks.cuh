// Checks of the parts of chapter 10's hierarchical scan by themselves: kernels that scan each section, many blocks of
// sections of several lengths, with the totals that they leave behind; and the one that adds what comes before.
#pragma once

#include <kernels.cuh>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "harness/device_buffer.h"
#include "harness/scan_reference.h"
#include "judge.h"
#include "large_grids.h"
#include "scan_checks.h"
#include "simulated.h"
#include "sum_checks.h"

namespace judge {

constexpr harness::ScanKind kind_of(Scan scan) {
  return scan == Scan::inclusive ? harness::ScanKind::inclusive : harness::ScanKind::exclusive;
}

inline int sections_in(int n, int length) { return (n - 1) / length + 1; }

inline void check_guards(const std::string& what, const harness::DeviceBuffer<int>& array,
                         const char* which) {
  std::string message;
  if (!array.guards_intact(&message))
    report(Kind::wrong_result, what + ": outside " + which + ": " + message);
}

// Each section of `length` elements is scanned by itself; totals, unless it is null, are what the sections add up to.
inline void verify_sections(const std::string& what, const std::vector<int>& got,
                            const std::vector<int>* totals, const std::vector<int>& input, int length,
                            harness::ScanKind kind) {
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

// `launch` takes (in, out, totals, n, blocks). In place, and not.
template <typename Launch>
void check_sections(const std::string& name, int length, harness::ScanKind kind, bool has_totals,
                    Launch launch) {
  for (const int n : {1, length - 1, length, 3 * length + 1, 5 * length - 3})
    for (const bool in_place : {false, true}) {
      const std::string what = name + ", sections of " + std::to_string(length) +
                               ", n = " + std::to_string(n) + (in_place ? ", in place" : "");
      const std::vector<int> input = random_ints(n);
      harness::DeviceBuffer<int> d_in(input), d_other(n), d_totals(sections_in(n, length));
      d_other.fill_poison();
      d_totals.fill_poison();
      harness::DeviceBuffer<int>& d_out = in_place ? d_in : d_other;
      launch(d_in.data(), d_out.data(), d_totals.data(), n, sections_in(n, length));
      check_launch(what);
      check_guards(what, d_out, "out");
      check_guards(what, d_totals, "totals");
      const std::vector<int> totals = d_totals.download();
      verify_sections(what, d_out.download(), has_totals ? &totals : nullptr, input, length, kind);
    }
}

template <int kLength, Scan kScan>
void check_kogge_stone_sections() {
  check_sections("scan_kogge_stone", kLength, kind_of(kScan), false,
                 [](int* in, int* out, int*, int n, int blocks) {
                   scan_kogge_stone<int, kLength, kScan><<<blocks, kLength>>>(in, out, n);
                 });
}
template <int kLength, Scan kScan>
void check_brent_kung_sections() {
  check_sections("scan_brent_kung", kLength, kind_of(kScan), true,
                 [](int* in, int* out, int* totals, int n, int blocks) {
                   scan_brent_kung<int, kLength, kScan><<<blocks, kLength / 2>>>(in, out, totals, n);
                 });
}

// Chosen sections near the ends of arrays that are too large to fill. `launch` takes (in, out, n, blocks).
template <typename Launch> void check_large_sections(const std::string& name, int length, Launch launch) {
  const std::size_t n = kTwoFit - length / 2 - 7, blocks = (n - 1) / length + 1;
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, length);
  const OnlyBlocks only(chosen);
  if (!only) return;
  const std::string what = name + ", n = " + std::to_string(n);
  harness::DeviceBuffer<int> d_in(n, harness::Guards::none), d_out(n, harness::Guards::none);
  d_in.fill_zero();
  std::vector<std::vector<int>> sections;
  for (const std::uint64_t b : chosen) {
    sections.push_back(random_ints(static_cast<int>(std::min<std::size_t>(length, n - b * length))));
    sections.back().front() = static_cast<int>(b) + 1;  // no section is like another
    copy_in(d_in.data() + b * length, sections.back());
  }
  launch(d_in.data(), d_out.data(), static_cast<int>(n), static_cast<unsigned>(blocks));
  check_launch(what);
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const std::vector<int> got = copy_out(d_out.data() + chosen[k] * length, sections[k].size());
    const auto verdict = harness::verify_scan(got, sections[k], harness::ScanKind::inclusive);
    if (!verdict)
      report(Kind::wrong_result,
             what + ": section " + std::to_string(chosen[k]) + ": " + verdict.message +
                 "; in shorter arrays it was right: an index, or its bytes, outgrow their type");
  }
}

// False if it is as shipped: nothing is added.
inline bool check_add_before(const std::string& how = "") {
  for (const int n : {1, kSection / 2, kSection / 2 + 1, kSection, 2 * kSection + 5, 4 * kSection - 1}) {
    const std::string what = "add_before, n = " + std::to_string(n) + how;
    // Of the longest array the sums are more than a float carries.
    const bool wide = n > 3 * kSection;
    const std::vector<int> input = wide ? wide_ints(n) : random_ints(n),
                           before = (wide ? wide_ints : random_ints)(sections_of(n) + 3);
    harness::DeviceBuffer<int> d_out(input), d_before(before);
    add_before<<<sections_of(n), kSection / 2>>>(d_out.data(), d_before.data(), n);
    check_launch(what);
    check_guards(what, d_out, "out");
    if (d_before.download() != before) report(Kind::wrong_result, what + ": `before` has changed");
    const std::vector<int> got = d_out.download();
    for (int i = 0; i < n; ++i) {
      if (got[i] == input[i] + before[i / kSection]) continue;
      const bool as_shipped = got == input;
      report(as_shipped ? Kind::as_shipped : Kind::wrong_result,
             what + ": element " + std::to_string(i) + " becomes " + std::to_string(got[i]) + ", expected " +
                 std::to_string(input[i] + before[i / kSection]) + " = " + std::to_string(input[i]) +
                 " + before[" + std::to_string(i / kSection) + "]");
      return !as_shipped;
    }
  }
  return true;
}

// The same for what it adds: chosen sections of a large array.
inline void check_large_add_before() {
  const std::size_t n = kMost - kSection / 2 - 7, blocks = (n - 1) / kSection + 1;
  const std::vector<std::uint64_t> chosen = blocks_to_run(blocks, kSection);
  const OnlyBlocks only(chosen);
  if (!only) return;
  const std::string what = "add_before, n = " + std::to_string(n);
  harness::DeviceBuffer<int> d_out(n, harness::Guards::none), d_before(blocks);
  std::vector<int> before(blocks);
  std::iota(before.begin(), before.end(), 1);
  d_before.upload(before);
  const auto section = [&](std::uint64_t b) {
    return std::vector<int>(std::min<std::size_t>(kSection, n - b * kSection), 5);
  };
  for (const std::uint64_t b : chosen) copy_in(d_out.data() + b * kSection, section(b));
  add_before<<<static_cast<unsigned>(blocks), kSection / 2>>>(d_out.data(), d_before.data(),
                                                              static_cast<int>(n));
  check_launch(what);
  for (const std::uint64_t b : chosen) {
    const std::vector<int> expected(section(b).size(), 5 + before[b]);
    if (copy_out(d_out.data() + b * kSection, expected.size()) != expected)
      report(Kind::wrong_result,
             what + ": section " + std::to_string(b) + " is not what it was plus before[" +
                 std::to_string(b) +
                 "]; in shorter arrays it was: an index, or its bytes, outgrow their type");
  }
}

}  // namespace judge
