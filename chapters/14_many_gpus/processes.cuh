// A process for each GPU, as mpirun starts them: MPI tells all of them NCCL's unique id, and NCCL does the rest.
#pragma once

#include <cstdlib>
#include <string>

#include "harness/harness.h"
#include "summing.cuh"
#ifndef HAVE_MPI
#define HAVE_MPI 0
#endif
#if HAVE_MPI
#include <mpi.h>
#endif

// The rank that mpirun or srun has given this process; null if neither has started it.
inline const char* rank_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"})
    if (const char* rank = std::getenv(name)) return rank;
  return nullptr;
}
// The number of processes, or 0 if the launcher does not tell it.
inline int count_of_launcher() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* count = std::getenv(name)) return std::atoi(count);
  return 0;
}
inline bool is_one_of_processes() { return rank_of_launcher() != nullptr; }
inline bool is_first_of_processes() { return std::string(rank_of_launcher()) == "0"; }

#if HAVE_MPI && HAVE_NCCL

class Processes {
 public:
  // ANCHOR: begin
  Processes() {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    check_launcher();
    CUDA_CHECK(cudaSetDevice(own_gpu()));
    ncclUniqueId id;
    if (rank_ == 0) Gpus::check(ncclGetUniqueId(&id));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    Gpus::check(ncclCommInitRank(&comm_, count_, id, rank_));
  }
  ~Processes() {
    Gpus::check(ncclCommDestroy(comm_));
    MPI_Finalize();
  }
  // ANCHOR_END: begin
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  ncclComm_t comm() const { return comm_; }

  // One verdict for all processes: that of the first rank whose own check failed.
  harness::Verdict of_all(const harness::Verdict& mine) const {
    int bad = mine.ok ? count_ : rank_, first = count_;
    MPI_Allreduce(&bad, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == count_) return {};
    char text[256] = "";
    mine.message.copy(text, sizeof text - 1);
    MPI_Bcast(text, sizeof text, MPI_CHAR, first, MPI_COMM_WORLD);
    return {false, "rank " + std::to_string(first) + ": " + text};
  }

 private:
  void check_launcher() const {
    const int wanted = count_of_launcher();
    if (wanted == 0 || wanted == count_) return;
    if (is_first_of_processes())
      std::fprintf(
          stderr,
          "mpirun has started %d processes, and MPI knows %d: this mpirun belongs to another MPI than the "
          "program was built with\n",
          wanted, count_);
    std::exit(harness::kExitFailed);
  }
  // Each process of a host takes the next GPU of that host. Simulated GPUs: each process has its own.
  static int own_gpu() {
    MPI_Comm host;
    int on_host = 0, there = 0;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &on_host);
    MPI_Comm_free(&host);
    if (harness::is_simulated()) return 0;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    if (on_host < there) return on_host;
    std::fprintf(stderr, "this host has %s for process %d: start fewer with mpirun -n\n",
                 there == 1 ? "one GPU, and none" : (std::to_string(there) + " GPUs, and none").c_str(),
                 on_host + 1);
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 0;
  }

  int rank_ = 0, count_ = 1;
  ncclComm_t comm_ = nullptr;
};

// What one process has: n floats to be all-reduced with those of the others, and its share of an array to be summed.
class Own {
 public:
  Own(const Processes& all, int n, long long share) : all_(all), n_(n), share_(share) {
    const std::size_t bytes = std::max(n, 4) * sizeof(float);
    CUDA_CHECK(cudaStreamCreate(&stream_));
    CUDA_CHECK(cudaMalloc(&data_, bytes));
    CUDA_CHECK(cudaMalloc(&out_, bytes));
    CUDA_CHECK(cudaMalloc(&in_, std::max<long long>(share, 4) * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&sum_, sizeof(float)));
    CUDA_CHECK(cudaMalloc(&words_.of_block, kMostSumBlocks * sizeof(Word)));
    CUDA_CHECK(cudaMemset(words_.of_block, 0, kMostSumBlocks * sizeof(Word)));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  ~Own() {
    cudaStreamSynchronize(stream_);
    for (void* memory : {(void*)data_, (void*)out_, (void*)in_, (void*)sum_, (void*)words_.of_block})
      cudaFree(memory);
    cudaStreamDestroy(stream_);
  }
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;

  float* data() { return data_; }
  float* out() { return out_; }
  float* in() { return in_; }
  float sum() {
    float sum = 0;
    CUDA_CHECK(cudaMemcpy(&sum, sum_, sizeof sum, cudaMemcpyDeviceToHost));
    return sum;
  }
  void wait() { CUDA_CHECK(cudaStreamSynchronize(stream_)); }

  // ANCHOR: by_nccl
  void sum_by_nccl() {
    add_up();
    Gpus::check(ncclAllReduce(sum_, sum_, 1, ncclFloat, ncclSum, all_.comm(), stream_));
  }
  void reduce_by_nccl() {
    Gpus::check(ncclAllReduce(data_, out_, n_, ncclFloat, ncclSum, all_.comm(), stream_));
  }
  // ANCHOR_END: by_nccl

  // The same through host memory, by MPI alone.
  void sum_by_mpi() {
    add_up();
    reduce_on_hosts(sum_, sum_, 1);
  }
  void reduce_by_mpi() { reduce_on_hosts(data_, out_, n_); }

 private:
  void add_up() {
    sum_here<<<blocks_to_sum(share_), kThreads, 0, stream_>>>(in_, sum_, share_, words_, ++launch_);
  }
  void reduce_on_hosts(const float* from, float* to, int n) {
    host_.resize(n);
    CUDA_CHECK(cudaMemcpyAsync(host_.data(), from, n * sizeof(float), cudaMemcpyDeviceToHost, stream_));
    wait();
    MPI_Allreduce(MPI_IN_PLACE, host_.data(), n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    CUDA_CHECK(cudaMemcpyAsync(to, host_.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream_));
    wait();
  }

  const Processes& all_;
  int n_;
  long long share_;
  cudaStream_t stream_ = nullptr;
  float *data_ = nullptr, *out_ = nullptr, *in_ = nullptr, *sum_ = nullptr;
  Words words_;
  unsigned launch_ = 0;
  std::vector<float> host_;
};

// Only the first process prints what is wrong with the command line, or its help.
inline harness::Options options_of_processes(int argc, char** argv, const std::string& program,
                                             const std::string& summary,
                                             const std::vector<harness::IntegerOption>& extra = {}) {
  if (!is_first_of_processes()) {
    const harness::ParsedOptions parsed = harness::try_parse_options(argc, argv, program, summary, extra);
    if (parsed.exit_status >= 0) std::exit(parsed.exit_status);
    return parsed.options;
  }
  return harness::parse_options(argc, argv, program, summary, extra);
}

#endif

#if !HAVE_MPI || !HAVE_NCCL
// For a program that mpirun has started, but that was built without MPI or NCCL.
inline int refuse_processes(const char* program) {
  if (is_first_of_processes())
    std::fprintf(
        stderr, "%s: mpirun has started this, and it was built without %s\n", program,
        HAVE_MPI ? "NCCL, which processes need" : "MPI: sh common/bootstrap.sh --mpi, then build again");
  return harness::kExitFailed;
}
#endif
// SPDX-License-Identifier: MIT
