// Which of chapter 14's functions of flags are still as shipped: each is called alone, in a file that bears a TODO(you).
#pragma once

#include <kernels.cuh>

#include <array>
#include <string>
#include <vector>

#include "all_reduce_runs.cuh"
#include "gpus.cuh"
#include "judge.h"
#include "simulated.h"

namespace judge {

constexpr unsigned kProbed = 7;  // a count

// Volatile, so that the compiler keeps all of the test whatever the exercise's constant says: tests/host_code.py compares what it
// refers to with the solution's.
inline const volatile bool meets_in_kernel = kMeetInKernel;

// The second of each pair is chosen where kernels.cuh has no such function any more.
template <typename T> __device__ auto tell_one(const T& team, int) -> decltype(tell(team, 1, kProbed)) {
  if (threadIdx.x == 0) tell(team, 1, kProbed);
}
template <typename T> __device__ void tell_one(const T&, long) {}
template <typename T> __device__ auto wait_for_one(const T& team, int)
    -> decltype(wait_for(team, 1, kProbed)) {
  if (threadIdx.x == 0) wait_for(team, 1, kProbed);
}
template <typename T> __device__ void wait_for_one(const T&, long) {}
template <typename T> __device__ auto meet_all(const T& team, int) -> decltype(meet(team, kProbed)) {
  meet(team, kProbed);
}
template <typename T> __device__ void meet_all(const T&, long) {}

static __global__ void calls_tell(Team team) { tell_one(team, 0); }
static __global__ void calls_wait_for(Team team) { wait_for_one(team, 0); }
static __global__ void calls_meet(Team team) { meet_all(team, 0); }

// A launch of one of these on GPU `gpu`, one block.
inline void call_on(const Gpus& gpus, int gpu, void (*kernel)(Team)) {
  cudaSetDevice(gpu);
  kernel<<<1, kThreads, 0, gpus.stream(gpu)>>>(gpus.team(gpu, 0));
  cudaSetDevice(0);
}

// All flags in the memory of both GPUs.
inline void set_flags(const Gpus& gpus, unsigned count) {
  const std::vector<unsigned> flags(kMostGpus * kMostBlocks, count);
  for (int g = 0; g < 2; ++g)
    cudaMemcpy(gpus.team(0, 0).flags[g], flags.data(), flags.size() * sizeof(unsigned), cudaMemcpyDefault);
}

// In whose memory GPU 0 sets a flag if it tells GPU 1: for each of the two GPUs.
inline std::array<bool, 2> told() {
  Gpus gpus(2, 4);
  call_on(gpus, 0, calls_tell);
  check_gpus(gpus, "tell");
  std::array<bool, 2> is_set = {};
  for (int g = 0; g < 2; ++g) {
    std::vector<unsigned> flags(kMostGpus * kMostBlocks);
    cudaMemcpy(flags.data(), gpus.team(0, 0).flags[g], flags.size() * sizeof(unsigned), cudaMemcpyDefault);
    for (const unsigned flag : flags) is_set[g] |= flag != 0;
  }
  return is_set;
}
// GPU 0's kernel still runs, though GPU 1 has done nothing. Then `let_go` ends its wait.
template <typename Call, typename LetGo> bool waits(const char* name, Call call, LetGo let_go) {
  Gpus gpus(2, 4);
  call(gpus);
  const bool is_waiting = cudaStreamQuery(gpus.stream(0)) == cudaErrorNotReady;
  let_go(gpus);
  check_gpus(gpus, name);
  return is_waiting;
}

// What is open of the flags, with the reason: of tell, wait_for and meet.
struct OpenFlags {
  std::string tell, wait_for, meet;
  bool any() const { return !tell.empty() || !wait_for.empty() || !meet.empty(); }
};
inline const OpenFlags& open_flags() {
  static const OpenFlags found = [] {
    OpenFlags open;
    if (!bears_todo()) return open;
    const WithoutChecks unchecked;
    if (told() == std::array{false, false})
      open.tell = "tell: it sets no flag, neither on this GPU nor on the other";
    const auto wait = [](Gpus& gpus) { call_on(gpus, 0, calls_wait_for); };
    const auto set_all = [](Gpus& gpus) { set_flags(gpus, kProbed); };
    if (!waits("wait_for", wait, set_all))
      open.wait_for = "wait_for: it returns while the flag holds 0 and the count is 7";
    const auto meet_first = [](Gpus& gpus) { call_on(gpus, 0, calls_meet); };
    const auto meet_second = [](Gpus& gpus) { call_on(gpus, 1, calls_meet); };
    if (open.any()) open.meet = "meet: not tried, as it needs tell and wait_for";
    else if (!waits("meet", meet_first, meet_second))
      open.meet = "meet: GPU 0 leaves it before GPU 1 has come";
    return open;
  }();
  return found;
}

inline bool are_flags_open() { return meets_in_kernel && open_flags().any(); }
inline void report_open_flags() {
  for (const std::string& why : {open_flags().tell, open_flags().wait_for, open_flags().meet})
    if (!why.empty()) report({Kind::as_shipped, why, {}, why.substr(0, why.find(':'))});
}

// A GPU may have told the first count of its next launch before another looks for the last count of this one.
inline void check_flags_ahead() {
  if (are_flags_open()) return;
  for (const unsigned ahead : {0u, 1u, kCounts - 1}) {
    Gpus gpus(2, 4);
    set_flags(gpus, kProbed + ahead);
    call_on(gpus, 0, calls_wait_for);
    check_gpus(gpus, "wait_for a flag that is " + std::to_string(ahead) + " counts ahead");
  }
}

// The flag that GPU 0 sets for GPU 1 lies with GPU 1: otherwise each look of its wait goes over the link.
inline void check_place_of_flags() {
  if (are_flags_open()) return;
  if (told() == std::array{true, false})
    report({Kind::unimproved,
            "tell: the flag for GPU 1 lies in the memory of GPU 0, so each look of GPU 1 goes over the link; "
            "flag(team, to, team.rank) lies with the GPU that waits",
            {},
            "tell"});
}

}  // namespace judge
// SPDX-License-Identifier: MIT
