// The schedule of an execution as a text that GPUSIM_SCHEDULE takes, to run it again.
//
//   3/b1w0,b0w0*2,b1w0:1    of launch 3: warp 0 of block 1 does its next operation, warp 0 of block 0 its next two; then the former
//                           gets what the word held one write before the newest
//
// With several GPUs: 3/g0b1w0,… where 3 is the launch's number on the first of them. Behind ":" stands a number for each word that a
// load reads, with "+" between them; without ":" it gets the newest of all.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace gpusim {

// A move as the text has it.
struct NamedMove {
  u32 gpu = 0;
  u64 block = 0;
  u32 warp = 0;
  std::vector<u32> older;  // by word: how many writes before the newest; empty: the newest of all
  bool operator==(const NamedMove&) const = default;
};
struct NamedSchedule {
  u64 launch = 0;
  bool has_gpus = false;
  std::vector<NamedMove> moves;
};

std::string to_text(const NamedSchedule&);
// Nothing where the text is no schedule.
std::optional<NamedSchedule> parse_schedule(std::string_view);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
