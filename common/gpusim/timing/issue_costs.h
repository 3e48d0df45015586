// What ptxas makes of PTX, as far as time depends on it: which instructions need none of their own, how long each keeps
// its unit and its reader waiting, in which order a basic block issues them, how many registers a thread has.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ptx/program.h"
#include "timing/machine.h"

namespace gpusim::timing {

// What instructions wait for besides their operands. Those before `shared` are a scheduler's own.
// sums: the unit of integers or that of products, whichever is free first.
enum class Unit : u8 { none, fp32, fp64, integer, multiply, special, lanes, sums, shared, global, constant };
inline constexpr u32 kSchedulerUnits = u32(Unit::shared);

struct IssueCost {
  Unit unit = Unit::none;
  float slots = 0;     // cycles of the scheduler: 0 where ptxas needs no instruction for it
  float interval = 0;  // cycles until the unit takes the next one
  float latency = 0;   // cycles until its result can be used; that of loads comes on top
  float held =
      0;  // cycles in which its warp issues nothing else: a sequence of instructions with a branch in it
};

using RegisterNumber =
    u32;  // of a virtual register, of 32 or 64 bits or a predicate; each function begins with 0 again

struct Operands {
  std::vector<RegisterNumber> numbers;  // of all instructions, one after the other
  std::vector<u32> at;                  // by pc, and one more
  std::span<const RegisterNumber> of(u32 pc) const {
    return {numbers.data() + at[pc], numbers.data() + at[pc + 1]};
  }
};

struct ProgramCosts {
  std::vector<IssueCost> cost;  // by pc
  std::vector<u8>
      words;  // by pc, of an operation on integers: of how many instructions of 32 bits it consists
  std::vector<bool> is_triple;    // by pc: a sum of three integers, for it takes the sum before along
  std::vector<bool> needs_upper;  // by register of 64 bits: somebody needs more than its lower half
  std::vector<u32> block;         // by pc: number of its basic block
  std::vector<u32> position;      // by pc: its turn in that block, as ptxas would have it
  Operands reads, writes;
  u32 registers_named = 0;  // RegisterNumbers are below it
  // By pc of a branch over a few instructions: the slots of these. ptxas replaces the branch by predicates, so a warp issues
  // the instructions whether or not a lane needs them. 0: it stays a branch.
  std::vector<float> predicated;
  std::vector<bool>
      unread;  // by pc of an atomic: nothing reads what it returns, so that ptxas makes it a reduction
  std::vector<float>
      passes;  // by pc: of a shared load that ptxas makes one wide load of with its neighbours, what is left
  std::vector<u8> wide_bytes;  // by pc: of that wide load, how many a lane loads; else 0
  std::vector<bool>
      unrolled;             // by basic block: of a loop of which the compiler does kUnrolled rounds at a time
  std::vector<u32> loop;    // by basic block: number of the first one of that loop; else its own
  std::vector<bool> polls;  // by basic block: of a loop that only reads until another thread has written
  std::vector<bool> folded;    // by pc: a constant in each round of such a loop; one of kUnrolled is left
  std::vector<bool> overlaps;  // by pc: waits for nothing that the round before leaves behind
  std::vector<u32> registers;  // by function: of a thread, as ptxas would allot them
  // By function: those that a loop needs from each round to the next, for floating-point results alone and one more. A
  // thread has no fewer, whatever a compiler does, unless it is told to keep some in memory.
  std::vector<u32> least_registers;
};

inline constexpr u32 kUnrolled = 4;
// Registers for what PTX has no names for: addresses as they are computed, values as they move.
inline constexpr u32 kOwnRegisters = 4;

ProgramCosts costs_of(const Program&, const Machine&);

// The function that an instruction calls and of which nobody has measured what it takes; empty where that is known.
std::string_view unknown_call(const Program&, const Machine&, u32 pc);

// Whether ptxas makes a branch of it to a function for unusual numbers: a rounded division, reciprocal or root, a division of 64-bit
// integers. No access behind it is made before it.
bool has_slow_path(const Instruction&);

// Whether ptxas makes a loop of it: an addition of floats in shared memory (timing/shared_additions.h).
inline bool adds_in_a_loop(const Instruction& in) {
  return is_atomic(in.shape) && in.space == Space::shared && is_float(in.type);
}

// Its parts. ------------------------------------------------------------------------------------------------------------

struct BasicBlocks {
  std::vector<u32> start;                    // first pc; one more entry: the end
  std::vector<u32> of;                       // by pc: the block's number
  std::vector<std::vector<u32>> successors;  // numbers of blocks
};
// A conditional branch over a jump, which clang writes where a loop goes round: one branch, with the condition turned about.
bool is_turned_branch(const Program&, u32 pc);
// A jump to the instruction behind it, which older versions of clang write: no instruction.
bool jumps_to_next(const Instruction&, u32 pc);
// Fills in `reads`, `writes` and `registers_named`: numbers for the registers of all functions. What no instruction writes (a constant, a
// parameter) has none.
void number_operands(const Program&, ProgramCosts&);
// Numbers the registers of each function from 0 again: one function at a time runs in a warp.
void renumber(const Program&, ProgramCosts&);
// Of the whole program: no way leads from one function to another. What is predicated is no branch.
BasicBlocks basic_blocks(const Program&, const std::vector<float>& predicated);
// Fills in `words`, `is_triple` and `needs_upper`.
void fill_words(const Program&, ProgramCosts&);
// Fills in `cost` from the instructions, their operands and their words.
void fill_costs(const Program&, const Machine&, ProgramCosts&);
// Of instructions behind a branch over them: the slots that they take predicated; infinite if that cannot be.
float slots_predicated(const Program&, const ProgramCosts&, u32 begin, u32 end);
inline constexpr float kMostPredicated = 7;  // slots
// Fills in `predicated`.
void fill_predicated(const Program&, ProgramCosts&);
// Fills in `passes` and `wide_bytes`, and takes the slots of loads that another one brings along.
void merge_shared_loads(const Program&, const Machine&, const BasicBlocks&, ProgramCosts&);
// Fills in `polls`.
void find_polls(const Program&, const BasicBlocks&, ProgramCosts&);
// Fills in `unrolled`, `loop`, `folded` and `overlaps`; predicates a part of a loop that is unrolled.
void find_unrolled(const Program&, const BasicBlocks&, ProgramCosts&);

// From the first number to behind the last, of the registers that a function writes: they are numbered one after the other.
struct RegisterRange {
  RegisterNumber begin = 0, end = 0;
};
RegisterRange registers_of(const Function&, const Operands& writes);

// Values that are needed later, whatever the order within blocks.
struct Liveness {
  std::vector<u8> width;                             // by register: how many of 32 bits hold it
  std::vector<std::vector<RegisterNumber>> in, out;  // by block: at its beginning and at its end
};
Liveness liveness(const Program&, const BasicBlocks&, const ProgramCosts&);
// How many registers of 32 bits a thread of the function may have: so that as many blocks as its launch bounds allow fit on a
// multiprocessor, then one block less, and so on; in the end, as many as a thread can have.
std::vector<u32> registers_by_blocks(const Function&, const Machine&);

// Fills in `position`: the longest way to the block's end goes first, so that loads are made early; but no more
// at a time than there are registers for, with as many blocks on a multiprocessor as can be.
void fill_positions(const Program&, const Machine&, const BasicBlocks&, const Liveness&, ProgramCosts&);
// Fills in `registers`: the most that live at a time.
void fill_registers(const Program&, const BasicBlocks&, const Liveness&, ProgramCosts&);
// Fills in `least_registers`.
void fill_least_registers(const Program&, const BasicBlocks&, const Liveness&, ProgramCosts&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
