#include "timing/issue_costs.h"

#include <algorithm>
#include <unordered_set>

#include "timing/register_uses.h"

namespace gpusim::timing {
namespace {

bool is_wide(Type t) { return size_of(t) == 8; }
bool is_logic(Op op) { return op == Op::and_ || op == Op::or_ || op == Op::xor_ || op == Op::not_; }

// What a call of "__nv_expf" takes; null: nobody has measured it.
const OperationTime* library_function(const Machine& machine, std::string_view callee) {
  constexpr std::string_view kPrefix = "__nv_";
  return machine.function(callee.starts_with(kPrefix) ? callee.substr(kPrefix.size()) : callee);
}

// Functions whose code branches: for large angles, unusual numbers, or results that a float or double cannot hold. The other
// functions of constants.def are straight code (nvcc 13.0, SASS of sm_90).
bool branches_inside(std::string_view callee) {
  constexpr std::string_view kFunctions[] = {"__nv_sinf", "__nv_cosf", "__nv_powf", "__nv_exp",
                                             "__nv_log",  "__nv_sin",  "__nv_pow"};
  return std::ranges::find(kFunctions, callee) != std::end(kFunctions);
}

class Costs {
 public:
  Costs(const Program& program, const Machine& machine, ProgramCosts& out)
      : program_(program), machine_(machine), out_(out), uses_(program, out) {
    for (const Function& f : program.functions)
      for (u32 pc = f.begin; pc < f.end; ++pc) {
        const Instruction& in = program.code[pc];
        if (in.shape == Shape::move)
          for (const SpecialValue& special : f.specials)
            reads_special_.insert(special.frame == in.s[0] ? pc : kMany);
      }
  }

  IssueCost of(u32 pc) const {
    IssueCost cost = without_branch(pc);
    // Instructions cross no branch, so the warp waits for each step of the sequence but the last one's result.
    if (has_branch(program_.code[pc]))
      cost.held = std::max(0.0f, cost.latency - float(machine_.fp32_fma.latency));
    return cost;
  }

  // Exchanges and swaps have no form without a result.
  bool is_unread(u32 pc) const {
    const Instruction& in = program_.code[pc];
    if (!is_atomic(in.shape) || in.op == Op::atom_cas || in.op == Op::atom_exch) return false;
    const auto written = out_.writes.of(pc);
    return std::all_of(written.begin(), written.end(),
                       [&](RegisterNumber r) { return uses_.reader(r) == RegisterUses::kNobody; });
  }

 private:
  static constexpr u32 kMany = 0xffffffffu;

  bool has_branch(const Instruction& in) const {
    if (in.shape != Shape::call) return has_slow_path(in);
    const CallSite& site = program_.calls[in.target];
    return site.is_host() && branches_inside(site.callee);
  }
  IssueCost without_branch(u32 pc) const {
    const Instruction& in = program_.code[pc];
    switch (in.shape) {
      case Shape::move:
        return reads_special_.contains(pc) ? measured(Unit::special, machine_.int_popc) : IssueCost{};
      case Shape::address:
      case Shape::space_test: return {};
      case Shape::convert: return conversion(in);
      case Shape::load: return load(in);
      case Shape::store: return {in.space == Space::shared ? Unit::shared : Unit::global, 1, 0, 0};
      case Shape::async_copy: return {Unit::global, 1, 0, 0};
      case Shape::mbarrier:
      case Shape::matrix_load: return {Unit::shared, 1, 0, 0};
      case Shape::atomic:
      case Shape::reduction: return {in.space == Space::shared ? Unit::shared : Unit::global, 1, 0, 0};
      case Shape::shuffle: return measured(Unit::lanes, machine_.shuffle);
      case Shape::vote:
      case Shape::match:
      case Shape::activemask: return measured(Unit::integer, machine_.vote);
      case Shape::redux: return measured(Unit::special, machine_.reduce_add);
      case Shape::branch:
      case Shape::branch_table:
        return is_turned_branch(program_, pc) || jumps_to_next(in, pc) ? IssueCost{} : branch(in);
      case Shape::call: return call(in);
      case Shape::compare: return comparison(in);
      case Shape::barrier:
      case Shape::barrier_red:
      case Shape::warp_barrier: return {Unit::none, 1, 0, 0};
      case Shape::unary:
      case Shape::binary:
      case Shape::ternary:
      case Shape::widening2:
      case Shape::widening3:
      case Shape::shift:
      case Shape::extract:
      case Shape::insert:
      case Shape::count:
      case Shape::lut:
      case Shape::testp:
      case Shape::permute:
      case Shape::dot:
      case Shape::carry2:
      case Shape::carry3:
      case Shape::compare_set:
      case Shape::select:
      case Shape::slct:
      case Shape::leave:
      case Shape::async_group:
      case Shape::matrix_multiply:
      case Shape::fence:
      case Shape::hint:
      case Shape::barrier_arrive:
      case Shape::sleep:
      case Shape::clock: return arithmetic(pc, in);
    }
    return {};
  }

