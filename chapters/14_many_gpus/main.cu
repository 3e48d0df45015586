// Chapter 14, the program: one sum of an array spread over GPUs, and the sums of their arrays on all of them.
#include <kernels.cuh>

#include <cmath>
#include <string>
#include <vector>

#include "by_processes.cuh"
#include "gpus.cuh"
#include "harness/harness.h"
#include "overlap.cuh"
#include "summing.cuh"

namespace {

// Whether each GPU's result is `times` times the sum of all inputs, with the same bits on all GPUs.
harness::Verdict verify_all(const Gpus& gpus, const std::vector<std::vector<float>>& inputs, int times = 1) {
  const int n = gpus.n();
  std::vector<float> first(n), result(n);
  for (int g = 0; g < gpus.count(); ++g) {
    CUDA_CHECK(cudaMemcpy(result.data(), gpus.out(g), n * sizeof(float), cudaMemcpyDefault));
    if (g == 0) first = result;
    for (int i = 0; i < n; ++i) {
      harness::Reference expected;
      for (const std::vector<float>& input : inputs) {
        expected.sum += times * input[i];
        expected.sum_abs += times * std::fabs(input[i]);
      }
      const bool is_near =
          std::fabs(result[i] - expected.sum) <= harness::tolerance(expected, gpus.count() + times);
      if (is_near && result[i] == first[i]) continue;
      return {false,
              "GPU " + std::to_string(g) + ", element " + std::to_string(i) + ": " +
                  (is_near ? "not the same bits as on GPU 0"
                           : harness::digits(result[i]) + ", expected " + harness::digits(expected.sum))};
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (is_one_of_processes()) return sum_by_processes(argc, argv);
  long long wanted = 4;
  const harness::Options options = harness::parse_options(
      argc, argv, "14_many_gpus", "adds up n floats that lie on several GPUs",
      {{"--gpus", "how many work together, as far as there are so many", &wanted, 1, kMostGpus}});
  const int count = gpus_for(int(wanted)), n = options.n / count / 4 * 4;  // of each GPU
  Gpus gpus(count, n);
  std::vector<std::vector<float>> inputs;
  std::vector<float> all;
  Summing sums(gpus, (long long)n * count);
  for (int g = 0; g < count; ++g) {
    inputs.push_back(harness::uniform_floats(n, options.seed + g));
    CUDA_CHECK(cudaMemcpy(gpus.data(g), inputs[g].data(), n * sizeof(float), cudaMemcpyDefault));
    CUDA_CHECK(cudaMemcpy(sums.in(g), inputs[g].data(), sums.share() * sizeof(float), cudaMemcpyDefault));
    all.insert(all.end(), inputs[g].begin(), inputs[g].begin() + sums.share());
  }
  const harness::Reference expected = harness::reference_sum(all);
  harness::Report report(options);
  const std::size_t bytes = std::size_t(n) * count * sizeof(float);

  const auto sum_by = [&](const char* name, auto act) {
    report.measure(name, bytes, [&] {
      act();
      gpus.wait();
    });
    report.verify(harness::verify_sum(sums.result(0), expected, n / kThreads + 40 + count));
  };
  sum_by("one sum, gathered by GPU 0", [&] { sums.gather_to_one(); });
  sum_by("one sum, by a tree of copies", [&] { sums.tree(); });
#if HAVE_NCCL
  sum_by("one sum, NCCL", [&] { sums.by_nccl(); });
#endif
  sum_by("one sum, in one launch", [&] { sums.fused(); });

  // Otherwise a kernel that leaves elements unwritten would show the sums of the kernel before. These bytes make a NaN.
  const auto clear_out = [&] {
    gpus.each(
        [&](int g) { CUDA_CHECK(cudaMemsetAsync(gpus.out(g), 0xff, n * sizeof(float), gpus.stream(g))); });
    gpus.wait();
  };
  const auto reduce_by = [&](const char* name, bool is_step, auto act) {
    clear_out();
    const auto run = [&] {
      act();
      gpus.wait();
    };
    is_step ? report.measure_step(name, 2 * bytes, run) : report.measure(name, 2 * bytes, run);
    report.verify(verify_all(gpus, inputs));
  };
#if HAVE_NCCL
  reduce_by("NCCL, all sums", false, [&] { gpus.all_reduce_by_nccl(); });
#endif
  reduce_by("one_shot", false, [&] { gpus.launch(one_shot, gpus.blocks_for()); });
  const bool has_parts = part_of(0, 2, 8).end < 8;
  if (part_to_add(0, 0, 2) >= 0 && has_parts && kMeetInKernel)
    reduce_by("ring", false, [&] { gpus.launch(ring, gpus.blocks_for()); });
  reduce_by("two_shot", true, [&] { gpus.launch(two_shot, gpus.blocks_for()); });
  if (!has_parts || !kMeetInKernel) return report.finish();

  // First each GPU adds up kRows rows. Row r of GPU g is the input of GPU g + r, so that each input occurs kRows times in all.
  constexpr int kRows = 4, kPieces = 4;
  Overlap overlap(gpus, kRows);
  for (int g = 0; g < count; ++g)
    for (int row = 0; row < kRows; ++row)
      CUDA_CHECK(cudaMemcpy(overlap.row(g, row), inputs[(g + row) % count].data(), n * sizeof(float),
                            cudaMemcpyDefault));
  for (const int pieces : {1, kPieces}) {
    clear_out();
    report.measure(pieces == 1 ? "rows, then two_shot" : "rows and two_shot at once", (kRows + 2) * bytes,
                   [&] {
                     overlap.by_kernel(pieces, two_shot, gpus.blocks_for(64));
                     overlap.wait();
                   });
    report.verify(verify_all(gpus, inputs, kRows));
  }
  return report.finish();
}
// SPDX-License-Identifier: MIT
