#include "native/emit.h"

#include <algorithm>
#include <sstream>

#include "device/exec.h"
#include "device/module.h"
#include "device/straight.h"
#include "observers/counters.h"

namespace gpusim {
namespace {

struct OpName {
  const char *name, *shape;
};
constexpr OpName kOpNames[] = {
#define OP(name, mnemonic, shape, types, modifiers) {#name, #shape},
#include "ptx/opcodes.def"
#undef OP
};

template <class T> std::string list(const T& values) {
  std::string text = "{";
  for (const auto& v : values) text += std::to_string(v) + "u, ";
  return text + "}";
}

// The instruction as a constant: all members of struct Instruction, in their order.
std::string constant(u32 pc, const Instruction& in) {
  std::ostringstream text;
  const auto put = [&](const char* type, auto v) { text << type << "(" << s64(v) << "), "; };
  text << "constexpr Instruction i" << pc << " = {";
  put("Op", in.op);
  put("Shape", in.shape);
  put("Type", in.type);
  put("Type", in.dest_type);
  put("Space", in.space);
  put("u8", in.vector);
  put("u8", in.d_bytes);
  put("u8", in.s_bytes);
  put("u8", in.address_bytes);
  put("u8", in.source_address_bytes);
  put("Rounding", in.rounding);
  put("bool", in.ftz);
  put("bool", in.sat);
  put("bool", in.nan);
  put("MemoryOrder", in.order);
  put("bool", in.block_scope);
  put("bool", in.system_scope);
  put("bool", in.carry_out);
  put("bool", in.negate_guard);
  put("bool", in.negate_c);
  put("Compare", in.compare);
  put("BoolOp", in.combine);
  put("u8", in.mode);
  put("FrameOffset", in.guard);
  text << list(in.d) << ", " << list(in.s) << ", ";
  text << "s64(u64(" << u64(in.offset) << "u)), s64(u64(" << u64(in.source_offset) << "u)), ";
  put("u32", in.target);
  put("u32", in.reconverge);
  return text.str() + "};\n";
}

class Emitter {
 public:
  Emitter(const LoadedModule& m, const Function& f)
      : m_(m),
        f_(f),
        code_(m.code.code),
        lanes_meet_(where_lanes_meet(m.code)),
        is_entry_(code_.size() + 1) {}

  NativeText text() {
    find_entries();
    for (u32 pc = f_.begin; pc < f_.end;) pc = is_entry_[pc] ? write_block(pc) : pc + 1;
    std::ostringstream all;
    all << "#include \"native/steps.h\"\nusing namespace gpusim;\nusing N = NativeSteps;\nnamespace {\n"
        // What is compiled here works on the objects of a library that another compiler has made.
        << "static_assert(sizeof(Executor) == " << sizeof(Executor)
        << " && sizeof(LaunchCounters) == " << sizeof(LaunchCounters)
        << " && sizeof(Block) == " << sizeof(Block) << " && sizeof(Instruction) == " << sizeof(Instruction)
        << ", \"the library was made with other options\");\n"
        << constants_.str() << "}\nextern \"C\" [[gnu::visibility(\"default\")]] u32 " << kNativeName
        << "(NativeCall& c, u32 pc) {\n  u8* const frame = c.frame;\n  switch (pc) {\n";
    for (u32 pc = f_.begin; pc < f_.end; ++pc)
      if (is_entry_[pc]) all << "    case " << pc << ": goto L" << pc << ";\n";
    all << "    default: return pc;\n  }\n" << body_.str() << "}\n";
    is_entry_.resize(code_.size());
    return {all.str(), is_entry_};
  }

 private:
  // What the interpreter alone executes: what waits for other lanes, or is seen by other threads in an order.
  bool is_native(u32 pc) const {
    const Instruction& in = code_[pc];
    const bool moves_rows = m_.row_move[pc] && in.order == MemoryOrder::weak && in.guard == kNoOperand &&
                            in.space != Space::local && in.space != Space::param;
    return m_.lane_function[pc] || in.shape == Shape::branch || moves_rows;
  }
  bool is_branch(u32 pc) const { return code_[pc].shape == Shape::branch; }