  static IssueCost measured(Unit unit, const OperationTime& time, float times = 1) {
    const float interval = float(time.interval) * times;
    // An instruction takes one slot; a sequence of them as many as it keeps the scheduler.
    const bool is_sequence = interval > 16;
    return {is_sequence ? Unit::none : unit, is_sequence ? interval : times, interval,
            float(time.latency) * times};
  }

  // ptxas makes additions and shifts of either unit's instructions, so that neither waits while the other is free.
  IssueCost sum() const {
    return {Unit::sums, 1, 2 * float(machine_.int_add.interval), float(machine_.int_add.latency)};
  }
  static IssueCost with_slots(IssueCost cost, float slots) {
    cost.slots = slots;
    return cost;
  }
  // A function of bits was measured with an addition behind it, and both took half of the time each. The addition takes no
  // part of it: another unit does it meanwhile.
  IssueCost bits(float words) const {
    const OperationTime& both = machine_.int_popc;
    return {Unit::special, words, words * float(2 * both.interval),
            words * float(2 * both.latency - machine_.int_add.latency)};
  }
  // An approximate function that must be right for numbers too small for a float's usual form: a comparison, a factor before, a
  // factor after.
  static IssueCost scaled(const OperationTime& time) { return with_slots(measured(Unit::special, time), 4); }

  IssueCost conversion(const Instruction& in) const {
    const bool from = is_float(in.type), to = is_float(in.dest_type);
    if (in.type == Type::f64 || in.dest_type == Type::f64)
      return measured(Unit::special, machine_.conversion_of_double);
    if (to && !from && size_of(in.type) <= 4) return measured(Unit::integer, machine_.conversion);
    if (from || to) return measured(Unit::special, to ? machine_.conversion : machine_.conversion_to_int);
    // Between integers of 4 and 8 bytes: the next instruction does it.
    return size_of(in.type) >= 4 && size_of(in.dest_type) >= 4
               ? IssueCost{}
               : measured(Unit::integer, machine_.int_permute);
  }
  IssueCost load(const Instruction& in) const {
    if (in.space == Space::param) return {};  // an operand of the instruction that needs it
    if (in.space == Space::constant) return {Unit::constant, 1, 0, 0};
    return {in.space == Space::shared ? Unit::shared : Unit::global, 1, 0, 0};
  }
  // A function of the module costs what its instructions do. One of the library is code that nvcc puts there.
  IssueCost call(const Instruction& in) const {
    constexpr IssueCost kCall = {Unit::none, 10, 0, 20};
    const CallSite& site = program_.calls[in.target];
    const OperationTime* time = library_function(machine_, site.callee);
    if (!site.is_host() || !time) return kCall;
    const float interval = float(time->interval);
    return {Unit::none, interval, interval, float(time->latency)};
  }
  IssueCost branch(const Instruction& in) const {
    // What a loop takes beyond its addition and its comparison.
    const double latency = machine_.loop_latency - machine_.int_add.latency - machine_.int_min.latency;
    return {Unit::none, 1, 0, in.guard == kNoOperand ? 0 : float(latency > 0 ? latency : 0)};
  }
  IssueCost comparison(const Instruction& in) const {
    if (in.type == Type::f64) return measured(Unit::fp64, machine_.fp64_add);
    return measured(Unit::integer, machine_.int_select, is_wide(in.type) ? 2 : 1);
  }

