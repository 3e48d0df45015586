// Chapter 10, experiment: a scan of ones counts them, until a float cannot hold the count. Compares a loop on the
// host with the single pass, both in float, around 2^24 elements.
#include <kernels.cuh>

#include <cstdio>
#include <vector>

#include "harness/check.h"
#include "harness/device.h"
#include "harness/device_buffer.h"
#include "harness/options.h"
#include "single_pass.cuh"

int main(int argc, char** argv) {
  harness::parse_no_options(argc, argv, "10_scan.ones", "counts ones where a float can count no further");
  constexpr int kThreads = 512, kRows = 20;
  constexpr int kEdge = 1 << 24;  // a float can hold every whole number up to here, but not kEdge + 1
  constexpr int kN = kEdge + (1 << 20);

  const std::vector<float> ones(kN, 1.0f);
  std::vector<float> in_order(kN);
  float sum = 0;
  for (int i = 0; i < kN; ++i) in_order[i] = sum += ones[i];

  harness::DeviceBuffer<float> d_in(ones), d_out(kN);
  harness::DeviceBuffer<TileWord> d_words(words_of<kThreads, kRows>(kN));
  CUDA_CHECK((scan_single_pass<float, Scan::inclusive, kThreads, kRows>(d_in.data(), d_out.data(),
                                                                        d_words.data(), kN)));
  CUDA_CHECK_LAUNCH();
  const std::vector<float> single_pass = d_out.download();

  std::printf("inclusive scan of ones, in float\n\n%12s %12s %12s\n", "ones", "a loop", "single pass");
  for (int count : {kEdge - 1, kEdge, kEdge + 1, kEdge + 2, kEdge + 3, kEdge + 4, kN})
    std::printf("%12d %12.0f %12.0f\n", count, in_order[count - 1], single_pass[count - 1]);

  int wrong_in_order = 0, wrong_single_pass = 0;
  for (int i = 0; i < kN; ++i) {
    wrong_in_order += static_cast<double>(in_order[i]) != i + 1;
    wrong_single_pass += static_cast<double>(single_pass[i]) != i + 1;
  }
  std::printf("\nof %d sums not exact: %d in the loop, %d in the single pass\n", kN, wrong_in_order,
              wrong_single_pass);
  return 0;
}
// SPDX-License-Identifier: MIT
