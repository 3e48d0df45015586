#include "jit/emit.h"

#include <algorithm>
#include <sstream>
#include <type_traits>

#include "analysis/straight.h"
#include "analysis/uniformity.h"
#include "counting/counters.h"
#include "execution/exec.h"
#include "execution/module.h"
#include "jit/divergence.h"
#include "jit/segments.h"
#include "lanes/shuffle_sources.h"

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

// A member of an instruction in C++.
template <class T> std::string initialiser(const char* type, T value) {
  return std::string(type) + "(" + std::to_string(s64(value)) + ")";
}
std::string initialiser(const char*, s64 value) { return "s64(u64(" + std::to_string(u64(value)) + "u))"; }
template <std::size_t n> std::string initialiser(const char*, const FrameOffset (&operands)[n]) {
  std::string text = "{";
  for (const FrameOffset each : operands) text += std::to_string(each) + "u, ";
  return text + "}";
}

// The instruction as a constant.
std::string constant(u32 pc, const Instruction& in) {
  std::string text = "constexpr Instruction i" + std::to_string(pc) + " = {";
#define MEMBER(type, name, value) text += initialiser(#type, in.name) + ", ";
#define OPERANDS(name, ...) text += initialiser("FrameOffset", in.name) + ", ";
#include "ptx/instruction.def"
#undef MEMBER
#undef OPERANDS
  return text + "};\n";
}

const char* text_of(Uniformity values) {
  switch (values) {
    case Uniformity::uniform: return "Uniformity::uniform";
    case Uniformity::affine: return "Uniformity::affine";
    case Uniformity::wide_affine: return "Uniformity::wide_affine";
    case Uniformity::scaled_wide_affine: return "Uniformity::scaled_wide_affine";
    case Uniformity::unknown: return "Uniformity::unknown";
  }
  return "";
}

constexpr char kAll[] = "kAllLanes";

class Emitter {
 public:
  Emitter(const LoadedModule& m, const Function& f)
      : m_(m),
        f_(f),
        code_(m.code.code),
        lanes_meet_(where_lanes_meet(m.code)),
        divergence_(find_divergence(m, f)),
        lane_values_(m.code, f, divergence_.is_of_parts),
        is_entry_(code_.size() + 1),
        has_constant_(code_.size()),
        segments_(code_.size()) {}

  NativeText text() {
    find_entries();
    for (u32 pc = f_.begin; pc < f_.end;) pc = is_entry_[pc] ? write_block(pc) : pc + 1;
    std::ostringstream all;
    all << "#include \"jit/steps.h\"\nusing namespace gpusim;\nusing N = NativeSteps;\nnamespace {\n"
        // What is compiled here works on the objects of a library that another compiler has made.
        << "static_assert(sizeof(Executor) == " << sizeof(Executor)
        << " && sizeof(Counters) == " << sizeof(Counters)
        << " && sizeof(NativeCall) == " << sizeof(NativeCall)
        << " && sizeof(Instruction) == " << sizeof(Instruction)
        << ", \"the library was made with other options\");\n"
        << constants_.str() << "}\nextern \"C\" [[gnu::visibility(\"default\")]] u32 " << kNativeName
        << "(NativeCall& c, u32 pc) {\n  u8* frame;\ngo_on:\n  frame = c.frame;\n  switch (pc) {\n";
    for (u32 pc = f_.begin; pc < f_.end; ++pc)
      if (is_entry_[pc]) all << "    case " << pc << ": goto L" << pc << ";\n";
    all << "    default: return pc;\n  }\n" << body_.str() << "}\n";
    is_entry_.resize(code_.size());
    return {all.str(), is_entry_, segments_};
  }

