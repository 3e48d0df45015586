// Judges chapters/10_scan/kernels.cuh: scans by one block, by sections, and in a single pass.
#include <kernels.cuh>

#include <single_pass.cuh>

#include <doctest/doctest.h>

#include <counted.cuh>

#include "counts.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "look_back_kernels.cuh"
#include "scan_checks.h"
#include "section_checks.h"
#include "simulated.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0x164554fedb4ee388,
                                         {{"scan_brent_kung: the way down", 1, {"scan_brent_kung"}},
                                          {"add_before", 1, {"add_before", "scan_hierarchical"}},
                                          {"look_back", 1, {"look_back", "single_pass"}}}};

namespace {

using harness::DeviceBuffer;
using harness::ScanKind;
using judge::Count;
using judge::ScanKernel;
using judge::SectionScan;

constexpr int kKoggeStone = 1024;  // elements of its one section
constexpr int kSmallThreads = 64, kSmallRows = 2, kSmallTile = kSmallThreads * kSmallRows * 4;
// The program's threads. Its 20 rows are 3000 lines of PTX, a third of what a learner would wait for, and given.
constexpr int kBigThreads = 512, kBigRows = 4, kBigTile = kBigThreads * kBigRows * 4;

constexpr ScanKind kind_of(Scan scan) {
  return scan == Scan::inclusive ? ScanKind::inclusive : ScanKind::exclusive;
}

template <typename T>
void check_scratch(const char* name, const DeviceBuffer<T>& scratch) {
  judge::check_launch(name);
  std::string message;
  if (!scratch.guards_intact(&message))
    judge::report(judge::Kind::wrong_result, std::string(name) + ", outside its totals: " + message);
}

// What remains of a section that only went up, and of a tile whose block looks at no other.
std::vector<int> up_only(std::vector<int> tile, bool exclusive) {
  std::vector<int> out(tile.size());
  for (std::size_t first = 0; first < tile.size(); first += kSection) {
    const std::size_t length = std::min<std::size_t>(kSection, tile.size() - first);
    for (std::size_t stride = 1; stride < kSection; stride *= 2)
      for (std::size_t k = 2 * stride - 1; k < length; k += 2 * stride)
        tile[first + k] += tile[first + k - stride];
    for (std::size_t k = 0; k < length; ++k)
      out[first + k] = !exclusive ? tile[first + k] : k == 0 ? 0 : tile[first + k - 1];
  }
  return out;
}
std::vector<int> each_alone(const std::vector<int>& in, int length, bool exclusive) {
  std::vector<int> out(in.size());
  for (std::size_t i = 0, sum = 0; i < in.size(); ++i) {
    if (i % length == 0) sum = 0;
    out[i] = static_cast<int>(exclusive ? sum : sum + in[i]);
    sum += in[i];
  }
  return out;
}

// Element types are int and float; the launches are the same.
template <Scan kScan>
ScanKernel kogge_stone(const char* name) {
  const auto launch = [](const auto* d_in, auto* d_out, int n) {
    using T = std::remove_pointer_t<decltype(d_out)>;
    if (n == 0) return;  // ceil(n / kLength) blocks
    scan_kogge_stone<T, kKoggeStone, kScan><<<1, kKoggeStone>>>(d_in, d_out, n);
  };
  return {name, kind_of(kScan), kKoggeStone, true, launch, launch};
}

template <Scan kScan>
ScanKernel brent_kung(const char* name) {
  const auto launch = [](const auto* d_in, auto* d_out, int n) {
    using T = std::remove_pointer_t<decltype(d_out)>;
    if (n == 0) return;
    DeviceBuffer<T> d_total(1);
    scan_brent_kung<T, kSection, kScan><<<1, kSection / 2>>>(d_in, d_out, d_total.data(), n);
    check_scratch("scan_brent_kung", d_total);
  };
  return {name, kind_of(kScan), kSection, true, launch, launch, [](const std::vector<int>& in) {
            return up_only(in, kScan == Scan::exclusive);
          }};
}

template <Scan kScan>
ScanKernel hierarchical(const char* name, const ScanKernel* stands_on) {
  const auto launch = [](const auto* d_in, auto* d_out, int n) {
    DeviceBuffer<std::remove_pointer_t<decltype(d_out)>> d_totals(totals_of(n));
    d_totals.fill_poison();
    scan_hierarchical<std::remove_pointer_t<decltype(d_out)>, kScan>(d_in, d_out, d_totals.data(), n);
    check_scratch("scan_hierarchical", d_totals);
  };
  return {name,
          kind_of(kScan),
          ScanKernel::kAny,
          true,
          launch,
          launch,
          [](const std::vector<int>& in) { return each_alone(in, kSection, kScan == Scan::exclusive); },
          stands_on};
}

enum class Elements { ints, floats_too };

template <Scan kScan, int kThreads, int kRows, Elements kElements = Elements::floats_too>
ScanKernel single_pass_scan(const char* name) {
  const auto launch = [](const auto* d_in, auto* d_out, int n) {
    using T = std::remove_pointer_t<decltype(d_out)>;
    DeviceBuffer<TileWord> d_words(words_of<kThreads, kRows>(n));
    d_words.fill_poison();
    CUDA_CHECK((scan_single_pass<T, kScan, kThreads, kRows>(d_in, d_out, d_words.data(), n)));
    check_scratch("single_pass", d_words);
  };
  ScanKernel kernel{
      name, kind_of(kScan), ScanKernel::kAny, false, {}, launch, [](const std::vector<int>& in) {
        return each_alone(in, kThreads * kRows * 4, kScan == Scan::exclusive);
      }};
  if constexpr (kElements == Elements::floats_too) kernel.floats = launch;
  return kernel;
}

const ScanKernel kStoneInclusive = kogge_stone<Scan::inclusive>("scan_kogge_stone, inclusive");
const ScanKernel kStoneExclusive = kogge_stone<Scan::exclusive>("scan_kogge_stone, exclusive");
const ScanKernel kKungInclusive = brent_kung<Scan::inclusive>("scan_brent_kung, inclusive");
const ScanKernel kKungExclusive = brent_kung<Scan::exclusive>("scan_brent_kung, exclusive");
const ScanKernel kSectionsInclusive =
    hierarchical<Scan::inclusive>("scan_hierarchical, inclusive", &kKungInclusive);
const ScanKernel kSectionsExclusive =
    hierarchical<Scan::exclusive>("scan_hierarchical, exclusive", &kKungExclusive);
const ScanKernel kPassInclusive =
    single_pass_scan<Scan::inclusive, kSmallThreads, kSmallRows>("single_pass, inclusive");
const ScanKernel kPassExclusive =
    single_pass_scan<Scan::exclusive, kSmallThreads, kSmallRows, Elements::ints>("single_pass, exclusive");
const ScanKernel kBigPass = [] {
  auto kernel =
      single_pass_scan<Scan::inclusive, kBigThreads, kBigRows, Elements::ints>("single_pass, 512 threads");
  kernel.lengths = {1, 33, 4099, kBigTile + 1};
  return kernel;
}();
const ScanKernel* const kOfSections[] = {&kStoneInclusive, &kStoneExclusive,    &kKungInclusive,
                                         &kKungExclusive,  &kSectionsInclusive, &kSectionsExclusive};
const ScanKernel* const kSinglePasses[] = {&kPassInclusive, &kPassExclusive, &kBigPass};

void check_all(void (*check)(const ScanKernel&)) {
  for (const ScanKernel* kernel : kOfSections) check(*kernel);
  for (const ScanKernel* kernel : kSinglePasses) check(*kernel);
}

template <int kLength, Scan kScan> void launch_stone(int* in, int* out, int*, int n, int blocks) {
  scan_kogge_stone<int, kLength, kScan><<<blocks, kLength>>>(in, out, n);
}
template <int kLength, Scan kScan> void launch_kung(int* in, int* out, int* totals, int n, int blocks) {
  scan_brent_kung<int, kLength, kScan><<<blocks, kLength / 2>>>(in, out, totals, n);
}
template <int kLength, Scan kScan>
constexpr SectionScan kStoneSections = {"scan_kogge_stone", kLength, kind_of(kScan), false,
                                        launch_stone<kLength, kScan>};
template <int kLength, Scan kScan>
constexpr SectionScan kKungSections = {"scan_brent_kung", kLength, kind_of(kScan), true,
                                       launch_kung<kLength, kScan>};
constexpr judge::AddBefore kAddBefore = {kSection, [](int* out, const int* before, int n, int blocks) {
                                           add_before<<<blocks, kSection / 2>>>(out, before, n);
                                         }};

}  // namespace

