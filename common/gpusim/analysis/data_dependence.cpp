#include "analysis/data_dependence.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "analysis/reachable.h"
#include "ptx/cfg.h"
#include "ptx/parameter_bytes.h"

namespace gpusim {
namespace {

// Why a value depends on data, as far as it does.
enum class Source : u8 { nothing, memory, atomic, clock, processor, active_lanes, call, no_value };

const char* words_for(Source s) {
  switch (s) {
    case Source::nothing: break;
    case Source::memory: return "memory";
    case Source::atomic: return "the result of an atomic";
    case Source::clock: return "a clock";
    case Source::processor: return "where on the GPU it runs (%smid, %warpid …)";
    case Source::active_lanes: return "which lanes happen to run together (__activemask())";
    case Source::call: return "a function that is called";
    case Source::no_value: return "a variable that may have no value yet";
  }
  return "nothing";
}

// Which special registers differ between launches with the same arguments.
Source source_of(Special s) {
  switch (s) {
    case Special::tid_x:
    case Special::tid_y:
    case Special::tid_z:
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
    case Special::laneid:
    case Special::lanemask_eq:
    case Special::lanemask_le:
    case Special::lanemask_lt:
    case Special::lanemask_ge:
    case Special::lanemask_gt:
    case Special::dynamic_smem_size:
    case Special::total_smem_size: return Source::nothing;
    case Special::warpid:
    case Special::nwarpid:
    case Special::smid:
    case Special::nsmid:
    case Special::gridid: return Source::processor;
    case Special::clock:
    case Special::clock_hi:
    case Special::clock64:
    case Special::globaltimer: return Source::clock;
  }
  return Source::processor;
}

using ComputesNumbers = bool (*)(std::string_view);

// The kind of an atomic that gives the same result in any order, as long as all of them are of that kind and no thread reads
// what they return: additions, minima … of whole numbers. Nothing: the order matters.
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
        graph_(ptx::build_graph(program, f.begin, f.end)) {
    for (u32 pc = f.begin; pc < f.end; ++pc) passes_parameters_ |= program.code[pc].shape == Shape::call;
    find_written();
    find_without_value();
    for (const SpecialValue& s : f.specials) taint(s.frame, source_of(s.which));
    do {
      changed_ = false;
      for (u32 pc = f.begin; pc < f.end; ++pc) {
        const Instruction& in = program.code[pc];
        Source made = result_of(in);
        if (made == Source::nothing) made = source(in.guard);
        if (made == Source::nothing) continue;
        for (const FrameOffset d : in.d)
          if (d != kNoOperand) taint(d, made);
      }
    } while (changed_);
  }