 private:
  // ---- What is native. The interpreter alone executes what other threads see in an order, what calls, and what leaves.
  bool is_branch(u32 pc) const { return code_[pc].shape == Shape::branch; }
  bool is_conditional(u32 pc) const { return is_branch(pc) && code_[pc].guard != kNoOperand; }
  bool is_guarded(u32 pc) const { return !is_branch(pc) && code_[pc].guard != kNoOperand; }
  bool moves(u32 pc) const { return m_.row_move[pc] && !m_.lane_function[pc]; }
  bool is_generic(u32 pc) const { return moves(pc) && code_[pc].space == Space::generic; }
  bool meets(u32 pc) const { return code_[pc].guard == kNoOperand && meets_lanes_of_mask(code_[pc].shape); }
  bool is_barrier(u32 pc) const { return code_[pc].shape == Shape::barrier && code_[pc].guard == kNoOperand; }
  bool is_exit(u32 pc) const { return gpusim::is_exit(code_[pc]); }
  bool is_native(u32 pc) const {
    return is_of_some_lanes(m_, pc) || meets(pc) || is_barrier(pc) || is_exit(pc);
  }

  void find_entries() {
    is_entry_[f_.begin] = true;
    for (u32 pc = f_.begin; pc < f_.end; ++pc) {
      const Instruction& in = code_[pc];
      if (is_branch(pc)) is_entry_[in.target] = true;
      if (in.shape == Shape::branch_table)
        for (u32 target : m_.code.tables[in.target]) is_entry_[target] = true;
      if (lanes_meet_[pc]) is_entry_[pc] = true;
      if (is_branch(pc) || is_barrier(pc) || is_exit(pc) || !is_native(pc)) is_entry_[pc + 1] = true;
    }
    for (u32 pc = 0; pc < is_entry_.size(); ++pc)
      if (is_entry_[pc]) is_entry_[pc] = pc >= f_.begin && pc < f_.end && is_native(pc);
  }

  std::string go_to(u32 pc) const {
    return is_entry_[pc] ? "goto L" + std::to_string(pc) + ";" : "return " + std::to_string(pc) + ";";
  }

  // ---- All lanes: from an entry to what follows the last instruction that is surely executed, too.
  u32 write_block(u32 begin) {
    u32 end = begin + 1;
    const auto ends_at = [&](u32 pc) { return is_branch(pc) || is_barrier(pc) || is_exit(pc); };
    while (end < f_.end && !ends_at(end - 1) && !is_entry_[end] && is_native(end)) ++end;
    body_ << "L" << begin << ":\n";
    if (lanes_meet_[begin]) body_ << "  if (N::meets_others(c, " << begin << ")) return " << begin << ";\n";
    for (u32 pc = begin; pc < end;) pc = write_segment(pc, end, kAll);
    if (!ends_at(end - 1)) body_ << "  " << go_to(end) << "\n";
    return end;
  }

  // The first segment of [begin, end), for the lanes of the mask. Its end.
  u32 write_segment(u32 begin, u32 end, const std::string& mask) {
    const bool is_alone = is_guarded(begin) || is_generic(begin);
    u32 stop = begin + 1;
    while (!is_alone && stop < end && !is_guarded(stop) && !is_generic(stop)) ++stop;
    const bool is_whole = mask == kAll;
    if (is_whole) body_ << "  if (!N::begin(c, " << stop - begin << ")) return " << begin << ";\n";
    else body_ << "  c.left -= " << stop - begin << ";\n";
    if (is_guarded(begin)) {
      write_guarded(begin, mask);
      return stop;
    }
    segments_[begin] = stop - begin;
    const std::string range = std::to_string(begin) + ", " + std::to_string(stop);
    if (is_generic(begin)) body_ << "  N::await(c, " << range << ", " << mask << ");\n";
    for (u32 pc = begin; pc < stop; ++pc) {
      if (is_conditional(pc) && is_whole) return write_branch(begin, pc), stop;
      write_instruction(begin, pc, stop, mask);
    }
    write_counts(begin, stop, mask);
    if (is_exit(stop - 1) && is_whole) write_turn_over(stop - 1, "at_exit");
    if (is_barrier(stop - 1)) write_turn_over(stop - 1, "at_barrier");
    if (is_branch(stop - 1) && is_whole) body_ << "  " << go_to(code_[stop - 1].target) << "\n";
    return stop;
  }

