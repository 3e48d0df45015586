// What the code of a kernel says about its use of global memory.
#pragma once

#include <vector>

#include "execution/events.h"

namespace gpusim {

enum class FenceScope : u8 { none, block, device, system };

// A load, store or atomic, towards another at the same time.
struct AccessUse {
  u8 element_bytes = 0;       // size of one element, if it is a vector; other threads can rely on no more
  bool is_volatile = false;   // strong between blocks
  bool is_flag = false;       // … and within one: a whole number, in a kernel that has fences
  bool is_strong = false;     // an atomic, .relaxed, .acquire, .release: strong in any case
  bool block_scope = false;   // … for threads of its block only
  bool system_scope = false;  // … for threads of other GPUs, too. `volatile` is.
  // A load of the value that an atomicCAS then expects to find. Such a loop reads first without an atomic
  //   old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);
  // and is right: a value that is out of date only makes it go round once more. It counts as strong.
  bool is_guess = false;
  // A load that is volatile or relaxed, and no branch, guard or comparison depends on what it gets. So the kernel does not wait for
  // a value, but takes what it finds.
  bool is_taken_as_found = false;
};

struct GlobalUse {
  u32 smallest_access = 4;  // bytes; 4 at most
  bool has_warp_syncs = false;
  bool has_shared_flags = false;  // and fences, by which they order other accesses
  bool draws_tickets = false;     // what an atomic returns decides what a thread does next
  std::vector<u32>
      locks;  // the pc of each atomicCAS or atomicExch that a thread repeats until it gets what it wants
  bool orders_partly = false;  // something may order some threads of the grid, or of a warp, and not others
  std::vector<FenceScope> fence;  // by pc
  std::vector<AccessUse> access;  // by pc
};
GlobalUse global_use(const LaunchInfo&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