  void find_entries() {
    is_entry_[f_.begin] = true;
    for (u32 pc = f_.begin; pc < f_.end; ++pc) {
      const Instruction& in = code_[pc];
      if (is_branch(pc)) is_entry_[in.target] = true;
      if (in.shape == Shape::branch_table)
        for (u32 target : m_.code.tables[in.target]) is_entry_[target] = true;
      if (lanes_meet_[pc]) is_entry_[pc] = true;
      if (is_branch(pc) || !is_native(pc)) is_entry_[pc + 1] = true;
    }
    for (u32 pc = 0; pc < is_entry_.size(); ++pc)
      if (is_entry_[pc]) is_entry_[pc] = pc >= f_.begin && pc < f_.end && is_native(pc);
  }

  std::string go_to(u32 pc) const {
    return is_entry_[pc] ? "goto L" + std::to_string(pc) + ";" : "return " + std::to_string(pc) + ";";
  }

  // From an entry to what follows the last instruction that is surely executed, too.
  u32 write_block(u32 begin) {
    u32 end = begin + 1;
    while (end < f_.end && !is_entry_[end] && is_native(end)) ++end;
    body_ << "L" << begin << ":\n";
    if (lanes_meet_[begin]) body_ << "  if (N::meets_others(c, " << begin << ")) return " << begin << ";\n";
    body_ << "  if (!N::begin(c, " << end - begin << ")) return " << begin << ";\n";
    u32 told = begin;  // issues, so far
    for (u32 pc = begin; pc < end; ++pc) {
      constants_ << constant(pc, code_[pc]);
      if (is_branch(pc)) write_branch(pc);
      else if (m_.lane_function[pc]) write_lanes(pc, end, told);
      else write_access(pc);
    }
    if (!is_branch(end - 1)) body_ << "  " << go_to(end) << "\n";
    return end;
  }

  std::string guard(const Instruction& in) const {
    return (in.negate_guard ? "~N::predicate(c, " : "N::predicate(c, ") + std::to_string(in.guard) + "u)";
  }

  void write_branch(u32 pc) {
    const Instruction& in = code_[pc];
    if (in.guard == kNoOperand) {
      body_ << "  N::issue(c, " << pc << ", kAllLanes);\n  " << go_to(in.target) << "\n";
      return;
    }
    body_ << "  {\n    const Mask taken = " << guard(in)
          << ";\n    if (taken == kAllLanes) {\n      N::branch(c, " << pc << ", taken);\n      "
          << go_to(in.target) << "\n    } else if (taken == 0) {\n      N::branch(c, " << pc
          << ", taken);\n      " << go_to(pc + 1) << "\n    } else {\n      ++c.left;\n      return " << pc
          << ";\n    }\n  }\n";
  }

  void write_lanes(u32 pc, u32 end, u32& told) {
    const Instruction& in = code_[pc];
    if (in.guard != kNoOperand) {
      body_ << "  N::guarded(c, " << pc << ", i" << pc << ", " << guard(in) << ");\n";
      return;
    }
    const OpName& op = kOpNames[u16(in.op)];
    constants_ << "constexpr LaneFunction f" << pc << " = lane_ops_native::bind_shape<Shape::" << op.shape
               << ", semantics::" << op.name << ">(i" << pc << ");\n";
    if (pc >= told) {
      const u32 run = std::min(m_.straight_run[pc], end - pc);
      body_ << "  N::issue_run(c, " << pc << ", " << run << ");\n";
      told = pc + run;
    }
    body_ << "  f" << pc << "(i" << pc << ", frame, kAllLanes);\n";
  }

  void write_access(u32 pc) {
    const bool loads = code_[pc].shape == Shape::load;
    constants_ << "constexpr RowMover m" << pc << " = lane_ops_native::row_mover(i" << pc << ");\n";
    body_ << "  N::access<AccessKind::" << (loads ? "load" : "store") << ">(c, " << pc << ", i" << pc << ", m"
          << pc << ");\n";
  }

  const LoadedModule& m_;
  const Function& f_;
  const std::vector<Instruction>& code_;
  const std::vector<bool> lanes_meet_;
  std::vector<bool> is_entry_;
  std::ostringstream constants_, body_;
};

}  // namespace

NativeText native_text(const LoadedModule& m, const Function& f) { return Emitter(m, f).text(); }

}  // namespace gpusim