  void write_turn_over(u32 pc, const std::string& why) {
    body_ << "  if (!c.help.take_turn_over(c, " << pc << ", NativeStop::" << why << ")) return " << pc
          << ";\n  pc = c.fragment->pc;\n  goto go_on;\n";
  }
  void write_counts(u32 begin, u32 end, const std::string& mask) {
    body_ << "  N::count(c, " << begin << ", " << mask << ");\n";
    if (is_generic(begin)) return;
    const SegmentLoads loads = loads_of_segment(m_.code, begin, end);
    const std::string await =
        "c.help.await(c, " + std::to_string(begin) + ", " + std::to_string(end) + ", " + mask + ");";
    if (!loads.is_simple) {
      body_ << "  if (c.counting.counters) " << await << "\n";
      return;
    }
    body_ << "  if (c.waits) [[unlikely]] " << await << "\n";
    if (loads.awaited.empty() && loads.in_flight.empty()) return;
    body_ << "  else {\n";
    for (const auto& [pc, count] : loads.awaited)
      body_ << "    N::awaited(c, " << pc << ", " << count << ");\n";
    for (const u32 pc : loads.in_flight) body_ << "    c.help.loaded(c, " << pc << ", " << mask << ");\n";
    body_ << "  }\n";
  }

  std::string guard(u32 pc) const {
    const Instruction& in = code_[pc];
    return (in.negate_guard ? "~N::predicate(c, " : "N::predicate(c, ") + std::to_string(in.guard) + "u)";
  }

  // The last of a segment of all lanes.
  void write_branch(u32 begin, u32 pc) {
    const Instruction& in = code_[pc];
    const std::string stop = "return N::stop(c, " + std::to_string(begin) + ", " + std::to_string(pc) + ", " +
                             std::to_string(pc + 1) + ");";
    body_ << "  {\n  const Mask taken = " << guard(pc) << ";\n  if (taken != 0 && taken != kAllLanes) {\n";
    if (const u32 most = divergence_.most[pc]) {
      const bool leaves = in.reconverge == kNoReconvergence;
      body_ << "  if (c.left < " << most << (leaves ? " || c.fragment->join >= 0" : "") << ") " << stop
            << "\n";
      write_counts(begin, pc + 1, kAll);
      body_ << "  N::branch(c, " << pc << ", kAllLanes, taken);\n";
      write_ways(pc, "~taken", "taken");
      if (leaves) write_turn_over(pc, "has_left");
      else body_ << "  N::meet(c);\n  " << go_to(in.reconverge) << "\n";
      body_ << "  }\n";
    } else {
      body_ << "  " << stop << "\n  }\n";
    }
    write_counts(begin, pc + 1, kAll);
    body_ << "  N::branch(c, " << pc << ", kAllLanes, taken);\n  if (taken) " << go_to(in.target) << "\n  "
          << go_to(pc + 1) << "\n  }\n";
  }

  // ---- Some lanes.
  void write_ways(u32 branch, const std::string& others, const std::string& jump) {
    const Instruction& in = code_[branch];
    write_way(branch + 1, in.reconverge, others);
    write_way(in.target, in.reconverge, jump);
  }
  void write_way(u32 pc, u32 end, const std::string& lanes) {
    if (pc == end) return;
    const std::string mask = "m" + std::to_string(masks_++);
    body_ << "  if (const Mask " << mask << " = " << lanes << ") {\n  N::are_not_all(" << mask << ");\n";
    while (pc != end) {
      u32 stop = pc + 1;
      while (stop != end && !is_branch(stop - 1) && !is_exit(stop - 1) && !is_entry_[stop]) ++stop;
      for (u32 at = pc; at < stop;) at = write_segment(at, stop, mask);
      const Instruction& last = code_[stop - 1];
      if (is_exit(stop - 1)) {
        body_ << "  c.help.leave(c, " << stop - 1 << ", " << mask << ");\n";
        break;
      }
      pc = !is_branch(stop - 1) ? stop : last.guard == kNoOperand ? last.target : last.reconverge;
      if (!is_conditional(stop - 1)) continue;
      const std::string taken = "t" + std::to_string(masks_++);
      body_ << "  const Mask " << taken << " = " << mask << " & " << guard(stop - 1) << ";\n  N::branch(c, "
            << stop - 1 << ", " << mask << ", " << taken << ");\n";
      write_ways(stop - 1, mask + " & ~" + taken, taken);
    }
    body_ << "  }\n";
  }

