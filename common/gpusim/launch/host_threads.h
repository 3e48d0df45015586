// Threads of the host that wait for work when they have done some. A new one would have to be given a stack and a heap first, and its
// memory, page by page.
#pragma once

#include <functional>
#include <vector>

namespace gpusim {

struct HostThread;

// Whether this process has threads beside the calling one and those of HostThreads: the program's own, as a rule.
bool has_other_threads();
// The calling thread sleeps for a millisecond, so that those may go on.
void let_others_go_on();

class HostThreads {
 public:
  HostThreads() = default;
  ~HostThreads() { wait(); }
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // One more calls work(), which throws nothing. False: the system gives no more of them.
  bool begin(std::function<void()> work);
  // Until they all have done it.
  void wait();

 private:
  std::vector<HostThread*> at_work_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
