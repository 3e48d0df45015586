// What a chapter asks of a kernel's counters, one readable line a property:
//
//   check_counts(kSumTile, {Count::global_load_requests <= 8, Count::bank_conflicts <= 0, Count::active_lanes >= 20});
//
// The simulated GPU counts; on a real one the check says "not counted on a GPU" and passes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sum_checks.h"

namespace judge {

// The first group counts for one block whose every thread has an element; the second is a mean over the kernel.
enum class Count {
  global_load_requests,
  global_load_sectors,
  global_store_requests,
  global_store_sectors,
  global_atomics,
  shared_load_requests,
  shared_store_requests,
  bank_conflicts,
  local_requests,
  barriers,  // a warp that waits at one counts once: __syncthreads() counts 8 times in a block of 256
  warp_syncs,
  shuffles,
  branches,  // conditional ones; a compiler may replace a short one by predicates: at most, never exactly
  divergent_branches,
  warp_instructions,  // they depend on the compiler: leave room

  active_lanes,              // of 32
  sectors_per_load_request,  // of global memory
  loads_in_flight,           // at an instruction that waits for a global load
};

struct Limit {
  Count count;
  bool at_most;  // else at least
  double value;
  double page =
      value;  // what the chapter's page asks for, where this launch is allowed more or less than that
};
constexpr Limit operator<=(Count count, double value) { return {count, true, value}; }
constexpr Limit operator>=(Count count, double value) { return {count, false, value}; }

// Runs the kernel on full blocks, on one and on many, and on lengths that leave the last block with less: nothing of
// that may cost a block more, on average. Beyond a limit the kernel is right, but not what
// the chapter asks for: the finding shows the source lines responsible, worst first. Returns whether it kept all
// limits; on a GPU, true. Where blocks of different sizes are compared, `unit` elements stand for a block, and `each`
// says so, in the words of the verdict: "for every 512 elements".
bool check_counts(const SumKernel& kernel, const std::vector<Limit>& limits, int unit = 0,
                  const std::string& each = "a block");

// The same for any one launch of `blocks` blocks, each of which has all its elements. Of several launches in `launch`
// the last one counts. `blocks` may be the number of other units, and `each` says which.
bool check_counts(const std::string& kernel, int blocks, const std::function<void()>& launch,
                  const std::vector<Limit>& limits, const std::string& each = "a block");

// The same, for how often `launch` starts a kernel.
bool check_launches(const std::string& what, int at_most, const std::function<void()>& launch);

// How many kernels `launch` starts; on a GPU, none are counted: 0.
int launches_in(const std::function<void()>& launch);

}  // namespace judge
