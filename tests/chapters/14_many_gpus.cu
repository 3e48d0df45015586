// Judges chapters/14_many_gpus/kernels.cuh: sums of what several GPUs have, on all of them.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "counts.h"
#include "gpus.cuh"
#include "harness/device.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "judge.h"
#include "large_grids.h"
#include "quoted_line.h"
#include "simulated.h"
#include "sum_checks.h"
#if HARNESS_SIM
#include <gpusim/report.h>
#endif

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0x62cf29b34798fc8e,
    {{"flags and fences", 4, {"one_shot"}}, {"a part for each", 1, {"two_shot"}}, {"the ring", 2, {"ring"}}}};

namespace {

using judge::Kind;

std::string text(int number) { return std::to_string(number); }
// What is wrong with a function that the host calls: where it is.
void report_wrong(const char* way, const char* function, const std::string& why) {
  const std::string line = judge::quoted_definition(judge::kernels_file, function);
  judge::report(Kind::wrong_result, std::string(way) + ": " + why + (line.empty() ? "" : "\n" + line));
}

// What comes before an all-reduce in each GPU's stream, and after it: nobody waits for that but by the stream.
__global__ void bring(float* data, int n, float scale, const float* from) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] = scale * from[i];
}
__global__ void take_away(float* kept, const float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) kept[i] = out[i];
}

struct Way {
  const char* name;
  void (*kernel)(Team, int, unsigned);
};
const Way kOneShot = {"one_shot", one_shot}, kTwoShot = {"two_shot", two_shot}, kRing = {"ring", ring};

bool has_ring() { return part_to_add(0, 0, 2) >= 0; }
// Those that can run: the ring needs flags and parts.
std::vector<Way> ways() {
  std::vector<Way> all = {kOneShot, kTwoShot};
  if (has_ring() && part_of(0, 2, 8).end < 8 && kMeetInKernel) all.push_back(kRing);
  return all;
}

std::vector<int> numbers_of_gpus(std::vector<int> wanted) {
  wanted.erase(
      std::remove_if(wanted.begin(), wanted.end(), [](int count) { return gpus_for(count) < count; }),
      wanted.end());
  return wanted;
}

void check_gpus(const Gpus& gpus, const std::string& what) {
  for (int g = 0; g < gpus.count(); ++g) {
    cudaSetDevice(g);
    judge::check_launch(what + ", GPU " + text(g));
  }
  cudaSetDevice(0);
}

