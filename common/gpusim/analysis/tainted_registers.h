// Taint analysis: which registers of a function depend on data, and on which kind. data_dependence.h says what counts as data.
#pragma once

#include <map>
#include <span>

#include "analysis/definite_assignment.h"
#include "ptx/program.h"

namespace gpusim {

// Why a value depends on data, as far as it does.
enum class DataSource : u8 { nothing, memory, atomic, clock, processor, active_lanes, call, no_value };

// "memory", "a clock" …, for the end of a sentence.
const char* words_for(DataSource);
// Which special registers differ between launches with the same arguments.
DataSource source_of(Special);

class TaintedRegisters {
 public:
  TaintedRegisters(const Program&, const Function&, const DefiniteAssignment&);

  // What the register depends on anywhere in the function. `nothing` for kNoOperand as well.
  DataSource source(FrameOffset) const;

 private:
  void taint(FrameOffset, DataSource);
  DataSource any_of(std::span<const FrameOffset>) const;
  DataSource result_of(const Instruction&) const;
  DataSource loaded(const Instruction&) const;

  const Function& function_;
  bool passes_parameters_ = false, changed_ = false;
  std::map<FrameOffset, DataSource> depends_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