  // The only instruction that reads what `pc` writes, or null.
  const Instruction* only_reader(u32 pc) const {
    const auto written = out_.writes.of(pc);
    if (written.size() != 1 || !RegisterUses::is_one(uses_.reader(written[0]))) return nullptr;
    return &program_.code[uses_.reader(written[0])];
  }
  // A sum that takes the product or shift before it along: a multiply-add.
  bool is_sum(const Instruction* in) const {
    return in && in->op == Op::add && out_.words[std::size_t(in - program_.code.data())] > 0;
  }
  bool is_of_root(u32 pc) const {
    const auto read = out_.reads.of(pc);
    if (read.size() != 1 || uses_.reader(read[0]) != pc || !RegisterUses::is_one(uses_.writer(read[0])))
      return false;
    const Instruction& writer = program_.code[uses_.writer(read[0])];
    return writer.op == Op::sqrt && writer.type == program_.code[pc].type;
  }
  // A root of which only the reciprocal is needed.
  bool is_inverted(u32 pc) const {
    const Instruction* reader = only_reader(pc);
    return reader && reader->op == Op::rcp && reader->type == program_.code[pc].type;
  }
  // A constant added to an address that only accesses use is part of them.
  bool is_offset(u32 pc) const {
    if (out_.reads.of(pc).size() > 1) return false;
    const Instruction* reader = only_reader(pc);
    return reader && is_load_or_store(reader->shape);
  }

  IssueCost arithmetic(u32 pc, const Instruction& in) const {
    const float pair = out_.words[pc];
    if (in.type == Type::pred) return {};  // part of the comparison
    if (pair == 0) return {};              // part of another instruction
    switch (in.op) {
      case Op::add:
      case Op::sub:
        if (in.type == Type::f32) return measured(Unit::fp32, machine_.fp32_add);
        if (in.type == Type::f64) return measured(Unit::fp64, machine_.fp64_add);
        if (is_float(in.type)) return measured(Unit::fp32, machine_.fp32_add);
        if (is_wide(in.type) && is_offset(pc)) return {};
        if (out_.is_triple[pc]) return measured(Unit::integer, machine_.int_permute);
        if (pair == 1)
          return is_wide(in.type) && uses_.takes_product(program_, out_, pc)
                     ? measured(Unit::multiply, machine_.int_mad)
                     : sum();
        if (uses_.takes_product(program_, out_, pc)) return measured(Unit::multiply, machine_.int_mad);
        return measured(Unit::integer, machine_.int_add, 2);
      case Op::mul:
        return in.type == Type::f64 ? measured(Unit::fp64, machine_.fp64_fma)
                                    : measured(Unit::fp32, machine_.fp32_mul);
      case Op::fma:
      case Op::mad:
        return in.type == Type::f64 ? measured(Unit::fp64, machine_.fp64_fma)
                                    : measured(Unit::fp32, machine_.fp32_fma);
      case Op::mul_wide:
        return is_sum(only_reader(pc)) ? IssueCost{} : measured(Unit::multiply, machine_.int_mad);
      case Op::mul_lo:
      case Op::mad_lo: return measured(Unit::multiply, pair == 2 ? machine_.long_mul : machine_.int_mad);
      case Op::mul_hi:
      case Op::mad_hi:
      case Op::mad_wide: return measured(Unit::multiply, machine_.int_mad, 2 * pair);
      case Op::mul24_lo:
      case Op::mul24_hi:
      case Op::mad24_lo:
      case Op::mad24_hi:
      case Op::dp4a:
      case Op::sad: return measured(Unit::multiply, machine_.int_mad);
      case Op::div:
      case Op::rem: return division(in);
      case Op::div_full:
      case Op::div_approx:
        return in.ftz ? measured(Unit::special, machine_.special, 2) : scaled(machine_.special_div);
      case Op::sqrt:
        if (in.type == Type::f32) return measured(Unit::special, machine_.fp32_sqrt);
        return measured(Unit::fp64, is_inverted(pc) ? machine_.fp64_rsqrt : machine_.fp64_sqrt);
      case Op::rcp:
        if (is_of_root(pc)) return {};  // both are one reciprocal root
        return in.type == Type::f64 ? measured(Unit::fp64, machine_.fp64_div)
                                    : measured(Unit::special, machine_.fp32_div);
      case Op::sqrt_approx:
        return in.ftz ? measured(Unit::special, machine_.special) : scaled(machine_.special_sqrt);
      case Op::rsqrt_approx:
        if (in.type == Type::f64) return measured(Unit::special, machine_.special);
        return in.ftz ? measured(Unit::special, machine_.special) : scaled(machine_.special_rsqrt);
      case Op::rcp_approx:
        if (in.type == Type::f64) return measured(Unit::special, machine_.special);
        return in.ftz ? measured(Unit::special, machine_.special) : scaled(machine_.special_rcp);
      case Op::lg2_approx:
        return in.ftz ? measured(Unit::special, machine_.special) : scaled(machine_.special_lg2);
      case Op::sin_approx:
      case Op::cos_approx: return with_slots(measured(Unit::special, machine_.special_sin), 2);
      case Op::ex2_approx:  // the same code as of a root, around another function of the unit
        return in.ftz || in.type != Type::f32 ? measured(Unit::special, machine_.special)
                                              : scaled(machine_.special_sqrt);
      case Op::tanh_approx: return measured(Unit::special, machine_.special);
      case Op::neg:
      case Op::abs: return is_float(in.type) ? IssueCost{} : measured(Unit::integer, machine_.int_add, pair);
      case Op::min:
      case Op::max:
        return is_float(in.type) ? measured(Unit::fp32, machine_.fp32_min)
                                 : measured(Unit::integer, machine_.int_min, pair);
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::not_: {  // two of them are one lop3
        const Instruction* reader = only_reader(pc);
        return reader && is_logic(reader->op) ? IssueCost{}
                                              : measured(Unit::integer, machine_.int_permute, pair);
      }
      case Op::shl:
        if (is_sum(only_reader(pc))) return {};
        return pair == 2 ? measured(Unit::integer, machine_.int_shift, pair) : sum();  // a product
      case Op::createpolicy_fractional: return IssueCost{};                            // a constant
      case Op::popc:
      case Op::clz:
      case Op::brev:
      case Op::bfind:
      case Op::bfind_shiftamt: return bits(pair);
      default: return measured(Unit::integer, machine_.int_permute, pair);
    }
  }
  IssueCost division(const Instruction& in) const {
    if (in.type == Type::f32) return measured(Unit::special, machine_.fp32_div);
    if (in.type == Type::f64) return measured(Unit::fp64, machine_.fp64_div);
    if (is_wide(in.type)) return measured(Unit::multiply, machine_.long_div);
    if (in.op == Op::rem) return measured(Unit::multiply, machine_.int_rem);
    return measured(Unit::multiply, in.type == Type::s32 ? machine_.int_div_signed : machine_.int_div);
  }

