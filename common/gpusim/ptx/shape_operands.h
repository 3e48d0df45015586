// The operands of an instruction, which its shape decides.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "ptx/operands.h"

namespace gpusim::ptx {

class ShapeOperands : protected Operands {
 public:
  using Operands::Operands;

 protected:
  // Reads the operands after the mnemonic (name_, shape_) up to the ';'. Throws SyntaxError, Unsupported.
  void operands(Instruction&);

  u32 here() const { return u32(program_.code.size()); }

  // A label that stands somewhere as an operand, or in a list of branch targets.
  struct LabelUse {
    u32 pc;  // or the index of a table
    std::string_view label;
    u32 line;
    u32 scope;
  };
  LabelUse use_of_label(u32 pc, std::string_view name) const {
    return {pc, name, in_.peek().line, scopes_.back().number};
  }
  std::vector<LabelUse> branches_, table_uses_;  // of the instructions read so far

  // label: .callprototype (results) _ (arguments) .noreturn;  Of both, their sizes are kept.
  CallSite prototype();

 private:
  // ---- Values
  // d, and then the sources.
  void values(Instruction&, Type d, std::initializer_list<Type> types);
  void dest(Instruction&, Type);
  void sources(Instruction&, std::initializer_list<Type> types);
  void cache_policy(Instruction&);
  // The q of d|q, which may be '_'.
  void second(Instruction&, Type);
  void dot(Instruction&);
  void carries(Instruction&);
  void table_of_bits(Instruction&);
  void combining(Instruction&);
  void comparison(Instruction&);
  void conversion(Instruction&);
  void move(Instruction&);
  // {a, b} as destinations.
  void unpack(Instruction&);
  // {a, b} as a source. The number of parts decides how wide a number among them is.
  void pack(Instruction&);
  FrameOffset part_register(const Instruction&);
  void check_parts(const Instruction&) const;
  void vector_of_size(const Instruction&, u32 count) const;

  // ---- Memory
  void load(Instruction&);
  void store(Instruction&);
  void cache_hint();
  void atomic(Instruction&);
  void reduction(Instruction&);
  void atomic_values(Instruction&);
  // [shared], [global], bytes {, how many of them are read; the others become zeros}
  void async_copy(Instruction&);
  void async_group(Instruction&);
  void barrier_in_memory(Instruction&);

  // ---- Matrices
  void rows_of_matrices(Instruction&);
  // {d…}, {a…}, {b…}, {c…}, where each has the registers that the form needs
  void product(Instruction&);
  FrameOffset register_of(Type);

  // ---- Lanes and warps
  void shuffle(Instruction&);
  void vote(Instruction&);
  void match(Instruction&);
  void barrier(Instruction&);
  void barrier_arrival(Instruction&);
  void barrier_reduction(Instruction&);
  // Numbers are checked here, registers when the barrier is reached.
  void barrier_name(Instruction&);
  void thread_count(Instruction&);

  // ---- Control
  void branch();
  void branch_table(Instruction&);
  // call (results), callee, (arguments);
  void call(Instruction&);
  std::vector<ParamVar> param_list();
  std::vector<ParamVar> prototype_list();
  void check_prototype(const CallSite& site, std::string_view name) const;

  bool had_second_ = false;
  u32 part_bytes_ = 0;
};

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
