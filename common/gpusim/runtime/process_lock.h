// The lock that a host thread holds while it uses the runtime. It is recursive, and a thread that waits can
// let others have it meanwhile.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace gpusim::runtime {

class ProcessLock {
 public:
  void lock() {
    std::unique_lock<std::mutex> held(mutex_);
    const std::thread::id self = std::this_thread::get_id();
    if (depth_ == 0 || owner_ != self) free_.wait(held, [&] { return depth_ == 0; });
    owner_ = self;
    ++depth_;
  }
  void unlock() {
    const std::lock_guard<std::mutex> held(mutex_);
    if (--depth_ == 0) free_.notify_all();
  }

  // Lets others take the lock, which the caller holds, until `is_so` is true. That is asked when another
  // thread notifies. Returns false if `is_so` was not true within these seconds.
  template <class Condition> bool wait_for(double seconds, Condition is_so) {
    std::unique_lock<std::mutex> held(mutex_);
    const unsigned depth = std::exchange(depth_, 0);
    free_.notify_all();
    const bool came =
        free_.wait_for(held, std::chrono::duration<double>(seconds), [&] { return depth_ == 0 && is_so(); });
    free_.wait(held, [&] { return depth_ == 0; });
    owner_ = std::this_thread::get_id();
    depth_ = depth;
    return came;
  }
  // How often the thread that has the lock has taken it.
  unsigned depth() const { return depth_; }
  void notify() { free_.notify_all(); }

 private:
  std::mutex mutex_;
  std::condition_variable free_;
  std::thread::id owner_;
  unsigned depth_ = 0;
};

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
