// What the micro-benchmarks share: errors, results, and the two ways to take time (a block's own clock, the host's events).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace calibrate {

using u32 = std::uint32_t;
using u64 = unsigned long long;

#define CALIBRATE_CHECK(call)                                                                         \
  do {                                                                                                \
    if (const cudaError_t error_ = (call); error_ != cudaSuccess) {                                   \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
      std::exit(1);                                                                                   \
    }                                                                                                 \
  } while (false)

// The constants of the machine, in order of measuring.
class Results {
 public:
  void add(const std::string& name, double value) { rows_.emplace_back(name, value); }
  bool has(const std::string& name) const {
    return std::any_of(rows_.begin(), rows_.end(), [&](const auto& row) { return row.first == name; });
  }
  double operator[](const std::string& name) const {
    for (const auto& [known, value] : rows_)
      if (known == name) return value;
    std::fprintf(stderr, "calibrate: '%s' was not measured yet\n", name.c_str());
    std::exit(1);
  }
  const std::vector<std::pair<std::string, double>>& rows() const { return rows_; }

 private:
  std::vector<std::pair<std::string, double>> rows_;
};

// Device memory of one type.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    CALIBRATE_CHECK(cudaMalloc(&data_, count * sizeof(T)));
    CALIBRATE_CHECK(cudaMemset(data_, 0, count * sizeof(T)));
  }
  ~Buffer() { (void)cudaFree(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* data() const { return data_; }
  std::size_t count() const { return count_; }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    CALIBRATE_CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Writes the cycles between the first warp's start and the last one's end, for block 0. To be called by all threads.
struct BlockClock {
  u64 begin;
  __device__ BlockClock() {
    __syncthreads();
    begin = clock64();
  }
  __device__ void stop(u64* cycles) const {
    const u64 end = clock64();
    __shared__ u64 first, last;
    __syncthreads();
    if (threadIdx.x == 0) first = ~u64(0), last = 0;
    __syncthreads();
    atomicMin(&first, begin);
    atomicMax(&last, end);
    __syncthreads();
    if (threadIdx.x == 0 && blockIdx.x == 0) *cycles = last - first;
  }
};

// Cycles that block 0 of a kernel notes in its first argument: the median of some launches.
template <class Launch>
double cycles_of(const Launch& launch) {
  static Buffer<u64> cycles(1);
  std::vector<double> samples;
  for (int run = -1; run < 5; ++run) {  // the first one loads the kernel
    launch(cycles.data());
    CALIBRATE_CHECK(cudaGetLastError());
    CALIBRATE_CHECK(cudaDeviceSynchronize());
    if (run >= 0) samples.push_back(double(cycles.host()[0]));
  }
  return median(samples);
}

static __global__ void read_all(const uint4* memory, std::size_t count, u32* never) {
  u32 any = 0;
  for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x) {
    const uint4 v = memory[i];
    any |= v.x | v.y | v.z | v.w;
  }
  if (any) *never = any;  // the memory holds zeros
}

// Evicts what the L2 cache holds; in the stream, as the host need not wait for it.
inline void evict() {
  static Buffer<uint4> memory([] {
    int bytes = 0;
    CALIBRATE_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0));
    return 2 * std::size_t(bytes) / sizeof(uint4);
  }());
  read_all<<<1024, 256>>>(memory.data(), memory.count(), reinterpret_cast<u32*>(memory.data()));
}

// Nanoseconds between two events around a launch. The stream is busy when they are queued, so that the time the host
// takes is not between them. Cold: with nothing of the kernel's in the L2 cache.
enum class Cache { warm, cold };
template <class Launch>
double nanoseconds_of(const Launch& launch, Cache cache, int runs = 5) {
  struct Events {
    cudaEvent_t start, stop;
    Events() {
      CALIBRATE_CHECK(cudaEventCreate(&start));
      CALIBRATE_CHECK(cudaEventCreate(&stop));
    }
  };
  static Events events;
  std::vector<double> samples;
  launch();
  for (int run = 0; run < runs; ++run) {
    evict();
    evict();  // twice: time for the host to queue what follows
    if (cache == Cache::warm) launch();
    CALIBRATE_CHECK(cudaEventRecord(events.start));
    launch();
    CALIBRATE_CHECK(cudaEventRecord(events.stop));
    CALIBRATE_CHECK(cudaGetLastError());
    float milliseconds = 0;
    CALIBRATE_CHECK(cudaEventSynchronize(events.stop));
    CALIBRATE_CHECK(cudaEventElapsedTime(&milliseconds, events.start, events.stop));
    samples.push_back(double(milliseconds) * 1e6);
  }
  return median(samples);
}

// For the cycles of kernels that are timed from outside.
inline u64* results_sink() {
  static Buffer<u64> sink(1);
  return sink.data();
}

inline int multiprocessors() {
  int count = 0;
  CALIBRATE_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

// Blocks of so many warps that a multiprocessor holds at the same time, where only threads and blocks limit it.
inline int resident_blocks(const Results& results, int warps) {
  const int fit = int(results["threads_per_multiprocessor"]) / (32 * warps);
  return std::max(1, std::min(fit, int(results["blocks_per_multiprocessor"])));
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
