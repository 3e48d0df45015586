// Host threads that use the runtime at the same time: as on a GPU, each call is whole, and its errors are the thread's
// own. Built as a program of its own with -fsanitize=thread as well.
#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "gpusim/check.h"
#include "gpusim/report.h"
#include "runtime_module.h"

using namespace runtime_test;

namespace {

constexpr int kThreads = 8;
constexpr int kRounds = 40;

// doctest counts from any thread, but a failed CHECK in each of thousands of calls says no more than their number.
int failures_in_threads(const std::function<bool(int thread, int round)>& is_right) {
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < kRounds; ++round) failures += !is_right(t, round);
    });
  for (std::thread& t : threads) t.join();
  return failures;
}

// Allocates, launches, copies, frees.
bool store_and_read_back(int thread, int round) {
  const int count = 1 + (thread * 31 + round * 7) % 64, value = thread * 1000 + round;
  int* d = nullptr;
  std::vector<int> host(std::size_t(count), -1);
  bool right = cudaMalloc(&d, std::size_t(count) * 4) == cudaSuccess;
  right &= cudaMemcpy(d, host.data(), std::size_t(count) * 4, cudaMemcpyHostToDevice) == cudaSuccess;
  right &= launch_set_int(d + count - 1, value) == cudaSuccess;
  right &= cudaMemcpy(host.data(), d, std::size_t(count) * 4, cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < count; ++i) right &= host[std::size_t(i)] == (i == count - 1 ? value : -1);
  return cudaFree(d) == cudaSuccess && cudaGetLastError() == cudaSuccess && right;
}

}  // namespace

TEST_CASE_FIXTURE(FreshDevice, "threads allocate, launch, copy and free at the same time") {
  CHECK(failures_in_threads(store_and_read_back) == 0);
}

TEST_CASE_FIXTURE(FreshDevice, "threads make and end streams and events, pinned and managed memory") {
  CHECK(failures_in_threads([](int, int round) {
          cudaStream_t stream = nullptr;
          cudaEvent_t start = nullptr, stop = nullptr;
          void *pinned = nullptr, *managed = nullptr;
          float milliseconds = -1;
          bool right = cudaStreamCreate(&stream) == cudaSuccess && cudaEventCreate(&start) == cudaSuccess &&
                       cudaEventCreate(&stop) == cudaSuccess && cudaEventRecord(start, stream) == cudaSuccess;
          right &=
              cudaMallocHost(&pinned, 4096) == cudaSuccess && cudaMallocManaged(&managed, 64) == cudaSuccess;
          right &= cudaMemsetAsync(managed, round, 64, stream) == cudaSuccess;
          right &= launch_set_int(static_cast<int*>(pinned), round) == cudaSuccess;
          right &=
              cudaEventRecord(stop, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess;
          right &= cudaEventElapsedTime(&milliseconds, start, stop) == cudaSuccess && milliseconds >= 0;
          right &= *static_cast<int*>(pinned) == round && static_cast<char*>(managed)[63] == char(round);
          return cudaFreeHost(pinned) == cudaSuccess && cudaFree(managed) == cudaSuccess &&
                 cudaEventDestroy(start) == cudaSuccess && cudaEventDestroy(stop) == cudaSuccess &&
                 cudaStreamDestroy(stream) == cudaSuccess && right;
        }) == 0);
}

TEST_CASE_FIXTURE(FreshDevice, "each thread sees its own last error") {
  CHECK(failures_in_threads([](int thread, int) {
          if (thread % 2 == 0) return cudaGetLastError() == cudaSuccess && store_and_read_back(thread, 0);
          return cudaFree(&thread) == cudaErrorInvalidValue &&
                 cudaPeekAtLastError() == cudaErrorInvalidValue &&
                 cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess;
        }) == 0);
}

TEST_CASE_FIXTURE(FreshDevice, "a fault is every thread's") {
  int* d = nullptr;
  REQUIRE(cudaMalloc(&d, 64) == cudaSuccess);
  void* arguments[] = {&d};
  CHECK(cudaLaunchKernel((const void*)&misaligned, 1, 1, arguments, 0, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaErrorMisalignedAddress);
  CHECK(failures_in_threads([](int, int) {
          void* p = nullptr;
          return cudaMalloc(&p, 4) == cudaErrorMisalignedAddress &&
                 cudaGetLastError() == cudaErrorMisalignedAddress;
        }) == 0);
}

TEST_CASE_FIXTURE(FreshDevice, "counters and checks hear of launches of all threads") {
  gpusim::clear_reports();
  gpusim::enable_reports();
  REQUIRE(gpusim::enable_checks("all"));
  CHECK(failures_in_threads(store_and_read_back) == 0);
  CHECK(gpusim::reports().size() == kThreads * kRounds);
  CHECK(gpusim::findings().empty());
  CHECK(gpusim::enable_checks("none"));
  gpusim::enable_reports(false);
  gpusim::clear_reports();
}

TEST_CASE_FIXTURE(FreshDevice, "a function of the program that a stream calls may wait for another thread") {
  static const auto store = [](void* right) {
    std::thread([&] { *static_cast<bool*>(right) = store_and_read_back(1, 2); }).join();
  };
  bool right = false;
  CHECK(cudaLaunchHostFunc(nullptr, [](void* p) { store(p); }, &right) == cudaSuccess);
  CHECK(right);
}
// SPDX-License-Identifier: MIT