// `rounds` all-reduces in a row of arrays that change in between, all in the GPUs' streams.
void check_sums(const Way& way, int count, int n, int blocks, int rounds, unsigned first_count = 0) {
  const std::string what = std::string(way.name) + ", n = " + text(n) + ", " + text(count) +
                           (count == 1 ? " GPU, " : " GPUs, ") + text(blocks) + " blocks";
  gpus_for(count);
  Gpus gpus(count, n);
  if (first_count) gpus.begin_counting_at(first_count);
  std::vector<std::vector<float>> inputs;
  std::vector<float*> source(count), kept(count);
  gpus.each([&](int g) {
    inputs.push_back(harness::small_integers(n, 7 * g + n + 1));
    const std::size_t bytes = std::max(n, 1) * sizeof(float);
    cudaMalloc(&source[g], bytes);
    cudaMalloc(&kept[g], bytes * rounds);
    cudaMemcpy(source[g], inputs[g].data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(kept[g], 0xff, bytes * rounds);
    cudaMemset(gpus.out(g), 0xff, bytes);
    cudaDeviceSynchronize();
  });
  for (int round = 0; round < rounds; ++round) {
    gpus.each(
        [&](int g) { bring<<<2, 64, 0, gpus.stream(g)>>>(gpus.data(g), n, float(round + 1), source[g]); });
    gpus.launch(way.kernel, blocks);
    gpus.each([&](int g) {
      take_away<<<2, 64, 0, gpus.stream(g)>>>(kept[g] + std::size_t(round) * n, gpus.out(g), n);
    });
  }
  check_gpus(gpus, what);
  for (int g = 0; g < count; ++g) {
    std::vector<float> result(std::size_t(n) * rounds);
    cudaMemcpy(result.data(), kept[g], result.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (std::size_t k = 0; k < result.size(); ++k) {
      const int i = int(k % std::max(n, 1)), round = int(k / std::max(n, 1));
      float expected = 0;
      for (const auto& input : inputs) expected += float(round + 1) * input[i];
      if (result[k] == expected) continue;
      judge::report(Kind::wrong_result,
                    what + ": element " + text(i) + " on GPU " + text(g) + " is " +
                        harness::digits(result[k]) + " and not " + harness::digits(expected) +
                        (round ? ", in all-reduce " + text(round + 1) + " of a row" : ""));
      k = result.size();
    }
  }
  gpus.each([&](int g) {
    cudaFree(source[g]);
    cudaFree(kept[g]);
  });
}

}  // namespace

TEST_CASE("parts are the whole array, in the order of ranks, and of one size") {
  if (gpus_for(2) < 2) {
    std::puts(
        "skipped: this machine has one GPU, and the chapter needs two; the simulated ones are as many as one wants");
    std::exit(harness::kExitSkipped);
  }
  for (int ranks = 1; ranks <= kMostGpus; ++ranks)
    for (const int n : {1000, 0, 1, 3, 4, 7, 64, 4099, (1 << 30) - 1, 1 << 30}) {
      int end = 0;
      long long least = n, most = 0;
      bool is_all = ranks > 1 && n >= 8 * ranks;
      for (int rank = 0; rank < ranks; ++rank) {
        const Part part = part_of(rank, ranks, n);
        is_all = is_all && part.begin == 0 && part.end == n;
        least = std::min<long long>(least, part.end - part.begin);
        most = std::max<long long>(most, part.end - part.begin);
      }
      if (is_all) {
        judge::report({Kind::unimproved,
                       "two_shot: part_of(rank, " + text(ranks) + ", " + text(n) +
                           ") is everything for every rank, so that each GPU computes all sums",
                       {},
                       "two_shot"});
        return;
      }
      for (int rank = 0; rank < ranks; ++rank) {
        const Part part = part_of(rank, ranks, n);
        const std::string call = "part_of(" + text(rank) + ", " + text(ranks) + ", " + text(n) + ") is [" +
                                 text(part.begin) + ", " + text(part.end) + ")";
        if (part.begin != end || part.end < part.begin || part.end > n)
          report_wrong("two_shot", "part_of", call + ", and the parts before it end at " + text(end));
        if (part.begin % 4 != 0 && part.begin != n)
          report_wrong("two_shot", "part_of", call + ", which does not begin at a multiple of 4");
        end = part.end;
      }
      if (end != n)
        report_wrong(
            "two_shot", "part_of",
            "the parts of " + text(n) + " elements for " + text(ranks) + " ranks end at " + text(end));
      if (most - least > 7) {
        judge::report({Kind::unimproved,
                       "two_shot: of " + text(n) + " elements for " + text(ranks) + " ranks one part has " +
                           std::to_string(most) + ", another " + std::to_string(least) +
                           ": give no rank more than one four more than another",
                       {},
                       "two_shot"});
        return;
      }
    }
}

TEST_CASE("round the ring each takes what the one before has just left") {
  if (!has_ring()) {
    judge::report({Kind::as_shipped,
                   "ring: part_to_add(0, 0, 2) is " + text(part_to_add(0, 0, 2)) + ", which is no part",
                   {},
                   "ring"});
    judge::leave_out("ring");
    return;
  }
  for (int ranks = 2; ranks <= kMostGpus; ++ranks) {
    const auto wrong = [&](const char* function, int rank, int step, int part, const std::string& why) {
      report_wrong("ring", function,
                   std::string(function) + "(" + text(rank) + ", " + text(step) + ", " + text(ranks) +
                       ") is " + text(part) + ": " + why);
    };
    for (int step = 0; step < ranks - 1; ++step)
      for (int rank = 0; rank < ranks; ++rank) {
        const int before = (rank + ranks - 1) % ranks;
        const int add = part_to_add(rank, step, ranks), copy = part_to_copy(rank, step, ranks);
        if (add < 0 || add >= ranks)
          wrong("part_to_add", rank, step, add, "there are parts 0 to " + text(ranks - 1));
        if (copy < 0 || copy >= ranks)
          wrong("part_to_copy", rank, step, copy, "there are parts 0 to " + text(ranks - 1));
        if (step > 0 && add != part_to_add(before, step - 1, ranks))
          wrong("part_to_add", rank, step, add,
                "in the step before, GPU " + text(before) + " has left part " +
                    text(part_to_add(before, step - 1, ranks)));
        if (step == 0 && copy != part_to_add(before, ranks - 2, ranks))
          wrong("part_to_copy", rank, step, copy,
                "what GPU " + text(before) + " has complete is part " +
                    text(part_to_add(before, ranks - 2, ranks)));
        if (step > 0 && copy != part_to_copy(before, step - 1, ranks))
          wrong("part_to_copy", rank, step, copy,
                "in the step before, GPU " + text(before) + " has copied part " +
                    text(part_to_copy(before, step - 1, ranks)));
        for (int other = 0; other < rank; ++other)
          if (add == part_to_add(other, step, ranks))
            wrong("part_to_add", rank, step, add,
                  "GPU " + text(other) + " adds to the same part in this step");
      }
  }
}

TEST_CASE("GPUs wait for each other by themselves") {
  if (!kMeetInKernel)
    judge::report(
        {Kind::unimproved,
         "one_shot: the host waits for all GPUs before and after each launch (kMeetInKernel is false)",
         {},
         "one_shot"});
}

TEST_CASE("all GPUs have all sums") {
  for (const int count : numbers_of_gpus({2, 4, 3}))
    for (const Way& way : ways()) {
      check_sums(way, count, 1000, 1, 1);
      check_sums(way, count, 4099, 3, 2);
    }
}

TEST_CASE("also one GPU, eight, and arrays of few elements") {
  for (const int count : numbers_of_gpus({1, 8}))
    for (const Way& way : ways()) check_sums(way, count, 2050, 2, 2);
  for (const int n : {0, 1, 5, 13})
    for (const int count : numbers_of_gpus({2, 5}))
      for (const Way& way : ways()) check_sums(way, count, n, 2, 2);
}

TEST_CASE("counts go on behind 2^32") {
  for (const int count : numbers_of_gpus({2}))
    for (const Way& way : ways()) check_sums(way, count, 100, 2, 4, 0u - 2 * kCounts);
}

TEST_CASE("the sums are the same whichever lane and whichever block comes first") {
  for (const std::string& schedule : judge::other_schedules()) {
    const judge::InSchedule other(schedule);
    for (const int count : numbers_of_gpus({3}))
      for (const Way& way : ways()) check_sums(way, count, 1030, 2, 2);
  }
}

#if HARNESS_SIM
TEST_CASE("a GPU reads of the others what it needs") {
  constexpr int kGpus = 4, kN = 4096;
  gpus_for(kGpus);
  for (const Way& way : ways()) {
    if (judge::is_open(way.name)) continue;
    Gpus gpus(kGpus, kN);
    gpus.each([&](int g) {
      cudaMemset(gpus.data(g), 0, kN * sizeof(float));
      cudaDeviceSynchronize();
    });
    gpusim::enable_reports();
    gpusim::clear_reports();
    gpus.launch(way.kernel, 2);
    check_gpus(gpus, way.name);
    std::uint64_t bytes = 0, allowed = way.kernel == one_shot ? kN : 2 * kN / kGpus;  // floats of each pair
    if (way.kernel == ring) allowed = 2 * (kGpus - 1) * kN / kGpus;
    std::string where;
    for (const gpusim::LinkTraffic& link : gpusim::link_traffic())
      if (link.bytes > bytes)
        bytes = link.bytes, where = "from GPU " + text(link.from) + " to " + text(link.to);
    gpusim::enable_reports(false);
    gpusim::clear_reports();
    const std::uint64_t flags = 4096;  // they go the same way
    if (bytes > allowed * sizeof(float) + flags)
      judge::report({Kind::unimproved,
                     std::string(way.name) + ": " + std::to_string(bytes) + " bytes go " + where + ", and " +
                         std::to_string(allowed * sizeof(float)) + " are enough for " + text(kN) +
                         " floats on " + text(kGpus) + " GPUs",
                     {},
                     way.name});
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
                        check_gpus(gpus, "one_shot");
                      },
                      {judge::Count::barriers <= 3 * (kThreads / 32)});
}
