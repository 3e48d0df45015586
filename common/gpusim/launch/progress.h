// What a launch that takes long says on standard error: which kernel is still where, and how far its grid is. On a
// terminal a line that changes and goes away in the end; elsewhere a line after 5 s, 10 s, 20 s …
#pragma once

#include <string>

#include "execution/device.h"

namespace gpusim {

class Progress {
 public:
  Progress(const LaunchInfo& launch, u64 blocks) : launch_(launch), blocks_(blocks) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Call often: `executed` warp instructions, `ended` blocks. where() gives the source line of what runs now.
  template <class Where> void tick(u64 executed, u64 ended, Where where) {
    if (executed - looked_at_ < kLook) return;
    looked_at_ = executed;
    if (is_time()) say(ended, where());
  }

 private:
  static constexpr u64 kLook = 1 << 17;  // warp instructions between two looks at the clock
  bool is_time();
  void say(u64 ended, const std::string& where);

  const LaunchInfo& launch_;
  u64 blocks_, looked_at_ = 0;
  double begin_ = -1, next_ = 0, now_ = 0;  // seconds of processor time
  bool on_terminal_ = false, said_ = false;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
