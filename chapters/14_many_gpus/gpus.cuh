// The host's side: GPUs that work together, each with its arrays, a stream and what its kernels know of the others.
#pragma once

#include <kernels.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "harness/check.h"
#include "team.cuh"
#if HARNESS_SIM
#include <gpusim/array_names.h>
#include <gpusim/devices.h>
#endif
#ifndef HAVE_NCCL
#define HAVE_NCCL 0
#endif
#if HAVE_NCCL
#include <nccl.h>
#endif

// How many GPUs there are, at most `wanted`. There are as many simulated GPUs as you want.
inline int gpus_for(int wanted) {
#if HARNESS_SIM
  gpusim::use_devices(wanted);
#endif
  int there = 0;
  CUDA_CHECK(cudaGetDeviceCount(&there));
  return std::min(there, wanted);
}

// Lets each GPU read and write the memory of the others. One call is enough for the whole process.
inline void let_all_reach_all(int gpus) {
  for (int g = 0; g < gpus; ++g) {
    CUDA_CHECK(cudaSetDevice(g));
    for (int peer = 0; peer < gpus; ++peer) {
      if (peer == g) continue;
      int can = 0;
      CUDA_CHECK(cudaDeviceCanAccessPeer(&can, g, peer));
      if (!can) {
        std::fprintf(stderr, "GPU %d cannot reach the memory of GPU %d: choose fewer with --gpus\n", g, peer);
        std::exit(1);
      }
      const cudaError_t enabled = cudaDeviceEnablePeerAccess(peer, 0);
      if (enabled == cudaErrorPeerAccessAlreadyEnabled) (void)cudaGetLastError();
      else CUDA_CHECK(enabled);
    }
  }
}

class Gpus {
 public:
  // Each GPU gets arrays of n floats.
  Gpus(int count, int n) : n_(n), team_(count), stream_(count) {
    let_all_reach_all(count);
    Team all;
    all.ranks = count;
    const std::size_t bytes = std::max<std::size_t>(n, 4) * sizeof(float),
                      flag_bytes = kMostGpus * kMostBlocks * sizeof(unsigned);
    for (int g = 0; g < count; ++g) {
      CUDA_CHECK(cudaSetDevice(g));
      CUDA_CHECK(cudaMalloc(&all.data[g], bytes));
      CUDA_CHECK(cudaMalloc(&all.out[g], bytes));
      CUDA_CHECK(cudaMalloc(&all.flags[g], flag_bytes));
#if HARNESS_SIM  // for messages: kernels find these arrays in a struct, where they have no names
      gpusim::name_array(all.data[g], "data");
      gpusim::name_array(all.out[g], "out");
      gpusim::name_array(all.flags[g], "flags");
#endif
      CUDA_CHECK(cudaMemset(all.flags[g], 0, flag_bytes));
      CUDA_CHECK(cudaStreamCreateWithFlags(&stream_[g], cudaStreamNonBlocking));
      CUDA_CHECK(cudaDeviceSynchronize());
    }
    for (int g = 0; g < count; ++g) (team_[g] = all).rank = g;
#if HAVE_NCCL
    comm_ = communicators(count);
#endif
    CUDA_CHECK(cudaSetDevice(0));
  }
  ~Gpus() {
    for (int g = 0; g < count(); ++g) {
      cudaSetDevice(g);
      cudaStreamSynchronize(
          stream_[g]);  // even after an error: other GPUs' kernels may use this GPU's memory
    }
    for (int g = 0; g < count(); ++g) {
      cudaSetDevice(g);
      cudaStreamDestroy(stream_[g]);
      cudaFree(team_[0].data[g]);
      cudaFree(team_[0].out[g]);
      cudaFree(team_[0].flags[g]);
    }
    cudaSetDevice(0);
  }
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

  int count() const { return int(team_.size()); }
  int n() const { return n_; }
  float* data(int gpu) const { return team_[0].data[gpu]; }
  float* out(int gpu) const { return team_[0].out[gpu]; }
  cudaStream_t stream(int gpu) const { return stream_[gpu]; }

