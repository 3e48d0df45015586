// The experiment when mpirun starts it: strong and weak scaling of the sum, and all-reduces, one process for each GPU. Rank 0
// prints JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

#include "fill.cuh"
#include "processes.cuh"

#if HAVE_MPI && HAVE_NCCL

// Microseconds per call, for `times` calls in a row, until the last process is done: the median of five series.
inline double time_of_processes(Own& own, int times, const std::function<void()>& act) {
  std::vector<double> series;
  for (int k = 0; k < (harness::is_simulated() ? 1 : 6); ++k) {
    own.wait();
    MPI_Barrier(MPI_COMM_WORLD);
    const auto begin = std::chrono::steady_clock::now();
    for (int t = 0; t < times; ++t) act();
    own.wait();
    double us =
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / times;
    MPI_Allreduce(MPI_IN_PLACE, &us, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    series.push_back(us);
  }
  if (series.size() > 1) series.erase(series.begin());  // the first warms up
  std::sort(series.begin(), series.end());
  return series[series.size() / 2];
}

inline bool all_are(const Processes& all, bool is_right) { return all.of_all({is_right, ""}).ok; }

inline void time_sums(const Processes& all, long long share, int times) {
  const long long ones = std::min(share, 1024ll);
  Own own(all, 4, share);
  CUDA_CHECK(cudaMemset(own.in(), 0, share * sizeof(float)));
  fill<<<1, 32>>>(own.in(), ones, 1.0f);
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto row = [&](const char* how, void (Own::*act)()) {
    const double us = time_of_processes(own, times, [&] { (own.*act)(); });
    const bool is_right = all_are(all, own.sum() == float(ones) * all.count());
    if (all.rank() == 0)
      std::printf(
          "{\"processes\": %d, \"floats\": %lld, \"how\": \"%s\", \"us\": %.2f, \"gb_s\": %.1f, \"right\": %s},\n",
          all.count(), share * all.count(), how, us, share * all.count() * 4.0 / us / 1e3,
          is_right ? "true" : "false");
    std::fflush(stdout);
  };
  row("nccl", &Own::sum_by_nccl);
  row("mpi", &Own::sum_by_mpi);
}

inline void time_all_reduces(const Processes& all, int n, int times) {
  Own own(all, n, 4);
  fill<<<1024, 256>>>(own.data(), n, float(all.rank() + 1));
  CUDA_CHECK(cudaDeviceSynchronize());
  const auto row = [&](const char* how, int repeats, void (Own::*act)()) {
    fill<<<1024, 256>>>(own.out(), n, -1.0f);
    CUDA_CHECK(cudaDeviceSynchronize());
    const double us = time_of_processes(own, repeats, [&] { (own.*act)(); });
    bool is_right = true;
    for (const int i : {0, n / 3, n / 2, n - 1}) {
      float value = 0;
      CUDA_CHECK(cudaMemcpy(&value, own.out() + i, sizeof value, cudaMemcpyDeviceToHost));
      is_right = is_right && value == all.count() * (all.count() + 1) / 2;
    }
    is_right = all_are(all, is_right);
    if (all.rank() == 0)
      std::printf(
          "{\"processes\": %d, \"bytes\": %lld, \"how\": \"%s\", \"us\": %.2f, \"bus_gb_s\": %.1f, \"right\": %s},\n",
          all.count(), (long long)n * 4, how, us,
          2.0 * (all.count() - 1) / all.count() * n * sizeof(float) / us / 1e3, is_right ? "true" : "false");
    std::fflush(stdout);
  };
  row("nccl", times, &Own::reduce_by_nccl);
  if (n <= 1 << 24) row("mpi", std::min(times, 5), &Own::reduce_by_mpi);
}

inline int time_processes(int argc, char** argv) {
  const bool is_simulated = harness::is_simulated();
  long long kib = is_simulated ? 4 : 1 << 20, log_sum = is_simulated ? 16 : 32;
  (void)options_of_processes(argc, argv, "14_many_gpus.sweep",
                             "times sums by a process for each GPU, by size; prints JSON",
                             {{"--kib", "the largest array to reduce", &kib, 1, 1 << 20},
                              {"--log-sum", "the largest sum is of 2^ so many floats", &log_sum, 10, 32}});
  const Processes all;
  if (all.rank() == 0) std::printf("[\n");
  for (long long log = std::max(10ll, log_sum - 10); log <= log_sum; ++log)
    time_sums(all, (1ll << log) / all.count() / 4 * 4, is_simulated ? 1 : log >= 30 ? 10 : 50);
  for (long long k = 1; k <= kib && all.count() > 1; k *= 4)
    time_all_reduces(all, int(k * 256), is_simulated ? 1 : k >= 65536 ? 10 : k >= 1024 ? 50 : 200);
  if (all.rank() == 0) std::printf("{\"end\": true}\n]\n");
  return 0;
}

#else
inline int time_processes(int, char**) { return refuse_processes("14_many_gpus.sweep"); }
#endif
// SPDX-License-Identifier: MIT
