// The whole numbers that registers hold, as sums over where a thread is: in which block, which thread of it, and in which round of the
// loops around it. Known before a launch runs, from the kernel's text, its parameters and the grid.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "analysis/launch_info.h"
#include "analysis/ssa.h"

namespace gpusim {

struct Range {
  s64 low, high;
  bool operator==(const Range&) const = default;
};

// constant + the sum of factor × variable, modulo 2 to the number of the register's bits.
struct AffineForm {
  struct Term {
    u32 variable;
    s64 factor;  // not 0
    bool operator==(const Term&) const = default;
  };
  s64 constant = 0;
  std::vector<Term> terms;  // by variable
  bool operator==(const AffineForm&) const = default;

  s64 factor_of(u32 variable) const;
};
using MaybeForm = std::optional<AffineForm>;  // nothing: it is not known, or not a sum

MaybeForm sum(const AffineForm&, const AffineForm&, s64 factor);  // a + factor × b
MaybeForm sum(const MaybeForm&, const MaybeForm&, s64 factor);

class AffineForms {
 public:
  // form ≤ most, whenever a thread is at some pc, by what its variables are then.
  struct Bound {
    AffineForm form;
    s64 most;
  };

  explicit AffineForms(const LaunchInfo&);
  // False: nothing may be asked.
  bool can_tell() const { return ssa_.has_form(); }

  bool is_reached(u32 pc) const { return ssa_.is_reached(ssa_.block_of(pc)); }
  // Of a register of 4 or 8 bytes before the instruction at pc, which can be reached.
  MaybeForm form_at(u32 pc, FrameOffset);
  // What the branches say that all threads have taken on their way there.
  std::vector<Bound> bounds_at(u32 pc);

  // Variables are whole numbers from 0. An index of the block in the grid; what differs between threads of a block, or between one and
  // the same, otherwise.
  bool is_of_block(u32 variable) const { return variables_[variable].kind == Kind::block; }
  std::optional<s64> most(u32 variable);
  std::optional<Range> range(const AffineForm&);

 private:
  using Value = ptx::Ssa::Value;
  enum class Kind : u8 {
    block,
    thread,  // an index of the thread in its block
    round,   // how often a loop has begun again
    phi,     // what a loop changes: in no form that is given to others
    any,     // of each thread its own, and another one whenever it comes there again
  };
  struct Variable {
    Kind kind;
    u32 of;  // of a round: the block that begins the loop; of a phi: its value
    std::optional<s64> most;
    bool is_known;  // most is looked for when it is asked for
  };
  // Of 4 or 8 bytes, signed or not.
  struct Integer {
    u32 bits;
    bool is_signed;
    Range range() const;  // of those that an s64 can hold
  };
  // a (compare) b holds.
  struct Fact {
    AffineForm a, b;
    Compare compare;  // of those of whole numbers that have a sign or none; and eq, ne
    Integer type;
  };

  const Instruction& instruction(u32 pc) const { return launch_.program->code[pc]; }
  static std::optional<Integer> integer(Type);
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

  std::optional<Range> range_if(const MaybeForm&);  // of a form, if there is one, without phis
  MaybeForm expand(const MaybeForm&);               // the same without phis
  MaybeForm in_loop(Value phi);
  MaybeForm find_in_loop(Value phi);
  bool begins_loop(u32 block) const;
  std::optional<s64> most_rounds(u32 loop);
  std::optional<s64> most_rounds(u32 round, const Fact&);

  // The same modulo 2 to the number of bits (with its phis), but as a number of the type; nothing if it may be none.
  MaybeForm in_range(const MaybeForm&, const std::optional<Integer>&);
  std::vector<Fact> facts_on_edge(u32 from, u32 to);
  std::vector<Fact> facts_at(u32 block, u32 until);
  static constexpr u32 kMostDepth = 6;  // of predicates that are made of others
  void add_facts(Value predicate, bool is_so, std::vector<Fact>&, u32 depth = 0);

  const LaunchInfo& launch_;
  const Function& kernel_;
  ptx::Ssa ssa_;
  std::vector<Variable> variables_;
  std::unordered_map<Value, MaybeForm> forms_, in_loops_;  // nothing, too, while they are looked for
  std::unordered_map<u32, AffineForm> rounds_;             // by the block that begins the loop
  std::unordered_map<u32, AffineForm> positions_;          // by Special
};

}  // namespace gpusim
