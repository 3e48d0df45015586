// Definite assignment: which registers a function may read before it has written them.
#pragma once

#include <map>
#include <vector>

#include "ptx/cfg.h"
#include "ptx/program.h"

namespace gpusim {

class DefiniteAssignment {
 public:
  DefiniteAssignment(const Program&, const Function&);

  // Whether the instruction can be reached from the function's beginning.
  bool is_reached(u32 pc) const;

  struct Read {
    u32 pc;
    FrameOffset reg;
  };
  // Every read of a register that may have no value there, in ascending order of the pc.
  const std::vector<Read>& reads_without_value() const { return reads_without_value_; }

 private:
  void find_written();
  bool has_value_from_the_start(FrameOffset) const;
  void find_without_value();

  const Program& program_;
  const Function& function_;
  const ptx::Graph graph_;
  std::map<FrameOffset, u32> number_;  // of the registers that are written
  std::vector<bool> is_reached_;       // by block
  std::vector<Read> reads_without_value_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
