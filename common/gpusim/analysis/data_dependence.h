// Whether what a kernel accesses depends on data: static, from its instructions alone.
//
// A value depends on data if it can differ between two launches with the same arguments: it was loaded from memory, it is the result of
// an atomic, a clock, the number of a multiprocessor, a register that nothing wrote; or it was computed from such a value. If no address,
// branch, guard or mask depends on data, each thread makes the same accesses and meets the same threads in every launch,
// whatever memory holds and in whichever order threads run. checking/proof.h says what follows from that.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

// An instruction, and what it does, for "FILE:LINE …": "takes its address from memory".
struct CodeFact {
  u32 pc = 0;
  std::string what;
};

struct DataDependence {
  // Instructions whose accesses or waiting may differ with the data, or that order threads by other means than barriers of the
  // whole block and __syncwarp(). In the order of the code.
  std::vector<CodeFact> obstacles;
  // If there are no obstacles: the first instruction that may make two launches store different results all the same.
  std::optional<CodeFact> rounds;   // adds floats in an order that may differ
  std::optional<CodeFact> differs;  // depends on that order in another way
};
// Of a kernel and all that it can call; `kernel` is an index in Program::functions. `computes_numbers` says of a function of the host
// whether all it does is to make a result of its arguments.
DataDependence data_dependence(const Program&, u32 kernel, bool (*computes_numbers)(std::string_view name));

}  // namespace gpusim
// SPDX-License-Identifier: MIT
