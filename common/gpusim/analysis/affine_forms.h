// What integer registers hold, as affine forms of a thread's place: its block, its index in the block, and the iteration of each loop
// around the instruction. Found before a launch runs, from the kernel's instructions, its parameters and the grid.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/affine_arithmetic.h"
#include "analysis/launch_info.h"
#include "analysis/ssa.h"

namespace gpusim {

class AffineForms {
 public:
  // form ≤ most holds for every thread that comes to a certain pc.
  struct Bound {
    AffineForm form;
    s64 most;
  };

  explicit AffineForms(const LaunchInfo&);
  // False: the function has loops that SSA form does not describe, so nothing else may be called.
  bool can_tell() const { return ssa_.has_form(); }

  bool is_reached(u32 pc) const { return ssa_.is_reached(ssa_.block_of(pc)); }
  // The form of a register of 4 or 8 bytes before the instruction at pc, which must be reachable.
  MaybeForm form_at(u32 pc, FrameOffset);
  // The conditions of the branches that every thread has taken on its way to pc.
  std::vector<Bound> bounds_at(u32 pc);

  // Variables are integers ≥ 0. True for an index of the block in the grid, which all threads of a block share.
  bool is_of_block(u32 variable) const { return variables_[variable].kind == Kind::block; }
  std::optional<s64> most(u32 variable);  // its largest value, if that is known
  std::optional<Range> range(const AffineForm&);

 private:
  using Value = ptx::Ssa::Value;
  enum class Kind : u8 {
    block,
    thread,  // an index of the thread in its block
    round,   // the iteration of a loop, from 0
    phi,     // a value that a loop changes; only in forms that are still being worked out
    any,     // unknown: may differ between threads, and between two visits of one thread
  };
  struct Variable {
    Kind kind;
    u32 of;  // round: the block that begins the loop; phi: the SSA value
    std::optional<s64> most;
    bool is_known;  // false: `most` is worked out when somebody asks for it
  };
  // An integer type of 4 or 8 bytes.
  struct Integer {
    u32 bits;
    bool is_signed;
    Range range() const;  // cut off at what an s64 can hold
  };
  // a (compare) b holds.
  struct Fact {
    AffineForm a, b;
    Compare compare;  // one of the integer comparisons
    Integer type;
  };

  const Instruction& instruction(u32 pc) const { return launch_.program->code[pc]; }
  static std::optional<Integer> integer(Type);
  // Whether an instruction always writes its first result to this register, and no other result to it.
  static bool is_only_result(const Instruction&, FrameOffset);
  AffineForm add(Kind, u32 of, std::optional<s64> most);
  MaybeForm anything(const std::optional<Range>&);

  MaybeForm of(Value);
  MaybeForm find(Value);
  MaybeForm initial(FrameOffset);
  MaybeForm result(u32 pc);
  MaybeForm loaded(const Instruction&) const;
  MaybeForm masked(const Instruction&, const MaybeForm&, const MaybeForm&);
  MaybeForm disjoint_or(const MaybeForm&, const MaybeForm&);
  MaybeForm either(const MaybeForm&, const MaybeForm&);
  MaybeForm merged(Value phi);

  std::optional<Range> range_if(const MaybeForm&);  // nothing for no form, and for a form with phis
  MaybeForm expand(const MaybeForm&);               // replaces phis by what they are known to be
  MaybeForm in_loop(Value phi);
  MaybeForm find_in_loop(Value phi);
  bool begins_loop(u32 block) const;
  std::optional<s64> most_rounds(u32 loop);
  std::optional<s64> most_rounds(u32 round, const Fact&);

  // The form as a value of the type, without wrapping; nothing if it may be outside of the type's range.
  MaybeForm in_range(const MaybeForm&, const std::optional<Integer>&);
  std::vector<Fact> facts_on_edge(u32 from, u32 to);
  std::vector<Fact> facts_at(u32 block, u32 until);
  static constexpr u32 kMostDepth = 6;  // of predicates that are combined from other predicates
  void add_facts(Value predicate, bool is_so, std::vector<Fact>&, u32 depth = 0);

  const LaunchInfo& launch_;
  const Function& kernel_;
  ptx::Ssa ssa_;
  std::vector<Variable> variables_;
  std::unordered_map<Value, MaybeForm> forms_,
      in_loops_;  // also nothing while the search for them runs: recursion ends there
  std::unordered_map<u32, AffineForm> rounds_;     // by the block that begins the loop
  std::unordered_map<u32, AffineForm> positions_;  // by Special
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
