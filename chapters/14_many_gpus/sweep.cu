// Chapter 14, experiment: times every way to add up over several GPUs, for every size, next to a model of the time.
// Prints JSON. Simulated GPUs have no clock: there the sizes are small, and the microseconds are the host's.
#include <kernels.cuh>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "fill.cuh"
#include "gpus.cuh"
#include "harness/harness.h"
#include "overlap.cuh"
#include "summing.cuh"
#include "timed_processes.cuh"

namespace {

// Microseconds per call, for `times` calls in a row that keep all GPUs busy: the median of five such series.
double time_of(Gpus& gpus, int times, const std::function<void()>& act) {
  std::vector<double> all;
  for (int k = 0; k < (harness::is_simulated() ? 1 : 6); ++k) {
    gpus.wait();
    const auto begin = std::chrono::steady_clock::now();
    for (int t = 0; t < times; ++t) act();
    gpus.wait();
    all.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / times);
  }
  if (all.size() > 1) all.erase(all.begin());  // the first warms up
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

bool right(Gpus& gpus) {
  const int n = gpus.n();
  for (int g = 0; g < gpus.count(); ++g)
    for (const int i : {0, n / 3, n / 2, n - 1}) {
      float value = 0;
      CUDA_CHECK(cudaMemcpy(&value, gpus.out(g) + i, sizeof value, cudaMemcpyDefault));
      if (value != gpus.count() * (gpus.count() + 1) / 2) return false;
    }
  return true;
}

// The model: a message of S bytes takes alpha + beta S. Both come from one-shot all-reduces, of a small and a large array.
struct Model {
  double alpha = 0, beta = 0;  // microseconds; microseconds a byte
};
void print_model(int count, const Model& m) {
  const double N = count, meet = count > 2 ? m.alpha / ((N - 1) * (1 - 2 / N) * m.beta) : 0;
  std::printf(
      "{\"gpus\": %d, \"model\": {\"alpha_us\": %.2f, \"gb_s\": %.1f, \"two_shot_from_bytes\": %.0f, \"ring_1_gib_us\": %.0f, \"two_shot_1_gib_us\": %.0f}},\n",
      count, m.alpha, 1e-3 / m.beta, meet, 2 * (N - 1) * m.alpha + 2 * (N - 1) / N * m.beta * (1 << 30),
      2 * m.alpha + 2 * (N - 1) / N * m.beta * (1 << 30));
}

Model print_all_reduce(int count, int n, int times) {
  Gpus gpus(count, n);
  gpus.each([&](int g) { fill<<<1024, 256>>>(gpus.data(g), n, float(g + 1)); });
  gpus.each([&](int) { CUDA_CHECK(cudaDeviceSynchronize()); });
  Model model;
  const auto print = [&](const std::string& name, int blocks, double us) {
    if (name == "one_shot") model = {us, us / ((count - 1.0) * n * sizeof(float))};
    const double gb_s = 2.0 * (count - 1) / count * n * sizeof(float) / us / 1e3;
    std::printf(
        "{\"gpus\": %d, \"bytes\": %lld, \"how\": \"%s\", \"blocks\": %d, \"us\": %.2f, \"bus_gb_s\": %.1f, \"right\": %s},\n",
        count, (long long)n * 4, name.c_str(), blocks, us, gb_s, right(gpus) ? "true" : "false");
    std::fflush(stdout);
  };
  const auto row = [&](const std::string& name, int blocks, const std::function<void()>& act) {
    gpus.each([&](int g) {
      fill<<<1024, 256>>>(gpus.out(g), n, -1.0f);
      CUDA_CHECK(cudaDeviceSynchronize());
    });
    print(name, blocks, time_of(gpus, times, act));
  };
#if HAVE_NCCL
  row("nccl", 0, [&] { gpus.all_reduce_by_nccl(); });
#endif
  std::vector<int> sizes = {gpus.blocks_for()};
  if (n >= 1 << 24) sizes = {64, 128, 256};
  // Many launches in a row, with one host thread for each GPU: so beginning and end are a small part of the time.
  const auto by_threads = [&](const std::string& name, int blocks, auto kernel) {
    const int many = 10 * times;
    const double us = time_of(gpus, 1, [&] { gpus.launch_by_threads(kernel, blocks, many); }) / many;
    print(name + ", a host thread for each", blocks, us);
  };
  for (const int blocks : sizes) {
    if (n <= 1 << 18) by_threads("one_shot", blocks, one_shot);
    if (n <= 1 << 18) by_threads("two_shot", blocks, two_shot);
    if (n <= 1 << 22) row("one_shot", blocks, [&] { gpus.launch(one_shot, blocks); });
    row("two_shot", blocks, [&] { gpus.launch(two_shot, blocks); });
    row("ring", blocks, [&] { gpus.launch(ring, blocks); });
  }
  return model;
}

// Each GPU adds up its rows, then the results of all GPUs are added up, in different numbers of pieces.
void print_overlap(int count, int n, int times) {
  constexpr int kRows = 16;
  Gpus gpus(count, n);
  Overlap overlap(gpus, kRows);
  gpus.each([&](int g) {
    fill<<<1024, 256>>>(overlap.row(g, 0), (long long)kRows * n, float(g + 1) / kRows);
    CUDA_CHECK(cudaDeviceSynchronize());
  });
  const auto row = [&](const char* how, int pieces, int blocks, bool is_all,
                       const std::function<void()>& act) {
    gpus.each([&](int g) {
      fill<<<1024, 256>>>(gpus.out(g), n, -1.0f);
      CUDA_CHECK(cudaDeviceSynchronize());
    });
    const double us = time_of(gpus, times, act);
    overlap.wait();
    std::printf(
        "{\"gpus\": %d, \"row_bytes\": %lld, \"rows\": %d, \"how\": \"%s\", \"pieces\": %d, \"blocks\": %d, \"us\": %.2f, \"right\": %s},\n",
        count, (long long)n * 4, kRows, how, pieces, blocks, us, !is_all || right(gpus) ? "true" : "false");
    std::fflush(stdout);
  };
  row("add", 1, 0, false, [&] { overlap.only_add(); });
#if HAVE_NCCL
  row("send nccl", 1, 0, true, [&] { gpus.all_reduce_by_nccl(); });
#endif
  const std::vector<int> grids = harness::is_simulated() ? std::vector{2} : std::vector{32, 64};
  for (const int blocks : grids)
    row("send two_shot", 1, blocks, true, [&] { gpus.launch(two_shot, blocks); });
  for (const int pieces : harness::is_simulated() ? std::vector{1, 4} : std::vector{1, 2, 4, 8, 16}) {
    for (const int blocks : grids)
      row("two_shot", pieces, blocks, true, [&] { overlap.by_kernel(pieces, two_shot, blocks); });
#if HAVE_NCCL
    row("nccl", pieces, 0, true, [&] { overlap.by_nccl(pieces); });
#endif
  }
}

void print_sums(int count, long long total, int times) {
  Gpus gpus(count, 4);
  Summing sums(gpus, total);
  gpus.each([&](int g) {
    CUDA_CHECK(cudaMemset(sums.in(g), 0, sums.share() * sizeof(float)));
    fill<<<1, 32>>>(sums.in(g), std::min(sums.share(), 1024ll), 1.0f);
    CUDA_CHECK(cudaDeviceSynchronize());
  });
  const auto row = [&](const char* name, const std::function<void()>& act) {
    const double us = time_of(gpus, times, act);
    std::printf(
        "{\"gpus\": %d, \"floats\": %lld, \"how\": \"%s\", \"us\": %.2f, \"gb_s\": %.1f, \"right\": %s},\n",
        count, total, name, us, total * 4.0 / us / 1e3,
        sums.result(0) == float(std::min(sums.share(), 1024ll)) * count ? "true" : "false");
    std::fflush(stdout);
  };
  row("gathered", [&] { sums.gather_to_one(); });
  row("tree", [&] { sums.tree(); });
#if HAVE_NCCL
  row("nccl", [&] { sums.by_nccl(); });
#endif
  row("fused", [&] { sums.fused(); });
}

}  // namespace