// Before a scan needs it: what is wrong with it is told of it, and not of a sum.
TEST_CASE("the look-back adds up what stands there") { judge::check_standing_states(judge::kLookBacks); }

TEST_CASE("no kernel reads or writes beyond its arrays") { check_all(judge::check_bounds); }

TEST_CASE("a scan of any length is right: inclusive and exclusive, int and float, in place and not") {
  check_all(judge::check_scans);
}

TEST_CASE("each block scans its own section, of any length, and leaves its total") {
  judge::check_sections(kStoneSections<64, Scan::inclusive>);
  judge::check_sections(kStoneSections<512, Scan::exclusive>);
  if (judge::is_gap_open(kKungInclusive)) return judge::leave_out(kKungInclusive.name);
  judge::check_sections(kKungSections<64, Scan::exclusive>);
  judge::check_sections(kKungSections<512, Scan::inclusive>);
  judge::check_sections(kKungSections<kSection, Scan::exclusive>);
}

TEST_CASE("what comes before a section is added to all of it, and to nothing else") {
  if (!judge::check_add_before(kAddBefore)) return;
  for (const std::string& schedule : judge::other_schedules()) {
    const judge::InSchedule other(schedule);
    judge::check_add_before(kAddBefore, " in schedule " + schedule);
  }
}

