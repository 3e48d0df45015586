#include "launch/host_threads.h"

#ifndef __wasm__  // which has one thread
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace gpusim {

struct HostThread {
  std::function<void()> work;
  std::atomic<int> begun = 0, done = 0;  // how often
};

namespace {

// Launches often follow one another immediately. A thread that is still awake starts at once; waking it would take 20 µs.
constexpr auto kAwake = std::chrono::microseconds(50);

// Waits until the value differs from `old`.
void await_change(const std::atomic<int>& value, int old) {
  const auto begin = std::chrono::steady_clock::now();
  while (value == old)
    if (std::chrono::steady_clock::now() - begin > kAwake) value.wait(old);
}

void serve(HostThread& self) {
  for (int count = 0;; ++count) {
    await_change(self.begun, count);
    self.work();
    self.work = nullptr;
    self.done = count + 1;
    self.done.notify_one();
  }
}

// The idle threads. Never destroyed, because launches may end after main().
struct Idle {
  std::mutex mutex;
  std::vector<HostThread*> threads;
  std::ptrdiff_t begun = 0;  // threads, those at work included
};
Idle* idle() {
  static Idle* all = new Idle;
  // A child of fork() has a single thread: the idle threads of its parent do not exist there.
  static const int is_told = pthread_atfork(nullptr, nullptr, [] { all = new Idle; });
  (void)is_told;
  return all;
}

}  // namespace

bool has_other_threads() {
  std::error_code failed;
  const std::filesystem::directory_iterator tasks("/proc/self/task", failed);
  if (failed) return false;
  Idle& all = *idle();
  const std::lock_guard<std::mutex> lock(all.mutex);
  return std::distance(begin(tasks), end(tasks)) > 1 + all.begun;
}

void let_others_go_on() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

bool HostThreads::begin(std::function<void()> work) {
  Idle& all = *idle();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (all.threads.empty()) {
    auto* const thread = new HostThread;
    try {
      std::thread(serve, std::ref(*thread)).detach();
    } catch (const std::system_error&) {
      delete thread;
      return false;
    }
    ++all.begun;
    all.threads.push_back(thread);
  }
  HostThread* const thread = all.threads.back();
  all.threads.pop_back();
  at_work_.push_back(thread);
  thread->work = std::move(work);
  ++thread->begun;
  thread->begun.notify_one();
  return true;
}

void HostThreads::wait() {
  for (HostThread* const thread : at_work_) {
    for (int done = thread->done; done != thread->begun; done = thread->done)
      await_change(thread->done, done);
    Idle& all = *idle();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.threads.push_back(thread);
  }
  at_work_.clear();
}

}  // namespace gpusim
#else
namespace gpusim {

bool has_other_threads() { return false; }
void let_others_go_on() {}

}  // namespace gpusim
#endif
// SPDX-License-Identifier: MIT
