// What a chapter asks of a kernel's counters, one readable line a property:
//
//   check_counts(kSumTile, {Count::global_load_requests <= 8, Count::bank_conflicts <= 0, Count::active_lanes >= 20});
//
// The simulated GPU counts; on a real one the check says "not counted on a GPU" and passes.
#pragma once

#include <cstddef>
#include <cstdint>
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

// The same, for the blocks of the last kernel of `launch`: as many as the caller asks for.
bool check_grid(const std::string& what, int blocks, const std::function<void()>& launch);

// Reports a warp that goes round a loop over the levels of its tree: it meets a conditional branch again behind a barrier or a
// shuffle, or, once the tile is complete, behind any access. And a branch behind the first barrier at which all warps go the
// same way, in every block and with inputs of every length: that is a loop of one turn or none. Blocks with all their elements
// and with fewer are looked at.
bool check_levels_written_out(const SumKernel& kernel);

// Reports a warp that stores a block's sum and comes to barriers of the block when all other warps are done with shared
// memory: they may have left, so that the wait counts once only, and it is one for nobody. A block with all its elements is
// looked at.
bool check_last_warp_alone(const SumKernel& kernel);

// The first line at which block `block` of the last kernel of `launch` writes to an array, though it may leave there what
// was there: "kernels.cuh:23: in[i] = …". Empty if there is none, and on a GPU.
std::string writes_to(const void* d_array, std::size_t bytes, std::uint64_t block,
                      const std::function<void()>& launch);

// Where block 0 of the last kernel of `launch` reads an array, and which elements: "kernels.cuh:131 reads elements 0 to 2, 5", and
// the line itself in a second line. Empty if it reads none, and on a GPU.
std::string reads_of(const void* d_array, std::size_t elements, std::size_t bytes_each,
                     const std::function<void()>& launch);

// What one source line does to words by which threads wait for each other, in one block: requests.
struct FlagTraffic {
  std::string file;
  int line = 0;
  bool is_shared = false;  // else in global memory
  double loads = 0, stores = 0, atomics = 0;
};

// The flags of block `block` of the last kernel of `launch`: whole numbers that a warp reads again and again, and does nothing
// else meanwhile. How often depends on who comes first, so no chapter asks for a number of these. Few words are flags: where
// more of them are read so than a block has use for, there are none.
std::vector<FlagTraffic> flag_traffic(std::uint64_t block, const std::function<void()>& launch);

// How many kernels `launch` starts; on a GPU they are not counted: -1.
int launches_in(const std::function<void()>& launch);

}  // namespace judge
// SPDX-License-Identifier: MIT