  const Program& program_;
  const Machine& machine_;
  const ProgramCosts& out_;
  const RegisterUses uses_;
  std::unordered_set<u32> reads_special_;
};

}  // namespace

void fill_costs(const Program& program, const Machine& machine, ProgramCosts& out) {
  const Costs costs(program, machine, out);
  out.cost.resize(program.code.size());
  out.unread.resize(program.code.size());
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    out.cost[pc] = costs.of(pc);
    out.unread[pc] = costs.is_unread(pc);
  }
}

bool has_slow_path(const Instruction& in) {
  switch (in.op) {
    case Op::div:
    case Op::rem: return is_float(in.type) || size_of(in.type) == 8;
    case Op::rcp:
    case Op::sqrt: return true;
    default: return false;
  }
}

std::string_view unknown_call(const Program& program, const Machine& machine, u32 pc) {
  const Instruction& in = program.code[pc];
  if (in.shape != Shape::call) return {};
  const CallSite& site = program.calls[in.target];
  return !site.is_host() || library_function(machine, site.callee) ? std::string_view() : site.callee;
}

ProgramCosts costs_of(const Program& program, const Machine& machine) {
  ProgramCosts out;
  number_operands(program, out);
  fill_words(program, out);
  fill_costs(program, machine, out);
  fill_predicated(program, out);
  const BasicBlocks blocks = basic_blocks(program, out.predicated);
  out.block.assign(blocks.of.begin(), blocks.of.end() - 1);
  merge_shared_loads(program, machine, blocks, out);
  find_polls(program, blocks, out);
  find_unrolled(program, blocks, out);
  const Liveness live = liveness(program, blocks, out);
  fill_positions(program, machine, blocks, live, out);
  fill_registers(program, blocks, live, out);
  fill_least_registers(program, blocks, live, out);
  renumber(program, out);
  return out;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
