// Which definition of a register an instruction reads: static single assignment form, made where it is asked for.
// (Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau: "Simple and Efficient Construction of Static Single Assignment Form".)
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/cfg.h"

namespace gpusim::ptx {

class Ssa {
 public:
  using Value = u32;
  enum class Kind : u8 {
    initial,      // what the register holds when the function begins
    instruction,  // the result of an instruction; if it is guarded, possibly the value before it
    phi,          // one of several values, depending on the way by which a thread came
  };
  struct Definition {
    Kind kind;
    FrameOffset reg;
    u32 at;  // instruction: its pc; phi: the block that begins with it
  };

  Ssa(const Program&, const Function&);
  // False: nothing else may be called, because a loop has several entries, or the function begins inside one.
  bool has_form() const { return has_form_; }

  // The value of a register before the instruction at pc, which must be reachable.
  Value before(u32 pc, FrameOffset);
  const Definition& definition(Value v) const { return definitions_[v]; }
  // The values that a phi chooses from: those of its register at the end of each of predecessors(at), in that order.
  std::vector<Value> operands(Value phi);

  u32 block_of(u32 pc) const { return block_of_[pc - begin_]; }
  u32 end_of(u32 block) const { return graph_.start[block + 1]; }
  bool is_reached(u32 block) const { return dominator_[block] != kNone; }
  // The reachable predecessors of a block.
  const std::vector<u32>& predecessors(u32 block) const { return graph_.predecessors[block]; }
  const std::vector<u32>& successors(u32 block) const { return graph_.successors[block]; }
  u32 dominator(u32 block) const { return dominator_[block]; }  // the first block's: itself
  bool dominates(u32 block, u32 other) const;

 private:
  Value at_begin(u32 block, FrameOffset);
  Value at_end(u32 block, FrameOffset);
  bool merge(Value phi);
  void merge_phis();
  Value last_definition(u32 block, u32 before, FrameOffset);
  Value add(Kind, FrameOffset, u32 at);
  Value found(Value) const;
  bool is_reducible() const;

  const u32 begin_;
  Graph graph_;
  std::vector<u32> dominator_, block_of_;
  bool has_form_ = true;
  std::vector<std::pair<FrameOffset, u32>> written_;  // which register by which pc, ascending
  std::vector<Definition> definitions_;
  std::vector<Value> same_as_;   // of phis that turned out to be another value; else their own number
  std::vector<Value> new_phis_;  // that were several values when they were asked for, since the last before()
  std::unordered_map<u64, Value> at_begin_;        // by block and register
  std::unordered_map<u32, Value> of_instruction_;  // by index in written_
  std::unordered_map<FrameOffset, Value>
      never_written_;  // of the frame's constants, and whatever else nothing writes
};

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
