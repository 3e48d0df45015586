// Host threads that are kept for the next work when they have finished. A new thread would first need a stack and a heap, whose
// memory the system provides page by page.
#pragma once

#include <functional>
#include <vector>

namespace gpusim {

struct HostThread;

// Whether this process has threads beside the calling one and those of HostThreads: the program's own, as a rule.
bool has_other_threads();
// Lets the calling thread sleep for a millisecond, so that the other threads can run.
void let_others_go_on();

class HostThreads {
 public:
  HostThreads() = default;
  ~HostThreads() { wait(); }
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // Makes another thread call work(), which must not throw. False if the system provides no more threads.
  bool begin(std::function<void()> work);
  // Waits until all of them have finished.
  void wait();

 private:
  std::vector<HostThread*> at_work_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