  // Calls each(g) for each GPU g, which is the current device meanwhile.
  template <typename Each> void each(Each each) {
    for (int g = 0; g < count(); ++g) {
      CUDA_CHECK(cudaSetDevice(g));
      each(g);
    }
    CUDA_CHECK(cudaSetDevice(0));
  }
  void wait() {
    each([&](int g) { CUDA_CHECK(cudaStreamSynchronize(stream_[g])); });
  }

  // Launches an all-reduce of kernels.cuh on all GPUs. Each kernel waits for the others, so the host must launch all of them
  // before it waits for one.
  template <typename Kernel> void launch(Kernel kernel, int blocks) {
    if (!kMeetInKernel) wait();
    each([&](int g) { kernel<<<blocks, kThreads, 0, stream_[g]>>>(team_[g], n_, count_); });
    count_ += kCounts;
    if (!kMeetInKernel) wait();
  }
  // The team for a kernel that works on the arrays from `begin` on; and the counts for launching it on all GPUs.
  Team team(int gpu, int begin) const {
    Team team = team_[gpu];
    for (int g = 0; g < count(); ++g) team.data[g] += begin, team.out[g] += begin;
    return team;
  }
  unsigned take_counts() { return std::exchange(count_, count_ + kCounts); }

  // Launches `times` of them in a row, with one host thread for each GPU: a single thread takes longer for four launches
  // than a small all-reduce takes.
  template <typename Kernel> void launch_by_threads(Kernel kernel, int blocks, int times) {
    std::vector<std::thread> threads;
    for (int g = 0; g < count(); ++g)
      threads.emplace_back([=] {
        CUDA_CHECK(cudaSetDevice(g));
        for (int t = 0; t < times; ++t)
          kernel<<<blocks, kThreads, 0, stream_[g]>>>(team_[g], n_, count_ + t * kCounts);
        CUDA_CHECK(cudaStreamSynchronize(stream_[g]));
      });
    for (std::thread& thread : threads) thread.join();
    count_ += times * kCounts;
  }

  // Continues as if `count` counts had been used up.
  void begin_counting_at(unsigned count) {
    wait();
    const std::vector<unsigned> flags(kMostGpus * kMostBlocks, count);
    each([&](int g) {
      CUDA_CHECK(cudaMemcpy(team_[0].flags[g], flags.data(), flags.size() * sizeof(unsigned),
                            cudaMemcpyHostToDevice));
    });
    count_ = count;
  }
  int blocks_for(int most = 128) const { return std::clamp((n_ / 4 + kThreads - 1) / kThreads, 1, most); }

#if HAVE_NCCL
  void all_reduce_by_nccl() {
    check(ncclGroupStart());
    for (int g = 0; g < count(); ++g)
      check(ncclAllReduce(data(g), out(g), n_, ncclFloat, ncclSum, comm_[g], stream_[g]));
    check(ncclGroupEnd());
  }
  // Making communicators takes a second. So they are made once for the first `gpus` GPUs, and end with the process.
  static const std::vector<ncclComm_t>& communicators(int gpus) {
    static std::map<int, std::vector<ncclComm_t>> made;
    std::vector<ncclComm_t>& comms = made[gpus];
    if (comms.empty()) {
      comms.resize(gpus);
      check(ncclCommInitAll(comms.data(), gpus, nullptr));
    }
    return comms;
  }
  ncclComm_t comm(int gpu) const { return comm_[gpu]; }
  static void check(ncclResult_t result) {
    if (result == ncclSuccess) return;
    std::fprintf(stderr, "NCCL: %s\n", ncclGetErrorString(result));
    std::exit(1);
  }
#endif

 private:
  int n_;
  std::vector<Team> team_;
  std::vector<cudaStream_t> stream_;
  unsigned count_ = 0;
#if HAVE_NCCL
  std::vector<ncclComm_t> comm_;
#endif
};
// SPDX-License-Identifier: MIT