  std::optional<CodeFact> obstacle() const {
    for (u32 pc = function_.begin; pc < function_.end; ++pc)
      if (is_reached(pc))
        if (std::string what = obstacle_at(program_.code[pc]); !what.empty()) return CodeFact{pc, what};
    return std::nullopt;
  }
  // The first that reads a register that may have no value.
  std::optional<CodeFact> without_value() const { return without_value_; }
  // The first that uses what no two runs need to agree on, whatever memory holds: a clock, %smid, __activemask().
  std::optional<CodeFact> of_this_run() const {
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (!is_reached(pc)) continue;
      if (in.shape == Shape::clock) return CodeFact{pc, "reads a clock"};
      if (in.shape == Shape::activemask) return CodeFact{pc, "asks which lanes happen to run together"};
      for (const FrameOffset s : in.s)
        for (const SpecialValue& special : function_.specials)
          if (special.frame == s && source_of(special.which) != Source::nothing)
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
  bool is_reached(u32 pc) const { return is_reached_[block_of(pc)]; }

 private:
  u32 block_of(u32 pc) const {
    return u32(std::ranges::upper_bound(graph_.start, pc) - graph_.start.begin()) - 1;
  }

  // ---- Which registers may be read before they are written
  void find_written() {
    for (u32 pc = function_.begin; pc < function_.end; ++pc)
      for (const FrameOffset d : program_.code[pc].d)
        if (d != kNoOperand) number_.emplace(d, u32(number_.size()));
  }
  bool has_value_from_the_start(FrameOffset reg) const {
    return std::ranges::find(function_.constants, reg, &Constant::frame) != function_.constants.end() ||
           std::ranges::find(function_.specials, reg, &SpecialValue::frame) != function_.specials.end();
  }
  // Forwards until nothing changes: a register has a value where it has one on all ways there.
  void find_without_value() {
    using Set = std::vector<bool>;
    const std::size_t blocks = graph_.start.size() - 1;
    std::vector<std::optional<Set>> at_begin(blocks + 1);  // nothing: not reached yet
    at_begin[0] = Set(number_.size());
    const auto through = [&](Set& set, u32 pc, auto reads) {
      const Instruction& in = program_.code[pc];
      for (const FrameOffset s : in.s) reads(s);
      reads(in.guard);
      if (in.guard != kNoOperand) return;
      for (const FrameOffset d : in.d)
        if (d != kNoOperand) set[number_.at(d)] = true;
    };
    std::vector<u32> open{0};
    while (!open.empty()) {
      const u32 block = open.back();
      open.pop_back();
      if (block >= blocks) continue;
      Set set = *at_begin[block];
      for (u32 pc = graph_.start[block]; pc < graph_.start[block + 1]; ++pc)
        through(set, pc, [](FrameOffset) {});
      for (const u32 next : graph_.successors[block]) {
        std::optional<Set>& known = at_begin[next];
        Set both = set;
        if (known)
          for (std::size_t k = 0; k < both.size(); ++k) both[k] = both[k] && (*known)[k];
        if (known && both == *known) continue;
        known = std::move(both);
        open.push_back(next);
      }
    }
    is_reached_.resize(blocks);
    for (u32 block = 0; block < blocks; ++block) {
      is_reached_[block] = at_begin[block].has_value();
      if (!at_begin[block]) continue;
      Set set = *at_begin[block];
      for (u32 pc = graph_.start[block]; pc < graph_.start[block + 1]; ++pc)
        through(set, pc, [&](FrameOffset reg) {
          if (reg == kNoOperand || has_value_from_the_start(reg)) return;
          const auto written = number_.find(reg);
          if (written != number_.end() && set[written->second]) return;
          taint(reg, Source::no_value);
          if (!without_value_) without_value_ = CodeFact{pc, "uses a variable that may have no value yet"};
        });
    }
  }

  // ---- Which registers depend on data
  Source source(FrameOffset reg) const {
    if (reg == kNoOperand) return Source::nothing;
    const auto known = depends_.find(reg);
    return known == depends_.end() ? Source::nothing : known->second;
  }
  void taint(FrameOffset reg, Source s) {
    if (s != Source::nothing) changed_ |= depends_.emplace(reg, s).second;
  }
  Source any_of(std::span<const FrameOffset> registers) const {
    for (const FrameOffset reg : registers)
      if (const Source s = source(reg); s != Source::nothing) return s;
    return Source::nothing;
  }
  // Of what an instruction gives.
  Source result_of(const Instruction& in) const {
    switch (in.shape) {
      case Shape::load: return loaded(in);
      case Shape::atomic: return Source::atomic;
      case Shape::mbarrier:
      case Shape::matrix_load: return Source::memory;
      case Shape::call: return Source::call;
      case Shape::activemask: return Source::active_lanes;
      case Shape::clock: return Source::clock;
#define LANE_SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
      case Shape::matrix_multiply:
      case Shape::shuffle:
      case Shape::vote:
      case Shape::match:
      case Shape::redux:
      case Shape::barrier_red: return any_of(in.s);
      // These give nothing.
      case Shape::branch:
      case Shape::branch_table:
      case Shape::leave:
      case Shape::store:
      case Shape::reduction:
      case Shape::async_copy:
      case Shape::async_group:
      case Shape::fence:
      case Shape::hint:
      case Shape::warp_barrier:
      case Shape::barrier:
      case Shape::barrier_arrive:
      case Shape::sleep: return Source::nothing;
    }
    return Source::memory;
  }
  // A kernel's arguments are the same for all launches that a proof is about. Those of another function are not
  // followed from call to call, and neither is what a call gives back, which is read from a parameter as well.
  Source loaded(const Instruction& in) const {
    if (in.space != Space::param) return Source::memory;
    if (!function_.is_kernel) return Source::call;
    if (loaded_parameter(function_, in, u64(size_of(in.type)) * in.vector)) return Source::nothing;
    return passes_parameters_ ? Source::call : source(in.s[0]);
  }

  // ---- What an instruction may do otherwise for other data; empty: nothing
  std::string obstacle_at(const Instruction& in) const {
    const auto depends = [this](FrameOffset reg, const char* does) {
      const Source s = source(reg);
      return s == Source::nothing ? std::string() : std::string(does) + words_for(s);
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
      case Shape::branch: return depends(in.guard, "branches by ");
      case Shape::branch_table:
        return first({depends(in.guard, "branches by "), depends(in.s[0], "branches by ")});
      case Shape::leave: return depends(in.guard, "leaves by ");
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
    // One prints, the other ends the launch: no thread sees that another one did.
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
  const ptx::Graph graph_;
  bool passes_parameters_ = false, changed_ = false;
  std::map<FrameOffset, u32> number_;  // of the registers that are written
  std::map<FrameOffset, Source> depends_;
  std::vector<bool> is_reached_;  // by block
  std::optional<CodeFact> without_value_;
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
    if (!found.obstacle) found.obstacle = of.obstacle();
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