TEST_CASE("the look-back adds up exactly the tiles before, however far it has to go") {
  judge::check_look_back(judge::kLookBacks);
}

TEST_CASE("a NaN comes out in the sums that cover it, and in no other") { check_all(judge::check_nan); }

TEST_CASE("a second run gives the same bits, where the order of additions is fixed") {
  check_all(judge::check_repeatable);
}

TEST_CASE("the scans by sections are the same whichever lane comes first") {
  for (const ScanKernel* kernel : kOfSections) judge::check_schedules(*kernel);
}

TEST_CASE("the scans in a single pass are the same whichever lane comes first") {
  for (const ScanKernel* kernel : kSinglePasses) judge::check_schedules(*kernel);
}

TEST_CASE("arrays that begin between two 128-bit words are scanned as well") {
  if (judge::is_gap_open(kPassInclusive)) return judge::leave_out(kPassInclusive.name);
  constexpr int kLength = 2000;  // four tiles, of which the first three would be whole
  std::vector<int> input(1 + kLength);
  for (int i = 0; i <= kLength; ++i) input[i] = i % 7 - 2;
  DeviceBuffer<int> d_in(input), d_out(1 + kLength);
  d_out.fill_poison();
  kPassInclusive.ints(d_in.data() + 1, d_out.data() + 1, kLength);
  const std::vector<int> got = d_out.download();
  const harness::Verdict verdict =
      harness::verify_scan(std::vector<int>(got.begin() + 1, got.end()),
                           std::vector<int>(input.begin() + 1, input.end()), ScanKind::inclusive);
  if (!verdict) judge::report(judge::Kind::wrong_result, "single_pass from element 1: " + verdict.message);
  CHECK(got[0] == -1);  // not written
}

