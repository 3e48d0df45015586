// The host's side of sums.cuh: an array spread over GPUs, and four ways to one sum.
#pragma once

#include "gpus.cuh"
#include "sums.cuh"

inline int blocks_to_sum(long long n) {
  const long long rounds = (n / 4 + kLoads * kThreads - 1) / (kLoads * kThreads);
  return int(std::clamp<long long>(rounds, 1, kMostSumBlocks));
}

class Summing {
 public:
  // `total` floats, a multiple of 4 for each GPU. The caller fills them.
  Summing(Gpus& gpus, long long total)
      : gpus_(gpus), words_(gpus.count()), in_(gpus.count()), sum_(gpus.count()), done_(gpus.count()) {
    share_ = total / gpus.count() / 4 * 4;
    Words all;
    all.ranks = gpus.count();
    gpus.each([&](int g) {
      CUDA_CHECK(cudaMalloc(&in_[g], std::max<long long>(share_, 4) * sizeof(float)));
      CUDA_CHECK(cudaMalloc(&sum_[g], (1 + kMostGpus) * sizeof(float)));
      CUDA_CHECK(cudaMemset(sum_[g], 0, (1 + kMostGpus) * sizeof(float)));
      CUDA_CHECK(cudaMalloc(&words_[g].of_block, kMostSumBlocks * sizeof(Word)));
      CUDA_CHECK(cudaMemset(words_[g].of_block, 0, kMostSumBlocks * sizeof(Word)));
      CUDA_CHECK(cudaMalloc(&all.of_gpu[g], kMostGpus * sizeof(Word)));
      CUDA_CHECK(cudaMemset(all.of_gpu[g], 0, kMostGpus * sizeof(Word)));
      CUDA_CHECK(cudaEventCreateWithFlags(&done_[g], cudaEventDisableTiming));
      CUDA_CHECK(cudaDeviceSynchronize());
    });
    for (int g = 0; g < gpus.count(); ++g) {
      all.rank = g;
      all.of_block = words_[g].of_block;
      all.here = all.of_gpu[g];
      words_[g] = all;
    }
  }
  ~Summing() {
    gpus_.wait();
    gpus_.each([&](int g) {
      cudaFree(in_[g]);
      cudaFree(sum_[g]);
      cudaFree(words_[g].of_block);
      cudaFree(words_[0].of_gpu[g]);
      cudaEventDestroy(done_[g]);
    });
  }
  Summing(const Summing&) = delete;
  Summing& operator=(const Summing&) = delete;

  long long share() const { return share_; }
  float* in(int gpu) const { return in_[gpu]; }
  float result(int gpu) const {
    float sum = 0;
    CUDA_CHECK(cudaMemcpy(&sum, sum_[gpu], sizeof sum, cudaMemcpyDefault));
    return sum;
  }

  // GPU 0 copies the sums of all GPUs to itself and adds them up. No other GPU gets the result.
  void gather_to_one() {
    each_sums();
    gpus_.each([&](int g) { CUDA_CHECK(cudaEventRecord(done_[g], gpus_.stream(g))); });
    const cudaStream_t first = gpus_.stream(0);
    for (int g = 1; g < gpus_.count(); ++g) {
      CUDA_CHECK(cudaStreamWaitEvent(first, done_[g], 0));
      CUDA_CHECK(cudaMemcpyPeerAsync(sum_[0] + g, 0, sum_[g], g, sizeof(float), first));
      add_one<<<1, 1, 0, first>>>(sum_[0], sum_[0] + g);
    }
    all_wait_for_first();
  }

  // In each round, half of the GPUs that are left copy a neighbour's sum and add it: log2(GPUs) rounds, not one for each GPU.
  void tree() {
    each_sums();
    for (int distance = 1; distance < gpus_.count(); distance *= 2)
      for (int g = 0; g + distance < gpus_.count(); g += 2 * distance) {
        const int other = g + distance;
        CUDA_CHECK(cudaSetDevice(other));
        CUDA_CHECK(cudaEventRecord(done_[other], gpus_.stream(other)));
        CUDA_CHECK(cudaSetDevice(g));
        CUDA_CHECK(cudaStreamWaitEvent(gpus_.stream(g), done_[other], 0));
        CUDA_CHECK(cudaMemcpyPeerAsync(sum_[g] + 1, g, sum_[other], other, sizeof(float), gpus_.stream(g)));
        add_one<<<1, 1, 0, gpus_.stream(g)>>>(sum_[g], sum_[g] + 1);
      }
    all_wait_for_first();
  }

#if HAVE_NCCL
  void by_nccl() {
    each_sums();
    Gpus::check(ncclGroupStart());
    for (int g = 0; g < gpus_.count(); ++g)
      Gpus::check(ncclAllReduce(sum_[g], sum_[g], 1, ncclFloat, ncclSum, gpus_.comm(g), gpus_.stream(g)));
    Gpus::check(ncclGroupEnd());
  }
#endif

  void fused() {
    ++launch_;
    gpus_.each([&](int g) {
      sum_everywhere<<<blocks(), kThreads, 0, gpus_.stream(g)>>>(in_[g], sum_[g], share_, words_[g], launch_);
    });
  }

  // Each GPU adds up its own share; the sums are not combined.
  void each_sums() {
    ++launch_;
    gpus_.each([&](int g) {
      sum_here<<<blocks(), kThreads, 0, gpus_.stream(g)>>>(in_[g], sum_[g], share_, words_[g], launch_);
    });
  }

 private:
  int blocks() const { return blocks_to_sum(share_); }
  // The next sum must not overwrite one that is still being copied.
  void all_wait_for_first() {
    CUDA_CHECK(cudaEventRecord(done_[0], gpus_.stream(0)));
    for (int g = 1; g < gpus_.count(); ++g) {
      CUDA_CHECK(cudaSetDevice(g));
      CUDA_CHECK(cudaStreamWaitEvent(gpus_.stream(g), done_[0], 0));
    }
    CUDA_CHECK(cudaSetDevice(0));
  }

  Gpus& gpus_;
  long long share_;
  std::vector<Words> words_;
  std::vector<float*> in_, sum_;  // sum_: the sum, and room for those of others
  std::vector<cudaEvent_t> done_;
  unsigned launch_ = 0;
};
// SPDX-License-Identifier: MIT