  // ---- Instructions.
  void write_constant(u32 pc) {
    if (has_constant_[pc]) return;
    has_constant_[pc] = true;
    constants_ << constant(pc, code_[pc]);
    const OpName& op = kOpNames[u16(code_[pc].op)];
    if (m_.lane_function[pc])
      constants_ << "constexpr LaneFunction f" << pc << " = lane_ops_native::bind_shape<Shape::" << op.shape
                 << ", semantics::" << op.name << ">(i" << pc << ");\n";
    else if (moves(pc))
      constants_ << "constexpr RowMover m" << pc << " = lane_ops_native::row_mover(i" << pc << ");\n";
  }

  void write_instruction(u32 begin, u32 pc, u32 end, const std::string& mask) {
    if (m_.lane_function[pc]) {
      write_constant(pc);
      body_ << "  f" << pc << "(i" << pc << ", frame, " << mask << ");\n";
    } else if (moves(pc)) {
      write_access(std::to_string(begin), pc, mask);
    } else if (meets(pc) && !write_shuffle(pc)) {
      body_ << "  if (!c.help.meet(c, " << pc << ")) return N::stop(c, " << begin << ", " << pc << ", " << end
            << ");\n";
    }
  }

  // True: it is a shuffle whose lanes are known.
  bool write_shuffle(u32 pc) {
    const Instruction& in = code_[pc];
    if (in.shape != Shape::shuffle) return false;
    const auto b = lane_values_.constant(in.s[1]), c = lane_values_.constant(in.s[2]),
               members = lane_values_.constant(in.s[3]);
    if (!b || !c || !members) return false;
    u32 all_b[kWarpSize], all_c[kWarpSize], from[kWarpSize];
    std::ranges::fill(all_b, u32(*b));
    std::ranges::fill(all_c, u32(*c));
    const Mask inside = find_sources(ShuffleMode(in.mode), all_b, all_c, from);
    write_constant(pc);
    body_ << "  N::shuffle<";
    for (u32 lane = 0; lane < kWarpSize; ++lane) body_ << (lane ? ", " : "") << from[lane];
    body_ << ">(c, " << pc << ", i" << pc << ", " << u32(*members) << "u, " << inside << "u);\n";
    return true;
  }

  void write_guarded(u32 pc, const std::string& mask) {
    body_ << "  if (const Mask g = " << mask << " & " << guard(pc) << ") {\n    c.help.issue(c, " << pc
          << ", g);\n";
    if (m_.lane_function[pc]) {
      body_ << "    N::some(c, " << pc << ", g);\n";
    } else {
      write_access("kCounted", pc, "g");
      if (is_global_load(code_[pc])) body_ << "    c.help.loaded(c, " << pc << ", g);\n";
    }
    body_ << "  }\n";
  }

  void write_access(const std::string& begin, u32 pc, const std::string& mask) {
    write_constant(pc);
    const Instruction& in = code_[pc];
    body_ << "  N::access<AccessKind::" << (in.shape == Shape::load ? "load" : "store") << ", "
          << text_of(lane_values_.of(in.s[0])) << ">(c, " << begin << ", " << pc << ", i" << pc << ", m" << pc
          << ", " << mask << ");\n";
  }

  const LoadedModule& m_;
  const Function& f_;
  const std::vector<Instruction>& code_;
  const std::vector<bool> lanes_meet_;
  const Divergence divergence_;
  const LaneValueTable lane_values_;
  std::vector<bool> is_entry_, has_constant_;
  std::vector<u32> segments_;
  std::ostringstream constants_, body_;
  u32 masks_ = 0;
};

}  // namespace

NativeText native_text(const LoadedModule& m, const Function& f) { return Emitter(m, f).text(); }

}  // namespace gpusim
// SPDX-License-Identifier: MIT
