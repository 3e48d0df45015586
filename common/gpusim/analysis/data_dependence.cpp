#include "analysis/data_dependence.h"

#include <algorithm>
#include <set>

#include "analysis/definite_assignment.h"
#include "analysis/reachable.h"
#include "analysis/tainted_registers.h"

namespace gpusim {
namespace {

using ComputesNumbers = bool (*)(std::string_view);

// The kind of an atomic whose result does not depend on order, provided that all atomics there are of this kind and no thread
// reads their results: integer additions, minima and the like. Nothing if the order matters.
std::optional<std::string> kind_of_update(const Instruction& in) {
  const std::string type = std::to_string(size_of(in.type));
  switch (in.op) {
    case Op::atom_add:
    case Op::red_add: return "add " + type;
    case Op::atom_and:
    case Op::red_and: return "and " + type;
    case Op::atom_or:
    case Op::red_or: return "or " + type;
    case Op::atom_xor:
    case Op::red_xor: return "xor " + type;
    case Op::atom_min:
    case Op::red_min: return (is_signed(in.type) ? "signed min " : "min ") + type;
    case Op::atom_max:
    case Op::red_max: return (is_signed(in.type) ? "signed max " : "max ") + type;
    default: return std::nullopt;  // exchanges, and those that wrap around
  }
}

class FunctionDependence {
 public:
  FunctionDependence(const Program& program, const Function& f, ComputesNumbers computes_numbers)
      : program_(program),
        function_(f),
        computes_numbers_(computes_numbers),
        assignment_(program, f),
        registers_(program, f, assignment_) {}

