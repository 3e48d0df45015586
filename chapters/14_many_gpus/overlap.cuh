// Work and communication side by side: each GPU adds up arrays of its own, and all GPUs all-reduce the results. While
// one piece travels between GPUs, the next is added up.
#pragma once

#include "gpus.cuh"

inline constexpr int kAddThreads = 256;

// ANCHOR: add_rows
// sums[i] = rows[i] + rows[n + i] + … + rows[(count - 1) n + i] for the elements of a part, four at a time.
__global__ void __launch_bounds__(kAddThreads)
    add_rows(const float* rows, float* sums, int n, int count, Part part) {
  const int i = part.begin + 4 * (blockIdx.x * kAddThreads + threadIdx.x);
  if (i >= part.end) return;
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
#pragma unroll 8
  for (int row = 0; row < count; ++row)
    sum = sum + __ldcs(reinterpret_cast<const float4*>(rows + (long long)row * n + i));
  *reinterpret_cast<float4*>(sums + i) = sum;
}
// ANCHOR_END: add_rows

class Overlap {
 public:
  // `count` rows for each GPU, each as long as the GPU's arrays. This length is a multiple of 4.
  Overlap(Gpus& gpus, int count)
      : gpus_(gpus), count_(count), rows_(gpus.count()), sender_(gpus.count()), added_(gpus.count()) {
    gpus.each([&](int g) {
      int least = 0, most = 0;
      CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &most));
      CUDA_CHECK(
          cudaMalloc(&rows_[g], std::max<std::size_t>(std::size_t(count) * gpus.n(), 4) * sizeof(float)));
      // This stream's blocks go first: otherwise they would queue behind the blocks that add up.
      CUDA_CHECK(cudaStreamCreateWithPriority(&sender_[g], cudaStreamNonBlocking, most));
      CUDA_CHECK(cudaEventCreateWithFlags(&added_[g], cudaEventDisableTiming));
    });
  }
  ~Overlap() {
    wait();
    gpus_.each([&](int g) {
      cudaFree(rows_[g]);
      cudaStreamDestroy(sender_[g]);
      cudaEventDestroy(added_[g]);
    });
  }
  Overlap(const Overlap&) = delete;
  Overlap& operator=(const Overlap&) = delete;

  float* row(int gpu, int number) { return rows_[gpu] + (long long)number * gpus_.n(); }
  void wait() {
    gpus_.wait();
    gpus_.each([&](int g) { CUDA_CHECK(cudaStreamSynchronize(sender_[g])); });
  }

  // ANCHOR: in_pieces
  // On each GPU, one stream adds up and another one sends: it waits until a piece has been added up.
  template <typename Send> void in_pieces(int pieces, Send send) {
    for (int piece = 0; piece < pieces; ++piece) {
      const Part part = part_of_pieces(piece, pieces);
      gpus_.each([&](int g) {
        add(g, part);
        CUDA_CHECK(cudaEventRecord(added_[g], gpus_.stream(g)));
        CUDA_CHECK(cudaStreamWaitEvent(sender_[g], added_[g], 0));
      });
      send(part);
    }
    gpus_.each([&](int g) {  // what comes next must not overwrite what is still being sent
      CUDA_CHECK(cudaEventRecord(added_[g], sender_[g]));
      CUDA_CHECK(cudaStreamWaitEvent(gpus_.stream(g), added_[g], 0));
    });
  }
  void by_kernel(int pieces, void (*kernel)(Team, int, unsigned), int blocks) {
    in_pieces(pieces, [&](Part part) {
      const unsigned count = gpus_.take_counts();
      gpus_.each([&](int g) {
        kernel<<<blocks, kThreads, 0, sender_[g]>>>(gpus_.team(g, part.begin), part.end - part.begin, count);
      });
    });
  }
  // ANCHOR_END: in_pieces

#if HAVE_NCCL
  void by_nccl(int pieces) {
    in_pieces(pieces, [&](Part part) {
      Gpus::check(ncclGroupStart());
      for (int g = 0; g < gpus_.count(); ++g)
        Gpus::check(ncclAllReduce(gpus_.data(g) + part.begin, gpus_.out(g) + part.begin,
                                  part.end - part.begin, ncclFloat, ncclSum, gpus_.comm(g), sender_[g]));
      Gpus::check(ncclGroupEnd());
    });
  }
#endif
  // Only the adding up, without sending.
  void only_add() {
    gpus_.each([&](int g) { add(g, {0, gpus_.n()}); });
  }

 private:
  Part part_of_pieces(int piece, int pieces) const {
    const auto begin = [&](int p) { return int((long long)(gpus_.n() / 4) * p / pieces * 4); };
    return {begin(piece), begin(piece + 1)};
  }
  void add(int g, Part part) {
    const int blocks = (part.end - part.begin + 4 * kAddThreads - 1) / (4 * kAddThreads);
    if (blocks > 0)
      add_rows<<<blocks, kAddThreads, 0, gpus_.stream(g)>>>(rows_[g], gpus_.data(g), gpus_.n(), count_, part);
  }

  Gpus& gpus_;
  int count_;
  std::vector<float*> rows_;
  std::vector<cudaStream_t> sender_;
  std::vector<cudaEvent_t> added_;
};
// SPDX-License-Identifier: MIT
