// The shapes of instructions: how their operands look, and what is true of all instructions of a shape (ptx/shapes.def).
#pragma once

#include "base/base.h"

namespace gpusim {

enum class Shape : u8 {
#define LANE_SHAPE(name, ...) name,
#define WARP_SHAPE(name, ...) name,
#define SHAPE(name, ...) name,
#include "ptx/shapes.def"
};

// A row of shapes.def. Families of shapes fix some columns; the other columns have no default, so a new shape must fill in all of
// them.
struct ShapeFacts {
  // What is executed next: the instruction behind, the target of a branch, a function, or nothing.
  enum class Flow : u8 { next, jump, call, leave };
  // Which memory an instruction reads or writes: the space that its mnemonic names (any space), or always the same one. The
  // memory that a called function accesses does not count.
  enum class Memory : u8 { nothing, addressed, shared, global };
  // Fixed: ptxas moves no access to memory across it. Of a load or store, its memory order decides.
  enum class Order : u8 { free, fixed };
  // With whom a lane waits to execute it: nobody, the threads of the block, all lanes of the warp, or the lanes of the mask
  // in source s[0], s[1] or s[3].
  enum class Meets : u8 { s0 = 0, s1 = 1, s3 = 3, all, block, nobody };
  // Under which name counters and traces have it.
  enum class Kind : u8 { other, load, store, atomic, branch, barrier, warp_sync, shuffle, vote, call, leave };
  // What it writes: nothing; a predicate; a register of the instruction's type, of d_bytes bytes, of twice the type's size,
  // or of an address. (typed: a predicate if that is the type.)
  enum class Result : u8 { none, predicate, typed, sized, wide, address };
  // The words in its mnemonic that mean something only for this shape (ptx/mnemonic.cpp).
  enum class Words : u8 { none, comparison, shuffle, vote, reduction, permute, cache, mbarrier, matrix };
  // Whether a source may be the name of a variable or special register, as well as a register or number.
  enum class Names : u8 { values, variables };
  // What ptxas makes of a short branch over it: it executes the instruction under a predicate, or keeps the branch.
  enum class Skip : u8 { predicate, branch };
  // Whether the compiler unrolls a short loop that contains the instruction, or keeps each round separate.
  enum class Unroll : u8 { several, alone };

  bool
      computes_lanes;  // each lane's result is made of its own operands (lanes/lane_ops); the executor does the others
  Flow flow;
  Memory reads, writes;
  Order order;
  Meets meets;
  Kind kind;
  Result result;
  Words words;
  Names names;
  Skip skip;
  Unroll unroll;
};

// Each file has its own, because those compiled for other processors may share nothing.
constexpr ShapeFacts kShapeFacts[] = {
#define SHAPE_ROW(lanes, flow, reads, writes, order, meets, kind, result, words, names, skip, unroll) \
  {lanes,                                                                                             \
   ShapeFacts::Flow::flow,                                                                            \
   ShapeFacts::Memory::reads,                                                                         \
   ShapeFacts::Memory::writes,                                                                        \
   ShapeFacts::Order::order,                                                                          \
   ShapeFacts::Meets::meets,                                                                          \
   ShapeFacts::Kind::kind,                                                                            \
   ShapeFacts::Result::result,                                                                        \
   ShapeFacts::Words::words,                                                                          \
   ShapeFacts::Names::names,                                                                          \
   ShapeFacts::Skip::skip,                                                                            \
   ShapeFacts::Unroll::unroll},
#define LANE_SHAPE(name, result, words, names) \
  SHAPE_ROW(true, next, nothing, nothing, free, nobody, other, result, words, names, predicate, several)
#define WARP_SHAPE(name, members, reads, order, kind, result, words, skip, unroll) \
  SHAPE_ROW(false, next, reads, nothing, order, members, kind, result, words, values, skip, unroll)
#define SHAPE(name, flow, reads, writes, order, meets, kind, result, words, skip, unroll) \
  SHAPE_ROW(false, flow, reads, writes, order, meets, kind, result, words, values, skip, unroll)
#include "ptx/shapes.def"
#undef SHAPE_ROW
};

constexpr const ShapeFacts& facts_of(Shape s) { return kShapeFacts[u8(s)]; }

constexpr bool computes_lanes(Shape s) { return facts_of(s).computes_lanes; }
constexpr bool jumps(Shape s) { return facts_of(s).flow == ShapeFacts::Flow::jump; }
constexpr bool ends_basic_block(Shape s) { return facts_of(s).flow != ShapeFacts::Flow::next; }
constexpr bool is_load_or_store(Shape s) {
  return facts_of(s).kind == ShapeFacts::Kind::load || facts_of(s).kind == ShapeFacts::Kind::store;
}
constexpr bool is_atomic(Shape s) { return facts_of(s).kind == ShapeFacts::Kind::atomic; }
// Whether it reads, or writes, the memory that its mnemonic names: not always shared or always global memory.
constexpr bool reads_addressed(Shape s) { return facts_of(s).reads == ShapeFacts::Memory::addressed; }
constexpr bool writes_addressed(Shape s) { return facts_of(s).writes == ShapeFacts::Memory::addressed; }
constexpr bool has_result(Shape s) { return facts_of(s).result != ShapeFacts::Result::none; }
constexpr bool orders_memory(Shape s) { return facts_of(s).order == ShapeFacts::Order::fixed; }
// A barrier at which threads of a block wait.
constexpr bool is_block_barrier(Shape s) { return facts_of(s).meets == ShapeFacts::Meets::block; }
// All lanes of a warp do it together.
constexpr bool meets_whole_warp(Shape s) { return facts_of(s).meets == ShapeFacts::Meets::all; }
// Which source is the mask.
constexpr u32 mask_operand(Shape s) { return u32(facts_of(s).meets); }

}  // namespace gpusim
// SPDX-License-Identifier: MIT