int main(int argc, char** argv) {
  if (is_one_of_processes()) return time_processes(argc, argv);
  long long most = kMostGpus, kib = harness::is_simulated() ? 4 : 1 << 20,
            log_sum = harness::is_simulated() ? 16 : 32;
  const harness::Options options =
      harness::parse_options(argc, argv, "14_many_gpus.sweep",
                             "times sums over several GPUs, by size and number of GPUs; prints JSON",
                             {{"--gpus", "as many as there are, up to so many", &most, 1, kMostGpus},
                              {"--kib", "the largest array to reduce", &kib, 1, 1 << 20},
                              {"--log-sum", "the largest sum is of 2^ so many floats", &log_sum, 10, 32}});
  (void)options;
  const int there = gpus_for(int(most));
  std::printf("[\n");
  for (int count = 1; count <= there; count *= 2) {
    for (long long log = std::max(10ll, log_sum - 8); log <= log_sum; log += 4)
      print_sums(count, 1ll << log, harness::is_simulated() ? 1 : log >= 32 ? 10 : 50);
    Model model;
    for (long long k = 1; k <= kib && count > 1; k *= 4) {
      const Model now = print_all_reduce(count, int(k * 256),
                                         harness::is_simulated() ? 1
                                         : k >= 65536            ? 10
                                         : k >= 1024             ? 50
                                                                 : 200);
      if (k == 1) model.alpha = now.alpha;
      if (now.beta > 0) model.beta = now.beta;
    }
    if (count > 1 && !harness::is_simulated()) print_model(count, model);
    for (const long long k : {kib / 64, kib / 16, kib / 4})  // 16 rows of the largest would not fit
      if (count > 1 && k > 0) print_overlap(count, int(k * 256), harness::is_simulated() ? 1 : 20);
  }
  std::printf("{\"end\": true}\n]\n");
  return 0;
}
// SPDX-License-Identifier: MIT
