// The constants of a machine model as members: what a GPU can do and how long it takes. constants.def says what
// each is.
#pragma once

#include <iterator>
#include <span>
#include <string>
#include <string_view>

#include "base/base.h"

namespace gpusim::timing {

// The costs of a warp instruction, in cycles.
struct OperationTime {
  double latency = 0;   // until the result can be used
  double interval = 0;  // until the unit accepts the next instruction
};

// Nanoseconds per lane's atomic in global memory, while all multiprocessors execute atomics.
struct AtomicTime {
  static constexpr u32 kLines[] = {1,   8,    64,
                                   512, 4096, 65536};  // random words were measured in this many lines

  double one_word = 0;       // all lanes update one word
  double word_per_warp = 0;  // each warp updates a word of its own
  double one_line = 0;       // each lane of a warp updates one word of a line that all warps share
  double own_words = 0;      // each thread updates a word of its own
  double random_lines[std::size(kLines)] = {};  // random words of kLines[k] lines

  // For random words of any number of lines, interpolated between the measured ones.
  double random(double lines) const;
};

struct MachineConstants {
#define WHOLE(name, unit, rule, meaning) u64 name = 0;
#define REAL(name, unit, rule, meaning) double name = 0;
#define OPERATION(name, rule, meaning) OperationTime name;
#define ATOMIC(name, meaning) AtomicTime name;
#include "timing/constants.def"

  // The cost of a call of a mathematical function ("expf"); null: calibrate does not measure it.
  const OperationTime* function(std::string_view name) const;
};

// What a machine gets whose file gives a base instead of the constant. The head of constants.def explains each.
enum class Rule : u8 {
  kept,
  clock,
  cycles,
  l2_bandwidth,
  l2_time,
  l2_latency,
  bandwidth,
  memory_rate,
  memory_time,
  memory_latency,
  in_flight,
  crowd,
  doubles,
  barriers
};

// How a constant is read from a file.
struct ConstantRow {
  enum class Kind : u8 { count, whole, rate, real };
  const char *name, *unit, *meaning;
  Kind kind;
  Rule rule;
  void (*set)(MachineConstants&, double);  // to a number that is of this kind

  bool allows(double) const;
  // "cycles: a load that the L2 cache answers"
  std::string text() const;
};
std::span<const ConstantRow> constant_rows();
const ConstantRow* constant_row(std::string_view name);  // null: no constant has this name

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