TEST_CASE("sections near the end of 2^30 elements are scanned, and added to, as well") {
  judge::check_large_sections(kStoneSections<kSection / 2, Scan::inclusive>);
  if (!judge::is_open("add_before")) judge::check_large_add_before(kAddBefore);
  if (judge::is_gap_open(kKungInclusive)) return judge::leave_out(kKungInclusive.name);
  judge::check_large_sections(kKungSections<kSection, Scan::inclusive>);
}

// 2048 sections are the most whose totals fit into one section.
TEST_CASE("4194305 elements, one section more than two levels hold") {
  const judge::Hierarchy hierarchy = {kSection, totals_of, scan_hierarchical<int, Scan::inclusive>};
  judge::check_long_scan(kSectionsInclusive, hierarchy, kSection * kSection + 1);
}

TEST_CASE("1000003 elements in a single pass, in 123 tiles") { judge::check_long_scan(kBigPass, 1000003); }

TEST_CASE("Brent-Kung needs at most two additions an element") {
  if (judge::is_gap_open(kKungInclusive)) return judge::leave_out(kKungInclusive.name);
  DeviceBuffer<Counted> d_in(kSection), d_out(kSection), d_total(1);
  d_in.fill_zero();
  const auto additions = count_additions([&] {
    scan_brent_kung<Counted, kSection, Scan::inclusive>
        <<<1, kSection / 2>>>(d_in.data(), d_out.data(), d_total.data(), kSection);
  });
  if (additions > 2 * kSection)
    judge::report(judge::Kind::unimproved,
                  "scan_brent_kung makes " + std::to_string(additions) + " additions in a section of " +
                      std::to_string(kSection) +
                      " (this chapter asks for 2N = " + std::to_string(2 * kSection) + " at most)");
  // A thread of the book's has 22: one a level. So a warp could still do the work of all.
  constexpr unsigned kMostOfThread = 64;
  if (const unsigned most = most_additions_of_a_thread(); most > kMostOfThread)
    judge::report(judge::Kind::unimproved, "scan_brent_kung lets one thread make " + std::to_string(most) +
                                               " of its " + std::to_string(additions) +
                                               " additions, one after another (this chapter asks for " +
                                               std::to_string(kMostOfThread) + " at most)");
}

// A tile is 512 elements: 64 sectors. The rest is the counter and the states: 32 words, 8 or 9 sectors, a
// look. A tile draws its number by an atomic, and states may be left, and looked at, by others.
TEST_CASE("a single pass reads each element once and writes it once") {
  constexpr int kBlocks = 4;
  DeviceBuffer<float> d_in(kBlocks * kSmallTile), d_out(kBlocks * kSmallTile);
  DeviceBuffer<TileWord> d_words(words_of<kSmallThreads, kSmallRows>(kBlocks * kSmallTile));
  d_in.fill_zero();
  judge::check_counts("single_pass", kBlocks,
                      [&] {
                        CUDA_CHECK((scan_single_pass<float, Scan::inclusive, kSmallThreads, kSmallRows>(
                            d_in.data(), d_out.data(), d_words.data(), kBlocks * kSmallTile)));
                      },
                      {Count::global_load_sectors <= kSmallTile / 8 + 18,
                       Count::global_store_sectors <= kSmallTile / 8 + 2, Count::global_atomics <= 8});
}

// Levels far up and far down touch elements 2, 4, 8 … apart: those that meet in a bank can be kept apart.
TEST_CASE("stretch: Brent-Kung with hardly a bank conflict") {
  DeviceBuffer<float> d_in(kSection), d_out(kSection), d_total(1);
  d_in.fill_zero();
  judge::check_counts("scan_brent_kung", 1,
                      [&] {
                        scan_brent_kung<float, kSection, Scan::inclusive>
                            <<<1, kSection / 2>>>(d_in.data(), d_out.data(), d_total.data(), kSection);
                      },
                      {Count::bank_conflicts <= 200, Count::local_requests <= 0});
}
// SPDX-License-Identifier: MIT
