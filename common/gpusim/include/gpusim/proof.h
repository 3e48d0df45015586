// What is known of a launch beyond the one run: whether any order of warps and blocks, and any content of memory, could make it race.
//
//   gpusim::enable_checks("proof");
//   sum_tile<<<grid, block>>>(in, sums, n);
//   for (const gpusim::Proof& p : gpusim::proofs()) std::puts(gpusim::to_text(p).c_str());
//
// The program must have been compiled with simcc --keep-accesses. Any such program: GPUSIM_CHECK=proof prints a line for each kernel
// and its shape when the program ends. Of other programs only the compiled code is proved (`compiled` below). The book's page *Proof*
// says what a proof rests on.
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

struct Conclusion {
  Verdict verdict = Verdict::not_proved;
  Place place;         // file empty: none
  std::string reason;  // behind "FILE:LINE ": "takes its address from memory"
};

struct Report;

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
  // The same of the code that the compiler has made. Without --keep-accesses the source may have accesses that this code lacks: then
  // nothing is proved of the source, and perhaps something of the code.
  Conclusion compiled;
  // Every source line that prevents a proof by what its instructions are, each once; their verdicts are not_proved.
  std::vector<Conclusion> obstacles;
};

// One for each kernel, shape, list of arguments and verdict, in the order met; clear_findings() forgets them.
const std::vector<Proof>& proofs();

// Whether to draw conclusions about every launch from now on. If no check is on, all checks that a proof rests on are turned on
// for it; what they find prevents a proof and is not reported. If some checks are on but one of those is missing, nothing is
// proved.
void prove_launches(bool on = true);

// What is proved of all launches with this one's kernel, grid and block. Null if there is no conclusion about any of them.
const Proof* proof_of(const Report&);

// "proved: sum_tile<<<4096, 256>>>(in = p, …): no order of warps …"
std::string to_text(const Proof&);
// "proved: no order of warps …", "not proved: kernels.cuh:12 takes its address from memory"
std::string to_text(const Conclusion&);
// An object: kernel, grid, block, arguments, launches; verdict ("proved", "race_free" or "not_proved"), file, line and reason;
// "compiled", an object of the last four; "obstacles", an array of such objects.
std::string to_json(const Proof&);
// "proved", "race_free", "not_proved": as in the JSON.
const char* name_of(Verdict);

// As to_json(Report), with a member "proof".
std::string to_json(const Report&, const Proof&);
// As to_profile(Report), with what is proved of the compiled code, and a mark under each source line that prevents a proof.
std::string to_profile(const Report&, const Proof&, bool colour);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
