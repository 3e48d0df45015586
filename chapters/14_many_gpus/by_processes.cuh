// Chapter 14's program when mpirun starts it: the same sums, with one process for each GPU.
#pragma once

#include <cmath>
#include <functional>

#include "processes.cuh"

#if HAVE_MPI && HAVE_NCCL

inline harness::Verdict verify_reduced(const std::vector<float>& result,
                                       const std::vector<std::vector<float>>& inputs) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    harness::Reference expected;
    for (const std::vector<float>& input : inputs) {
      expected.sum += input[i];
      expected.sum_abs += std::fabs(input[i]);
    }
    if (std::fabs(result[i] - expected.sum) > harness::tolerance(expected, int(inputs.size())))
      return {false, "element " + std::to_string(i) + ": " + harness::digits(result[i]) + ", expected " +
                         harness::digits(expected.sum)};
  }
  return {};
}

inline int sum_by_processes(int argc, char** argv) {
  harness::Options options =
      options_of_processes(argc, argv, "14_many_gpus", "adds up n floats that lie on the GPUs of processes");
  const Processes all;
  options.summary = "adds up n floats that lie on the GPUs of " + std::to_string(all.count()) +
                    " processes; what is counted, rank 0 counts";
  const int n = options.n / all.count() / 4 * 4;  // of each process
  Own own(all, n, n);
  std::vector<std::vector<float>> inputs;
  std::vector<float> everything;
  for (int rank = 0; rank < all.count(); ++rank) {
    inputs.push_back(harness::uniform_floats(n, options.seed + rank));
    everything.insert(everything.end(), inputs[rank].begin(), inputs[rank].end());
  }
  for (float* to : {own.data(), own.in()})
    CUDA_CHECK(cudaMemcpy(to, inputs[all.rank()].data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const harness::Reference expected = harness::reference_sum(everything);
  const std::size_t bytes = std::size_t(n) * all.count() * sizeof(float);

  harness::Report report(options);
  const auto all_begin = [] { MPI_Barrier(MPI_COMM_WORLD); };
  const auto sum_by = [&](const char* name, void (Own::*act)()) {
    report.measure(name, bytes, [&] { (own.*act)(), own.wait(); }, all_begin);
    report.verify(all.of_all(harness::verify_sum(own.sum(), expected, n / kThreads + 40 + all.count())));
  };
  sum_by("one sum, MPI by the hosts", &Own::sum_by_mpi);
  sum_by("one sum, NCCL", &Own::sum_by_nccl);
  const auto reduce_by = [&](const char* name, void (Own::*act)()) {
    report.measure(name, 2 * bytes, [&] { (own.*act)(), own.wait(); }, all_begin);
    std::vector<float> result(n);
    CUDA_CHECK(cudaMemcpy(result.data(), own.out(), n * sizeof(float), cudaMemcpyDeviceToHost));
    report.verify(all.of_all(verify_reduced(result, inputs)));
    CUDA_CHECK(cudaMemset(own.out(), 0xff, std::max(n, 1) * sizeof(float)));
  };
  reduce_by("all sums, MPI by the hosts", &Own::reduce_by_mpi);
  reduce_by("all sums, NCCL", &Own::reduce_by_nccl);
  if (all.rank() > 0) return report.summary().all_verified() ? 0 : harness::kExitFailed;
  return report.finish();
}

#else
inline int sum_by_processes(int, char**) { return refuse_processes("14_many_gpus"); }
#endif
// SPDX-License-Identifier: MIT
