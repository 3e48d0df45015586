// Threads of the host that wait for work when they have done some. A new one would have to be given a stack and a heap first, and its
// memory, page by page.
#pragma once

#include <functional>
#include <vector>

namespace gpusim {

struct HostThread;

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
