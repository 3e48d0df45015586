#include "launch/progress.h"

#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "base/grouped.h"

namespace gpusim {
namespace {

// Of this thread: a busy machine makes no kernel look endless.
double processor_seconds() {
#ifdef CLOCK_THREAD_CPUTIME_ID
  constexpr auto kClock = CLOCK_THREAD_CPUTIME_ID;
#else  // WebAssembly
  const auto kClock = CLOCK_MONOTONIC;
#endif
  timespec t;
  clock_gettime(kClock, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

}  // namespace

bool Progress::is_time() {
  now_ = processor_seconds();
  if (begin_ < 0) {
    begin_ = now_;
    on_terminal_ = isatty(STDERR_FILENO);
    next_ = begin_ + (on_terminal_ ? 1 : 5);
  }
  if (now_ < next_) return false;
  next_ = on_terminal_ ? now_ + 0.5 : begin_ + 2 * (now_ - begin_);
  return true;
}

void Progress::say(u64 ended, const std::string& where) {
  std::string text = "gpusim: " + launch_.kernel->pretty_name + " is still running after " +
                     std::to_string(int(now_ - begin_ + 0.5)) + " s: " + grouped(ended) + " of " +
                     grouped(blocks_) + (blocks_ == 1 ? " block has" : " blocks have") + " ended";
  if (!where.empty()) text += ", now at " + where;
  if (on_terminal_) std::fprintf(stderr, "\r%.*s\x1b[K", 100, text.c_str());
  else std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
  said_ = true;
}

Progress::~Progress() {
  if (said_ && on_terminal_) std::fprintf(stderr, "\r\x1b[K");
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
