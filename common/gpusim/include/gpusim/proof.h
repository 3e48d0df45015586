// What is known of a launch beyond the one run: whether any order of warps and blocks, and any content of memory, could make it race.
//
//   gpusim::enable_checks("proof");
//   sum_tile<<<grid, block>>>(in, sums, n);
//   for (const gpusim::Proof& p : gpusim::proofs()) std::puts(gpusim::to_text(p).c_str());
//
// The program must have been compiled with simcc --keep-accesses. Any such program: GPUSIM_CHECK=proof prints a line for each kernel and its shape when the program ends. The book's page *Proof* says
// what a proof rests on.
#pragma once

#include <string>
#include <vector>

#include "gpusim/check.h"

namespace gpusim {

enum class Verdict {
  proved,     // no order and no input of this size can race, and the result is always the same, bit by bit
  race_free,  // no order and no input of this size can race; `place` and `reason` say why the result may differ
  not_proved,  // `place` and `reason` say why
};

// All that it holds for: the kernel, the shape of the launch, and its arguments.
struct Proof {
  std::string kernel;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned dynamic_shared_bytes = 0;
  std::string arguments;  // "in = p, sums = p + 4194304, n = 1048576": of pointers only their distances count
  Verdict verdict = Verdict::not_proved;
  Place place;         // file empty: none
  std::string reason;  // behind "FILE:LINE ": "takes its address from memory"
  unsigned long long launches = 1;
};

// One for each kernel, shape, list of arguments and verdict, in the order met; clear_findings() forgets them.
const std::vector<Proof>& proofs();

// "proved: sum_tile<<<4096, 256>>>(in = p, …): no order of warps …"
std::string to_text(const Proof&);
// An object: kernel, grid, block, arguments, verdict, file, line, reason.
std::string to_json(const Proof&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
