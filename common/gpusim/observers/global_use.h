// What the code of a kernel says about its use of global memory.
#pragma once

#include <vector>

#include "device/events.h"

namespace gpusim {

struct GlobalUse {
  u32 smallest_access = 4;   // bytes; 4 at most
  std::vector<u8> is_fence;  // by pc
  // By pc: a load of the value that an atomicCAS then expects to find. Such a loop reads first without an atomic
  //   old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);
  // and is right: a value that is out of date only makes it go round once more.
  std::vector<u8> is_guess;
};
GlobalUse global_use(const LaunchInfo&);

}  // namespace gpusim
