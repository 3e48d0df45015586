// How long a launch has read memory without anything changing: threads that only wait give way to those they wait for.
#pragma once

#include "base/base.h"

namespace gpusim {

// After this many reads in a row of memory that other threads may write, a fragment or a block is taken to be waiting, and lets
// others run.
inline constexpr u32 kSpinReads = 32;

struct SpinReads {
  // Something happened that other threads, or the program, can see: memory was changed, text printed.
  void changed() {
    ++changes;
    polls = idle_polls = 0;
    failed_waits = 0;
  }
  // A thread read what other threads may write (volatile, atomic …).
  void polled() {
    ++polls;
    ++idle_polls;
    ++all_polls;
  }

  u64 changes = 0;
  u64 all_polls = 0;
  // Since the last change: in the turn of the fragment, and in that of the block.
  u32 polls = 0, idle_polls = 0;
  u64 failed_waits = 0;        // since the last change, at barriers in shared memory whose phase was not over
  bool yielded_early = false;  // the fragment ended its turn early, because it polled too often
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
