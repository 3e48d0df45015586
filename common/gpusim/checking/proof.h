// What one watched run says of all runs of the same launch.
//
// Suppose that in a kernel no address, branch, guard or mask depends on data (analysis/data_dependence.h), and that threads wait for
// each other by barriers of the whole block and by __syncwarp() only. Then every thread makes the same accesses and the same waits
// in every order of threads, whatever memory holds. So the order that these waits give, too, is the same in all runs. If one
// run has no two conflicting accesses that it leaves unordered, none has; and each load finds what the last store before it in that order
// has stored, so all results are the same.
//
// The run must show this for every pair of accesses. Where a check lets something pass, or forgets something, it says so
// (Findings::allow), and nothing is proved.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checking/findings.h"
#include "memory/memory.h"

namespace gpusim {

// Concludes from what the checks that watch a launch say of it; it hears of its end after them.
std::unique_ptr<Observer> make_proof_check(const Memory&, Findings&);
// GPUs that share memory: nothing is proved of their launches.
std::unique_ptr<Observer> make_proof_check_beside(Observer& first, const Memory&, u32 gpu, Findings&);

// Which checks of those that a proof rests on do not watch, as a reason that nothing is proved; empty: all watch.
void tell_missing_checks(Observer& proof_check, const std::string& reason);

// One for each kernel, shape and verdict: the first of those that differ in their arguments alone, and how many others there are.
std::vector<std::pair<const Proof*, u64>> without_arguments(const std::vector<Proof>&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
