// Judges chapters/14_many_gpus/kernels.cuh: sums of what several GPUs have, on all of them.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "all_reduce_checks.h"
#include "all_reduce_gaps.cuh"
#include "all_reduce_runs.cuh"
#include "counts.h"
#include "gpus.cuh"
#include "harness/device.h"
#include "judge.h"
#include "large_grids.h"
#include "simulated.h"
#include "thresholds.h"
#if HARNESS_SIM
#include <gpusim/report.h>
#include <gpusim/schedule.h>
#endif

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0x66dc8a9666d1ebcb,
    {{"flags and fences: tell", 1, {"tell"}},
     {"flags and fences: wait_for", 1, {"wait_for"}},
     {"flags and fences: meet", 1, {"meet"}},
     {"flags and fences: kMeetInKernel", 1, {"kMeetInKernel", "one_shot"}},
     {"a part for each", 1, {"part_of", "two_shot"}},
     {"the ring: part_to_add", 1, {"part_to_add", "ring"}},
     {"the ring: part_to_copy", 1, {"part_to_copy"}}}};

namespace {

using judge::AllReduces;
using judge::Kind;
using judge::Way;

const Way kOneShot = {"one_shot", one_shot}, kTwoShot = {"two_shot", two_shot}, kRing = {"ring", ring};

// Blocks have work of their own from this many elements of a part on.
constexpr int kOfBlock = 4 * kThreads;

// Those that can run: the ring needs flags and parts.
std::vector<Way> ways() {
  if (judge::are_flags_open()) return {};
  std::vector<Way> all = {kOneShot, kTwoShot};
  if (part_to_add(0, 0, 2) >= 0 && part_to_copy(0, 0, 2) >= 0 && part_of(0, 2, 8).end < 8 &&
      judge::meets_in_kernel)
    all.push_back(kRing);
  return all;
}

// A launch that looks at a flag for ever, and counts its looks, ends in seconds: such looks take over a second a million.
// The solution's longest launch here stays below three million, in 4096 warps.
void limit_instructions([[maybe_unused]] unsigned long long all = 2'000'000) {
#if HARNESS_SIM
  if (!judge::is_budget_given()) gpusim::set_instruction_budget(all, 5'000);
#endif
}

bool are_there(int count) { return gpus_for(count) == count; }

// All-reduces in a row, of one way in as many blocks each time.
void check_sums(const judge::Setting& setting, int blocks, int rounds = 1) {
  if (!are_there(setting.gpus)) return;
  for (const Way& way : ways()) {
    AllReduces all(setting);
    for (int round = 0; round < rounds; ++round) all.run(way, blocks);
    all.check();
  }
}

judge::ElementRange range_of(int rank, int ranks, int n) {
  const Part part = part_of(rank, ranks, n);
  return {part.begin, part.end};
}

}  // namespace

TEST_CASE("parts are the whole array, in the order of ranks, and of one size") {
  if (gpus_for(2) < 2) {
    std::puts(
        "skipped: this machine has one GPU, and the chapter needs two; the simulated ones are as many as one wants");
    std::exit(harness::kExitSkipped);
  }
  limit_instructions();
  judge::check_parts(range_of, kMostGpus);
}

TEST_CASE("round the ring each takes what the one before has just left") {
  judge::check_ring_parts(part_to_add, part_to_copy, kMostGpus);
  judge::are_ring_parts_named(part_to_add, part_to_copy);
}

TEST_CASE("GPUs wait for each other by themselves") {
  judge::report_open_flags();
  if (!judge::meets_in_kernel)
    judge::report({Kind::unimproved,
                   "kMeetInKernel is false: the host waits for all GPUs before and after each launch",
                   {},
                   "kMeetInKernel"});
}

TEST_CASE("all GPUs have all sums") {
  check_sums({2, 1000}, 1);
  // The last block has less work than the others; one part has four elements more, and another block for them.
  check_sums({2, 2 * (3 * kOfBlock - 800) + 7}, 3, 2);
  check_sums({3, 3 * kOfBlock + 4 + 1}, 3, 2);
  check_sums({4, 3699}, 2);  // of all of them, the second block has work for some of its threads
}

TEST_CASE("also of lengths on both sides of the numbers with which a kernel compares") {
  constexpr std::size_t kMostChecked = 1 << 16, kMostRun = 1 << 20;
  for (const std::size_t n : judge::sizes_around_thresholds(1, kMostChecked)) check_sums({3, int(n)}, 2);
  for (const std::size_t n : judge::sizes_around_thresholds(kMostChecked, kMostRun)) {
    const judge::WithoutChecks unchecked;
    check_sums({3, int(n)}, 16);
  }
}

TEST_CASE("also one GPU, eight, and arrays of few elements") {
  check_sums({1, 2050}, 2, 2);
  check_sums({8, 2050}, 2);
  check_sums({2, 0}, 2);
  check_sums({5, 1}, 1, 2);
  check_sums({6, 5}, 2);
  check_sums({7, 13}, 1);
}

TEST_CASE("a GPU waits for each other one, and as long as it takes") {
  if (!judge::meets_in_kernel) return;
  judge::check_flags_ahead();
  judge::check_place_of_flags();
  // A kernel that counts its looks, and gives up, has a number in its code up to which it counts.
  constexpr std::size_t kMostLooks = 1 << 17, kFewLooks = 1 << 12;
  const int looks =
      int(std::min(std::max(2 * judge::largest_number_in_code(kMostLooks), kFewLooks), kMostLooks));
  // A look may be a loop over all GPUs, or be made by all warps of a block, which then wait at a barrier.
  limit_instructions(std::uint64_t(looks) * 16 * kThreads / 32 + 2'000'000);
  for (const bool last_first : {false, true})
    for (const Way& way : ways()) {
      AllReduces all({2, 100, 0, 0, true, last_first});
      all.run_one_after_another(way, 1, looks);
      all.check();
    }
  limit_instructions();
}

// Between two launches, and within one: its first meeting before, its last behind.
TEST_CASE("counts go on behind 2^31 and 2^32") {
  for (const unsigned before : {2 * kCounts, kCounts + 2}) {
    check_sums({2, 100, 0x80000000u - before, 0, true, false,
                "counts that pass 2^31: as an int, the next count is negative"},
               2, 3);
    check_sums({2, 100, 0u - before, 0, true, false,
                "counts that pass 2^32 and begin again at 0: compare the difference, as an int"},
               2, 3);
  }
}

TEST_CASE("blocks that sit out launches, for however long, find their way back") {
  if (!are_there(2)) return;
  for (const Way& way : ways()) {
    AllReduces all({2, 2 * (2 * kOfBlock + 400), 0, 0, true, false,
                    "flags that are many counts behind, since these blocks sat out launches"});
    all.run(way, 1);
    all.skip(1000);  // the flags of the other blocks are still 0
    all.run(way, 3);
    all.run(way, 1);
    all.skip((1u << 30) - 2 * kCounts);
    all.run(way, 3);
    all.check();
  }
}

// Of very many blocks, each with work, some run, and every access is looked at. A kernel that shares the work out in another
// way, or whose blocks wait for each other, may need all of them: what seems wrong counts if it is where all run.
TEST_CASE("as many blocks as a GPU runs at the same time") {
  if (!are_there(2)) return;
  const judge::Setting setting = {2, 2 * kMostBlocks * kOfBlock};
  std::vector<std::uint64_t> chosen;  // and those that stand for them where blocks are counted from the end
  std::vector<int> blocks = {0, 1, 6, 63, 64, 127, 199};
  for (const judge::Threshold& t : judge::thresholds(1, kMostBlocks - 2))
    blocks.insert(blocks.end(), {int(t.first) - 1, int(t.last) + 1});
  for (const int block : blocks)
    for (const int either : {block, kMostBlocks - 1 - block})
      chosen.insert(chosen.end(), {std::uint64_t(either), std::uint64_t(kMostBlocks + either)});
  std::vector<int> begins;  // of the elements that these blocks have
  for (const std::uint64_t block : chosen) begins.push_back(int(block) * kOfBlock);
  std::vector<Way> suspicious = ways();
  bool has_finding = false;
  {
    const judge::OnlyBlocks only(chosen);
    AllReduces some(setting);
    for (const Way& way : ways()) {
      if (!only || has_finding) break;
      some.run(way, kMostBlocks, 2 * kMostBlocks);
      has_finding = some.has_finding();
      if (!has_finding && some.are_last_right(begins, kOfBlock))
        suspicious.erase(std::remove_if(suspicious.begin(), suspicious.end(),
                                        [&](const Way& other) { return other.kernel == way.kernel; }),
                         suspicious.end());
    }
  }
  if (has_finding)
    for (const int gpu : {1, 0}) cudaSetDevice(gpu), judge::reload_kernels();
  for (const Way& way : suspicious) {
    std::optional<judge::WithoutChecks> unchecked;
    if (!has_finding) unchecked.emplace();
    AllReduces all(setting);
    all.run(way, kMostBlocks, 64);
    all.check();
  }
}

TEST_CASE("all GPUs have the same bits, also of pieces of an array, and of different all-reduces in a row") {
  for (const int gpus : {3, 8}) {
    if (!are_there(gpus)) continue;
    AllReduces all({gpus, 255, 0, 4, false});
    for (int turn = 0; turn < (gpus == 3 ? 2 : 1); ++turn)
      for (const Way& way : ways()) all.run(way, 1 + turn);
    if (!ways().empty()) all.check();
  }
  if (!are_there(3)) return;
  const judge::WithoutChecks unchecked;  // a long array: many elements a thread
  for (const Way& way : ways()) {
    AllReduces all({3, 64 * kOfBlock + 6, 0, 0, false});
    all.run(way, 7, 64);
    all.check();
  }
}

TEST_CASE("the sums are the same whichever lane and whichever block comes first") {
  for (const std::string& schedule : judge::other_schedules()) {
    const judge::InSchedule other(schedule);
    check_sums({3, 1030, 0, 0, true, true, schedule}, 2, 2);
  }
}

#if HARNESS_SIM
// What an all-reduce sends over the links.
struct Traffic {
  std::uint64_t most = 0;  // bytes over one link
  std::string where;       // that link
  std::string beside;      // a link with data that leads to another GPU than the next one
};
constexpr std::uint64_t kFlagBytes = 4096;  // more than the flags take, which go the same way
constexpr int kShort = 4096;                // elements of data that are hardly more: there flags are counted

Traffic traffic_of(const Way& way, int count, int n) {
  gpus_for(count);
  Gpus gpus(count, n);
  gpus.each([&](int g) {
    cudaMemset(gpus.data(g), 0, n * sizeof(float));
    cudaDeviceSynchronize();
  });
  gpusim::enable_reports();
  gpusim::clear_reports();
  gpus.launch(way.kernel, 2);
  judge::check_gpus(gpus, way.name);
  Traffic traffic;
  for (const gpusim::LinkTraffic& link : gpusim::link_traffic()) {
    const std::string name = "from GPU " + std::to_string(link.from) + " to " + std::to_string(link.to);
    if (link.bytes > traffic.most) traffic.most = link.bytes, traffic.where = name;
    if (link.bytes > kFlagBytes && int(link.to) != (int(link.from) + 1) % count) traffic.beside = name;
  }
  gpusim::enable_reports(false);
  gpusim::clear_reports();
  return traffic;
}

// The page's table. Parts differ by 4 floats at most, and the last has up to 3 more.
std::uint64_t bytes_that_are_enough(const Way& way, int count, int n) {
  const int part = (n / 4 / count + (n / 4 % count > 0)) * 4 + n % 4;
  const int floats = way.kernel == one_shot ? n : way.kernel == ring ? 2 * (count - 1) * part : 2 * part;
  return floats * sizeof(float);
}

bool keeps_to_the_table(const Way& way, int count, int n) {
  const Traffic traffic = traffic_of(way, count, n);
  const std::uint64_t enough = bytes_that_are_enough(way, count, n),
                      flags = n < kShort ? 2 * traffic_of(way, count, 0).most : kFlagBytes;
  const bool leaves_the_ring = way.kernel == ring && !traffic.beside.empty(),
             sends_too_much = traffic.most > enough + flags;
  if (leaves_the_ring)
    judge::report({Kind::unimproved,
                   "ring: data go " + traffic.beside +
                       ", and round the ring each GPU takes from the one before it only",
                   {},
                   way.name});
  if (sends_too_much)
    judge::report({Kind::unimproved,
                   std::string(way.name) + ": " + std::to_string(traffic.most) + " bytes go " +
                       traffic.where + ", and " + std::to_string(enough) + " are enough for " +
                       std::to_string(n) + " floats on " + std::to_string(count) + " GPUs",
                   {},
                   way.name});
  return !leaves_the_ring && !sends_too_much;
}

// Any number of GPUs. With two of them, one-shot sends as much as two-shot.
TEST_CASE("a GPU reads of the others what it needs") {
  struct Setting {
    int gpus, n;
  };
  for (const Way& way : ways()) {
    if (judge::is_open(way.name)) continue;
    // Short arrays, whose flags are counted; and for each number of GPUs one whose parts have more bytes than flags may take.
    std::vector<Setting> settings = {{4, 4096}, {8, 1500}, {2, 4096}, {3, 5003}, {4, 30000},
                                     {5, 6100}, {6, 7168}, {7, 8197}, {8, 9216}};
    for (const std::size_t n : judge::sizes_around_thresholds(64, 1 << 20, 1, way.name))
      settings.push_back({4, int(n)});
    for (const auto& [gpus, n] : settings)
      if (!keeps_to_the_table(way, gpus, n)) break;
  }
}
#endif

// Each of a kernel's two meetings has two barriers as the page builds them. But before the first nothing has been done.
TEST_CASE("stretch: three barriers in place of four") {
  constexpr int kN = 4096, kBlocks = 2;
  gpus_for(1);
  Gpus gpus(1, kN);
  gpus.each([&](int g) {
    cudaMemset(gpus.data(g), 0, kN * sizeof(float));
    cudaDeviceSynchronize();
  });
  judge::check_counts("one_shot", kBlocks,
                      [&] {
                        gpus.launch(one_shot, kBlocks);
                        judge::check_gpus(gpus, "one_shot");
                      },
                      {judge::Count::barriers <= 3 * (kThreads / 32)});
}
// SPDX-License-Identifier: MIT
