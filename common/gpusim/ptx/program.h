// A PTX module after parsing: flat code, one entry per instruction, and the tables it refers to.
// Parsing knows the text; everything after it works on this.
#pragma once

#include <string>
#include <vector>

#include "base/base.h"
#include "ptx/shapes.h"

namespace gpusim {

enum class Op : u16 {
#define OP(name, mnemonic, shape, types, modifiers) name,
#include "ptx/opcodes.def"
#undef OP
};

inline constexpr u8 kMovePlain = 0, kMovePack = 1, kMoveUnpack = 2;
// trap: the program asks for it; or the compiler has put it where all that follows is undefined (.pragma "undefined").
inline constexpr u8 kTrapAskedFor = 0, kTrapUndefined = 1;
inline constexpr u8 kPastL1 = 1;                                     // async_copy: .cg
inline constexpr u8 kTransposed = 1;                                 // matrix_load: .trans
inline constexpr u8 kNoComplete = 1, kParity = 2, kNoIncrement = 3;  // mbarrier: .noComplete, .parity, .noinc

enum class Type : u8 {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f32,
  f64,
  f16,
  f16x2,
  bf16,
  bf16x2
};
// Bytes; 0 for none and pred.
constexpr u32 size_of(Type t) {
  switch (t) {
    case Type::none:
    case Type::pred: return 0;
    case Type::b8:
    case Type::u8:
    case Type::s8: return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16: return 2;
    case Type::b32:
    case Type::u32:
    case Type::s32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::f32: return 4;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64: return 8;
  }
  return 0;
}
constexpr bool is_half(Type t) { return t >= Type::f16; }
constexpr bool is_float(Type t) { return t == Type::f32 || t == Type::f64 || is_half(t); }
constexpr bool is_signed(Type t) {
  return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64;
}
const char* name_of(Type);

enum class Compare : u8 { eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class BoolOp : u8 { none, and_, or_, xor_ };
enum class Rounding : u8 { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
enum class ShuffleMode : u8 { up, down, bfly, idx };
enum class VoteMode : u8 { all, any, uni, ballot };
// How other threads may observe an access (PTX ISA, "Memory Consistency Model"). By default a load or store is weak and an
// atomic relaxed.
enum class MemoryOrder : u8 { weak, volatile_, relaxed, acquire, release, acq_rel };
enum class PermuteMode : u8 { any, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class ReduxOp : u8 { add, min, max, and_, or_, xor_ };  // also bar.red's popc (add), and, or

// Registers, parameters and constants of a function live in a frame: bytes, the same layout for each call.
//   register of 4 or 8 bytes  kWarpSize × its size, lane by lane
//   predicate                 one Mask
//   parameter variable        kWarpSize × its size, lane by lane (a kernel's own: one copy for all)
// An operand is the byte offset of its lane 0 in the frame; constants and special registers are written into
// the frame when it is made, so that executing an instruction never asks what kind of operand it has.
using FrameOffset = u32;
inline constexpr FrameOffset kNoOperand = 0xffffffffu;

struct Instruction {
  Op op{};
  Shape shape{};
  Type type = Type::none;       // the last type of the mnemonic: of the sources
  Type dest_type = Type::none;  // the first type where there are two; else the same
  Space space = Space::generic;
  u8 vector = 1;         // 1, 2 or 4 elements
  u8 d_bytes = 0;        // load, convert: bytes of the register that takes the value; may exceed the type's
  u8 s_bytes = 0;        // store, convert: … that holds it
  u8 address_bytes = 8;  // load, store, atomic: bytes of the address register
  u8 source_address_bytes = 8;  // async_copy: of its second address, s[1]
  Rounding rounding = Rounding::none;
  bool ftz = false;
  bool sat = false;
  bool nan = false;
  bool relu = false;  // what is negative becomes 0
  MemoryOrder order = MemoryOrder::weak;
  bool block_scope = false;   // .cta .cluster: orders memory for the block only
  bool system_scope = false;  // .sys: … for all GPUs and the host
  bool read_only = false;     // load: nothing may write these bytes while the kernel runs (.nc)
  bool carry_out = false;     // .cc
  bool negate_guard = false;
  bool negate_c = false;  // !c in setp and bar.red
  Compare compare{};
  BoolOp combine = BoolOp::none;
  // ShuffleMode, VoteMode, ReduxOp, PermuteMode, Special (clock), form of a product or one of kMove… or kTrap…
  u8 mode = 0;
  FrameOffset guard = kNoOperand;  // @p
  FrameOffset d[4] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  FrameOffset s[10] = {kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand,
                       kNoOperand, kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  s64 offset = 0;         // memory: added to the address s[0]
  s64 source_offset = 0;  // async_copy: … to s[1]
  u32 target = 0;         // branch: pc; call: index in Program::calls; branch_table: index in Program::tables
  u32 reconverge = 0;     // conditional branch: pc of the immediate post-dominator, or kNoReconvergence
};
inline constexpr u32 kNoReconvergence = 0xffffffffu;

// A load that is counted as in flight until an instruction needs its result.
constexpr bool is_global_load(const Instruction& in) {
  return in.shape == Shape::load && in.space == Space::global;
}
// Whether the instruction itself may access global memory. (A called function's accesses are not the call's own.)
constexpr bool may_access_global(const Instruction& in) {
  using enum ShapeFacts::Memory;
  const ShapeFacts& facts = facts_of(in.shape);
  const bool is_global = in.space == Space::global || in.space == Space::generic;
  return facts.reads == global || facts.writes == global ||
         (is_global && (facts.reads == addressed || facts.writes == addressed));
}
constexpr bool may_write_global(const Instruction& in) {
  const bool is_global = in.space == Space::global || in.space == Space::generic;
  return facts_of(in.shape).writes == ShapeFacts::Memory::global || (is_global && writes_addressed(in.shape));
}

struct SourceLine {
  u16 file = 0;    // index in Program::files
  u16 column = 0;  // 1-based, 0 unknown
  u32 line = 0;    // 1-based, 0 unknown
  u32 call = 0;    // where the compiler put it in place of a call: 1 + index in Program::inlined_calls
};

struct ParamVar {
  std::string name;
  FrameOffset frame = 0;     // lane 0
  u32 size = 0, stride = 0;  // bytes; stride 0: one copy for all lanes
};

// A value that a fresh frame holds: lane i gets value + i × lane_stride, plus an address where `base` says so.
struct Constant {
  enum class Base : u8 {
    none,
    variable,  // of Program::variables[variable]: global and constant memory; known when the module is loaded
    shared,    // of the same in the launched kernel's shared memory
    local,     // of the call's local memory
    function,  // of Program::functions[variable]; known when the module is loaded
  };
  FrameOffset frame = 0;
  u32 bytes = 4;  // 2, 4 or 8 per lane; 0: one Mask, a predicate's
  Base base = Base::none;
  u32 variable = 0;
  u64 value = 0, lane_stride = 0;
};
enum class Special : u8 {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  clock,
  clock_hi,
  clock64,
  globaltimer,  // read afresh by each mov
};
struct SpecialValue {
  FrameOffset frame;
  Special which;
  u32 bytes;  // per lane: 4, or 8 for %gridid
};

// Why a function cannot run: an error in its text, or an instruction that is not simulated.
struct Problem {
  SourceLine at;  // of the CUDA source; line 0: unknown
  u32 ptx_line = 0;
  std::string what;  // "'cp.async' is not simulated"
};

struct Function {
  std::string name;
  bool is_kernel = false;
  u32 begin = 0, end = 0;  // code [begin, end)
  u32 frame_bytes = 0;
  u32 registers = 0;            // virtual registers, in 32-bit units
  u32 local_bytes = 0;          // local memory of one call
  u32 static_shared_bytes = 0;  // kernels: with what they call
  u32 max_threads = 1024;       // .maxntid
  bool bounds_threads = false;  // .maxntid is given: a block of that many threads must have enough registers
  u32 min_blocks = 0;           // .minnctapersm: blocks that a multiprocessor must have room for; 0: not said
  u32 max_registers = 255;      // .maxnreg: of a thread
  std::vector<ParamVar> params, results;
  std::vector<Constant> constants;
  std::vector<SpecialValue> specials;
  s32 host_call =
      -1;  // for a host function whose address is taken: the entry of Program::calls that names it, or -1
  u32 ptx_line = 0;               // where its body begins
  std::vector<Problem> problems;  // not empty: the function has no code and cannot be called
};

struct CallSite {
  std::string callee;
  s32 function =
      -1;  // index in Program::functions; -1: a host function (execution/builtins), or not known before it is made
  bool by_address = false;                   // s[0] holds the function's address, for each lane
  std::vector<ParamVar> arguments, results;  // in the caller's frame
  bool is_host() const { return function < 0 && !by_address; }
  // Whether a function, or a prototype, has parameters and results of the sizes that this call passes.
  bool fits(const std::vector<ParamVar>& params, const std::vector<ParamVar>& of_results) const;
  bool fits(const Function& f) const { return fits(f.params, f.results); }
};

// A module-scope variable in global, constant or shared space.
struct Variable {
  std::string name;
  Space space = Space::global;
  u32 align = 1;
  u64 size = 0;
  bool is_extern = false;  // extern shared: dynamic shared memory; others are errors when used
  u32 ptx_line = 0;
  u64 address = 0;  // global, constant: set when the module is loaded; shared: offset in the block
  std::vector<u8> init;
  struct Pointer {  // init holds the address of another variable, or of a function, at `at`
    u64 at;
    std::string symbol;
    s64 addend;
  };
  std::vector<Pointer> pointers;
};

struct Program {
  std::vector<Instruction> code;
  std::vector<SourceLine> lines;          // as long as code
  std::vector<SourceLine> inlined_calls;  // each with the call around it, if any
  std::vector<std::string> files;
  std::vector<Function> functions;
  std::vector<CallSite> calls;
  std::vector<u32> address_taken;        // functions that a call by address may reach, ascending
  std::vector<std::vector<u32>> tables;  // brx.idx targets
  std::vector<Variable> variables;
  std::string compiler;  // that made the PTX, "clang 14"; empty: not said
  std::vector<std::string>
      notes;                  // what simcc wrote at the end of the text, a line each: "kernels.cu:12:5: …"
  std::vector<u32> nounroll;  // where a loop begins that must stay one (.pragma "nounroll"), ascending

  const Function* function_at(u32 pc) const;
  // "file:line:column" of an instruction, or the function's name where the compiler gave no line.
  std::string where(u32 pc) const;
  std::string where(const SourceLine&) const;  // empty: unknown
  // The calls that inlining replaced around an instruction, innermost first.
  std::vector<SourceLine> callers(u32 pc) const;
  std::string text(const Problem&) const;  // "file:line:column: what", or "ptx line 12: what"
};

const char* mnemonic(Op);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
