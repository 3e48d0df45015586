// What the code of a kernel says about its use of shared memory.
#pragma once

#include <string>

#include "execution/events.h"
#include "ptx/program.h"

namespace gpusim {

enum class Values { any, equal };  // that two stores which nothing orders put into one element
// Why equal ones are only a warning.
inline const char* const kEqualValues =
    "both store the same value, so the result does not depend on which comes last: this holds only while the values are "
    "equal; if they can differ, let one thread store, or use an atomic";

// Why lanes that store one value into one element by one instruction, of which nobody is accused, keep it from being proved.
inline const char* const kLanesStoreTogether =
    "stores to one element from several lanes, whose values happen to be equal";

struct SharedUse {
  u32 unit_shift = 2;           // no access is smaller than 2^unit_shift bytes; 2 at most
  bool has_atomics = false;     // or accesses that are as good
  bool volatile_flags = false;  // whole numbers that are volatile are flags: the kernel has fences
  bool has_copies = false;      // asynchronous ones
  bool has_warp_syncs = false;
  bool partial_barriers = false;  // barriers that are for some threads of the block
  bool orders_threads =
      false;  // by barriers in shared memory, by atomics that acquire and release, or by those
  bool whole_warp_syncs_only = true;  // every __syncwarp() is of all 32 lanes, and not orders_threads
};
SharedUse shared_use(const LaunchInfo&);

// Whether an instruction loads or stores one whole number that is volatile: in a kernel with fences, a flag. A float that
// is volatile is taken for what the flag tells of.
bool is_volatile_number(const Instruction&);

// Whether an instruction may set or read a flag, in whichever memory.
bool is_flag_access(const Instruction&);

// Whether a mask operand can only be 0xffffffff: that constant, or a register to which nothing else is ever moved.
bool is_whole_warp(const Program&, const Function&, FrameOffset operand);

// What a thread does to an element: "reads", "writes" or "updates" it.
inline const char* verb(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates";
}

// tile[21]: an element of `bytes` bytes of a variable, counted from its start; "byte 84 of shared memory" where no
// variable of the program is.
std::string shared_name(const LaunchInfo&, u64 address, u32 bytes);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
