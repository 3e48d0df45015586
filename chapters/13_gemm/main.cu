// Chapter 13, the program: multiplies matrices of floats in several ways and shows what each costs.
#include <chosen.cuh>
#include <kernels.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <string>

#include "harness/harness.h"

namespace {

constexpr double kMostProducts = 1 << 27;  // up to here the host checks all of C, in double, for each kernel
constexpr int kSampledRows = 16;  // beyond, it checks only these rows, but all of a product of whole numbers

struct Step {
  const char* name;
  void (*launch)(const Gemm&);
};
const Step kSteps[] = {
    {"gemm_naive", [](const Gemm& g) { gemm_naive<<<blocks_of(g, kTile, kTile), dim3(kTile, kTile)>>>(g); }},
    {"gemm_tile", [](const Gemm& g) { gemm_tile<<<blocks_of(g, kTile, kTile), dim3(kTile, kTile)>>>(g); }},
    {"gemm_column",
     [](const Gemm& g) { gemm_column<<<blocks_of(g, kColumnTile, kColumnTile), kColumnThreads>>>(g); }},
    {"gemm_registers", [](const Gemm& g) { gemm_registers<<<blocks_of(g, kRows, kColumns), kThreads>>>(g); }},
    {"gemm_vector", launch_gemm_vector},
    {"gemm_buffered", launch_gemm_buffered},
    {"gemm_warp_tiles", launch_gemm_warp_tiles},
    {"gemm_chosen", launch_gemm},  // the step
};

}  // namespace

int main(int argc, char** argv) {
  long long rows_asked = 0, columns_asked = 0, depth_asked = 0;
  constexpr long long kLargest = 1LL << 30;
  harness::Options options = harness::parse_options(
      argc, argv, "13_gemm",
      "multiplies matrices of floats, in eight ways; the product has at most --n elements",
      {{"--rows", "of the product; 0: as --n and --columns say", &rows_asked, 0, kLargest},
       {"--columns", "of the product; 0: as --n and --rows say, or as many as rows", &columns_asked, 0,
        kLargest},
       {"--depth", "columns of A, rows of B; 0: 32 on the simulated GPU, as many as rows on a GPU",
        &depth_asked, 0, kLargest}});
  if (rows_asked == 0 && columns_asked == 0 &&
      options.n > 0) {  // a prime number of elements would be one row
    rows_asked = static_cast<long long>(std::sqrt(options.n));
    columns_asked = options.n / rows_asked;
  }
  const auto [m, n] = harness::choose_shape("13_gemm", &options.n, rows_asked, columns_asked);
  const int k = static_cast<int>(depth_asked > 0 ? depth_asked : harness::is_simulated() ? 32 : m);
  if (std::max(m, n) > kLargest / std::max(k, 1)) {
    std::fprintf(stderr, "13_gemm: a matrix of %d x %d has more than 2^30 elements (try --help)\n",
                 std::max(m, n), k);
    return harness::kExitBadOption;
  }
  options.summary = "A of " + std::to_string(m) + " x " + std::to_string(k) + " floats times B of " +
                    std::to_string(k) + " x " + std::to_string(n);

  const double products = double(m) * n * k;
  const bool is_large = products > kMostProducts;
  const harness::GemmProblem problem =
      harness::make_gemm(m, n, k, 1.0f, 0.0f, 0, harness::GemmValues::uniform, options.seed);
  const harness::GemmProblem whole =
      is_large ? harness::make_gemm(m, n, k, 1.0f, 0.0f, 0, harness::GemmValues::whole, options.seed)
               : harness::GemmProblem{};
  const harness::DeviceBuffer<float> d_a(problem.a), d_b(problem.b), d_whole_a(whole.a), d_whole_b(whole.b);
  harness::DeviceBuffer<float> d_c(problem.c.size());
  const Gemm gemm{m, n, k, problem.alpha, d_a.data(), k, d_b.data(), n, problem.beta, d_c.data(), n};
  Gemm of_whole_numbers = gemm;
  of_whole_numbers.a = d_whole_a.data();
  of_whole_numbers.b = d_whole_b.data();

  const std::size_t bytes = sizeof(float) * (problem.a.size() + problem.b.size() + problem.c.size());
  harness::Report report(options);
  for (const Step& step : kSteps) {
    const auto run = [&] { step.launch(gemm); };
    const auto poison = [&] { d_c.fill_poison(); };
    const bool is_step = &step == std::end(kSteps) - 1;
    if (is_step) report.measure_step(step.name, bytes, run, poison);
    if (!is_step) report.measure(step.name, bytes, run, poison);
    report.operations(2 * products);
    report.verify(harness::verify_gemm(d_c.download(), problem, is_large ? kSampledRows : harness::kAllRows));
    if (!is_large) continue;
    poison();
    step.launch(of_whole_numbers);
    CUDA_CHECK_LAUNCH();
    report.verify(harness::verify_whole_gemm(d_c.download(), whole));
  }
  report.verify(harness::verify_unchanged(d_a.download(), problem.a));
  report.verify(harness::verify_unchanged(d_b.download(), problem.b));
  return report.finish();
}
// SPDX-License-Identifier: MIT