  void add_obstacles(std::vector<CodeFact>& all) const {
    for (u32 pc = function_.begin; pc < function_.end; ++pc)
      if (is_reached(pc))
        if (std::string what = obstacle_at(program_.code[pc]); !what.empty()) all.push_back({pc, what});
  }
  // The first that reads a register that may have no value.
  std::optional<CodeFact> without_value() const {
    const auto& reads = assignment_.reads_without_value();
    if (reads.empty()) return std::nullopt;
    return CodeFact{reads.front().pc, "uses a variable that may have no value yet"};
  }
  // The first instruction whose result may differ from run to run, whatever memory holds: a clock, %smid, __activemask().
  std::optional<CodeFact> of_this_run() const {
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (!is_reached(pc)) continue;
      if (in.shape == Shape::clock) return CodeFact{pc, "reads a clock"};
      if (in.shape == Shape::activemask) return CodeFact{pc, "asks which lanes happen to run together"};
      for (const FrameOffset s : in.s)
        for (const SpecialValue& special : function_.specials)
          if (special.frame == s && source_of(special.which) != DataSource::nothing)
            return CodeFact{pc, "asks where on the GPU it runs (%smid, %warpid …)"};
    }
    return std::nullopt;
  }
  // The first load that may be of a private array, whose elements may have no value yet.
  std::optional<CodeFact> of_private_array() const {
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      const bool may_be_local =
          in.space == Space::local || (in.space == Space::generic && function_.local_bytes > 0);
      if (in.shape == Shape::load && may_be_local && is_reached(pc))
        return CodeFact{pc, "reads a private array, whose elements may have no value yet"};
    }
    return std::nullopt;
  }
  bool is_read(FrameOffset reg) const {
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (in.guard == reg || std::ranges::find(in.s, reg) != std::end(in.s)) return true;
    }
    return false;
  }
  bool is_reached(u32 pc) const { return assignment_.is_reached(pc); }

 private:
  // What an instruction may do otherwise for other data; empty: nothing
  std::string obstacle_at(const Instruction& in) const {
    const auto depends = [this](FrameOffset reg, const char* does) {
      const DataSource s = registers_.source(reg);
      return s == DataSource::nothing ? std::string() : std::string(does) + words_for(s);
    };
    const std::string guard = depends(in.guard, "is executed or not depending on ");
    const auto first = [&](std::initializer_list<std::string> all) {
      for (const std::string& text : all)
        if (!text.empty()) return text;
      return std::string();
    };
    const auto address = [&] { return depends(in.s[0], "takes its address from "); };
    switch (in.shape) {
#define LANE_SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
      case Shape::hint:
      case Shape::sleep:
      case Shape::clock:
      case Shape::activemask: return "";  // what they give may depend on data, and nothing else
      case Shape::branch: return depends(in.guard, "branches depending on ");
      case Shape::branch_table:
        return first(
            {depends(in.guard, "branches depending on "), depends(in.s[0], "branches depending on ")});
      case Shape::leave: return depends(in.guard, "leaves the kernel depending on ");
      case Shape::call: return first({guard, called(in)});
      case Shape::load:
      case Shape::store:
        if (in.space == Space::param) return "";
        return first({guard, address(), strong(in)});
      case Shape::atomic:
      case Shape::reduction:
        if (in.op == Op::atom_cas) return "stores or not depending on what others have stored (atomicCAS)";
        return first({guard, address(), strong(in)});
      case Shape::async_copy:
      case Shape::async_group: return "copies asynchronously, which a proof does not cover yet";
      case Shape::mbarrier: return "uses a barrier in shared memory, which a proof does not cover yet";
      case Shape::fence:
        return "is a fence: threads tell each other something, which a proof does not cover yet";
      case Shape::matrix_load: return first({guard, address()});
      case Shape::matrix_multiply: return guard;
      case Shape::shuffle:
        return first({guard, depends(in.s[1], "takes its source lane from "),
                      depends(in.s[2], "takes its source lane from "),
                      depends(in.s[3], "takes its mask from ")});
      case Shape::vote:
      case Shape::match:
      case Shape::redux:
      case Shape::warp_barrier:
        return first({guard, depends(in.s[mask_operand(in.shape)], "takes its mask from ")});
      case Shape::barrier:
      case Shape::barrier_red: return first({guard, of_the_block(in)});
      case Shape::barrier_arrive: return kNamed;
    }
    return "is not known to a proof";
  }
  static constexpr const char* kNamed =
      "is a barrier other than __syncthreads(), which a proof does not cover yet";

  std::string called(const Instruction& in) const {
    const CallSite& site = program_.calls[in.target];
    if (site.by_address) return "calls a function by its address";
    // printf prints and assert ends the launch, but no thread notices that another one called them.
    const bool is_harmless = site.callee == "vprintf" || site.callee == "__assertfail";
    if (site.is_host() && !is_harmless && !computes_numbers_(site.callee))
      return "calls " + site.callee + ", which may touch memory unseen";
    return "";
  }
  static std::string strong(const Instruction& in) {
    switch (in.order) {
      case MemoryOrder::weak: return "";
      case MemoryOrder::relaxed:
        return is_atomic(in.shape) ? "" : "is a flag, which a proof does not cover yet";
      case MemoryOrder::volatile_: return "is volatile: a proof does not cover flags yet";
      case MemoryOrder::acquire:
      case MemoryOrder::release:
      case MemoryOrder::acq_rel: break;
    }
    return "acquires or releases, which a proof does not cover yet";
  }
  std::string of_the_block(const Instruction& in) const {
    const auto id = std::ranges::find_if(function_.constants, [&](const Constant& c) {
      return c.frame == in.s[0] && c.base == Constant::Base::none && c.value == 0 && c.lane_stride == 0;
    });
    const bool is_aligned = in.op == Op::bar_sync || in.op == Op::bar_cta || in.op == Op::bar_red;
    return !is_aligned || id == function_.constants.end() || in.s[1] != kNoOperand ? kNamed : "";
  }

  const Program& program_;
  const Function& function_;
  const ComputesNumbers computes_numbers_;
  const DefiniteAssignment assignment_;
  const TaintedRegisters registers_;
};

}  // namespace

DataDependence data_dependence(const Program& program, u32 kernel, ComputesNumbers computes_numbers) {
  DataDependence found;
  std::optional<CodeFact> first_update;
  std::set<std::string> kinds;
  const auto set_first = [](std::optional<CodeFact>& to, u32 pc, const char* what) {
    if (!to) to = CodeFact{pc, what};
  };
  for (const u32 index : reachable_functions(program, kernel)) {
    const Function& f = program.functions[index];
    const FunctionDependence of(program, f, computes_numbers);
    of.add_obstacles(found.obstacles);
    if (!found.differs) found.differs = of.without_value();
    if (!found.differs) found.differs = of.of_this_run();
    if (!found.differs) found.differs = of.of_private_array();
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (!is_atomic(in.shape) || !of.is_reached(pc)) continue;
      if (is_float(in.type)) {
        set_first(found.rounds, pc, "adds floats in the order in which threads happen to come");
      } else if (const auto kind = kind_of_update(in)) {
        kinds.insert(*kind);
      } else {
        set_first(found.differs, pc, "stores what depends on the order in which threads happen to come");
      }
      if (in.shape == Shape::atomic && in.d[0] != kNoOperand && of.is_read(in.d[0]))
        set_first(found.differs, pc,
                  "gives each thread what depends on the order in which threads happen to come");
      set_first(first_update, pc, "");
    }
  }
  if (kinds.size() > 1 || (!kinds.empty() && found.rounds))
    set_first(found.differs, first_update->pc, "is one of several kinds of atomics, whose order may matter");
  return found;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
