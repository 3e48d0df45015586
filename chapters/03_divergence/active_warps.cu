// Chapter 03, experiment: how many warps have work on each level of the tree, with chapter 02's indexing and
// with this chapter's? First in a toy tree that fits on a slide, then in a block as the kernels run it.
#include <kernels.cuh>

#include <cstdio>
#include <vector>

#include "harness/counters.h"
#include "harness/harness.h"
#include "working_warps.cuh"

namespace chapter_02 {  // has a kBlock of its own
#include "solutions/02_shared_memory/kernels.cuh"
}

namespace {

using Levels = std::vector<Work>;

// Prints "  t % (2 * len) == 0         8   8   8  …    47".
void print_row(const char* label, const Levels& levels, int Work::* what) {
  std::printf("  %-34s", label);
  int total = 0;
  for (const Work& level : levels) {
    std::printf("%5d", level.*what);
    total += level.*what;
  }
  std::printf("%8d\n", total);
}

void print_heading(const char* what, std::size_t levels) {
  std::printf("\n%s\n  %-34s", what, "len");
  for (std::size_t level = 0; level < levels; ++level) std::printf("%5d", 1 << level);
  std::printf("%8s\n", "total");
}

template <typename Indexing>
Levels count_on_device(unsigned threads, std::size_t levels) {
  harness::DeviceBuffer<Work> d_levels(levels);
  d_levels.fill_zero();
  count_work<Indexing><<<1, threads>>>(d_levels.data());
  CUDA_CHECK_LAUNCH();
  return d_levels.download();
}

// The shared load requests of one full block, all its warps together; -1 on a real GPU, which does not count
// them.
template <typename Launch>
double shared_loads(const Launch& launch) {
  const auto counters = harness::count_launches(launch);
  return counters ? counters->at("shared_load_requests") : -1;
}

}  // namespace

int main(int argc, char** argv) {
  harness::parse_no_options(argc, argv, "03_divergence.active_warps",
                            "counts the warps that have work on each level of the tree");

  std::printf("Warps with work, by level; the pairs that a level adds are len elements apart.\n");
  print_heading("16 elements, 8 threads with two elements each, warps of 2: the slide", 4);
  print_row("t % len == 0", work_by_level<ThreadOfTheLeftPair>(16, 8, 2), &Work::warps);
  print_row("2 * len * t < 16", work_by_level<FirstThreads>(16, 8, 2), &Work::warps);

  print_heading("16 elements, 16 threads with one element each, warps of 2: our kernels, as small", 4);
  print_row("t % (2 * len) == 0", work_by_level<ThreadOfTheLeftElement>(16, 16, 2), &Work::warps);
  print_row("2 * len * t < 16", work_by_level<FirstThreads>(16, 16, 2), &Work::warps);

  const std::size_t depth = work_by_level<FirstThreads>(kBlock, kBlock, 32).size();
  const Levels tile = count_on_device<ThreadOfTheLeftElement>(kBlock, depth);
  const Levels strided = count_on_device<FirstThreads>(kBlock, depth);
  print_heading("256 elements, 256 threads in warps of 32: our kernels, asked on the device", depth);
  print_row("t % (2 * len) == 0        warps", tile, &Work::warps);
  print_row("                          threads", tile, &Work::threads);
  print_row("2 * len * t < 256         warps", strided, &Work::warps);
  print_row("                          threads", strided, &Work::threads);

  const harness::DeviceBuffer<float> d_in(harness::uniform_floats(kBlock, 1));
  harness::DeviceBuffer<float> d_sum(1);
  const double tile_loads =
      shared_loads([&] { chapter_02::sum_tile<<<1, kBlock>>>(d_in.data(), d_sum.data(), kBlock); });
  const double strided_loads =
      shared_loads([&] { sum_strided<<<1, kBlock>>>(d_in.data(), d_sum.data(), kBlock); });
  CUDA_CHECK_LAUNCH();
  std::printf("\nA warp with work loads twice on a level, and thread 0 loads the sum. Shared loads: ");
  if (tile_loads < 0) {
    std::printf("not counted on a GPU.\n");
  } else {
    std::printf("sum_tile %.0f, sum_strided %.0f.\n", tile_loads, strided_loads);
  }
  return 0;
}
// SPDX-License-Identifier: MIT
