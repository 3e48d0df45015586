#include "timing/issue_costs.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace gpusim::timing {
namespace {

bool is_wide(Type t) { return size_of(t) == 8; }
bool is_logic(Op op) { return op == Op::and_ || op == Op::or_ || op == Op::xor_ || op == Op::not_; }

// What a call of "__nv_expf" takes; null: nobody has measured it.
const OperationTime* library_function(const Machine& machine, std::string_view callee) {
  constexpr std::string_view kPrefix = "__nv_";
  return machine.function(callee.starts_with(kPrefix) ? callee.substr(kPrefix.size()) : callee);
}

class Costs {
 public:
  Costs(const Program& program, const Machine& machine, ProgramCosts& out)
      : program_(program), machine_(machine), out_(out) {
    writer_.assign(out.registers_named, kMany);
    readers_.assign(out.registers_named, 0);
    reader_.assign(out.registers_named, 0);
    std::vector<bool> written(out.registers_named, false);
    for (u32 pc = 0; pc < program.code.size(); ++pc) {
      for (const RegisterNumber r : out.writes.of(pc)) {
        writer_[r] = written[r] ? kMany : pc;
        written[r] = true;
      }
      for (const RegisterNumber r : out.reads.of(pc)) ++readers_[r], reader_[r] = pc;
    }
    for (const Function& f : program.functions)
      for (u32 pc = f.begin; pc < f.end; ++pc) {
        const Instruction& in = program.code[pc];
        if (in.shape == Shape::move)
          for (const SpecialValue& special : f.specials)
            reads_special_.insert(special.frame == in.s[0] ? pc : kMany);
      }
  }

  IssueCost of(u32 pc) const {
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
      case Shape::branch_table: return is_turned_branch(program_, pc) ? IssueCost{} : branch(in);
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

 private:
  static constexpr u32 kMany = 0xffffffffu;

  static IssueCost measured(Unit unit, const OperationTime& time, float times = 1) {
    const float interval = float(time.interval) * times;
    // An instruction takes one slot; a sequence of them as many as it keeps the scheduler.
    const bool is_sequence = interval > 16;
    return {is_sequence ? Unit::none : unit, is_sequence ? interval : times, interval,
            float(time.latency) * times};
  }

  static IssueCost with_slots(IssueCost cost, float slots) {
    cost.slots = slots;
    return cost;
  }
  // An approximate function that must be right for numbers too small for a float's usual form: a comparison, a factor before, a
  // factor after.
  static IssueCost scaled(const OperationTime& time) { return with_slots(measured(Unit::special, time), 4); }

  IssueCost conversion(const Instruction& in) const {
    const bool from = is_float(in.type), to = is_float(in.dest_type);
    if (from || to) return measured(Unit::special, to ? machine_.conversion : machine_.conversion_to_int);
    // Between integers of 4 and 8 bytes: the next instruction does it.
    return size_of(in.type) >= 4 && size_of(in.dest_type) >= 4
               ? IssueCost{}
               : measured(Unit::integer, machine_.int_permute);
  }
  IssueCost load(const Instruction& in) const {
    if (in.space == Space::param) return {};  // an operand of the instruction that needs it
    if (in.space == Space::constant) return measured(Unit::integer, machine_.int_add);
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
    if (written.size() != 1 || readers_[written[0]] != 1) return nullptr;
    return &program_.code[reader_[written[0]]];
  }
  // A 64-bit sum that takes the product or shift before it along: a multiply-add.
  bool is_sum(const Instruction* in) const { return in && in->op == Op::add; }
  bool is_of_product(u32 pc) const {
    for (const RegisterNumber r : out_.reads.of(pc)) {
      if (writer_[r] == kMany || readers_[r] != 1) continue;
      const Op op = program_.code[writer_[r]].op;
      if (op == Op::mul_wide || op == Op::shl) return true;
    }
    return false;
  }
  // A constant added to an address that only accesses use is part of them.
  bool is_offset(u32 pc) const {
    if (out_.reads.of(pc).size() > 1) return false;
    const Instruction* reader = only_reader(pc);
    return reader && is_load_or_store(reader->shape);
  }

  IssueCost arithmetic(u32 pc, const Instruction& in) const {
    const float pair = is_wide(in.type) ? 2 : 1;
    if (in.type == Type::pred) return {};  // part of the comparison
    switch (in.op) {
      case Op::add:
      case Op::sub:
        if (in.type == Type::f32) return measured(Unit::fp32, machine_.fp32_add);
        if (in.type == Type::f64) return measured(Unit::fp64, machine_.fp64_add);
        if (is_float(in.type)) return measured(Unit::fp32, machine_.fp32_add);
        if (!is_wide(in.type)) return measured(Unit::integer, machine_.int_add);
        if (is_offset(pc)) return {};
        if (is_of_product(pc)) return measured(Unit::multiply, machine_.int_mad);
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
      case Op::mad_lo:
        return is_wide(in.type) ? measured(Unit::multiply, machine_.long_mul)
                                : measured(Unit::multiply, machine_.int_mad);
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
        return in.type == Type::f64 ? measured(Unit::fp64, machine_.fp64_div)
                                    : measured(Unit::special, machine_.fp32_sqrt);
      case Op::rcp:
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
      case Op::ex2_approx:
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
        return is_sum(only_reader(pc)) ? IssueCost{} : measured(Unit::integer, machine_.int_shift, pair);
      case Op::createpolicy_fractional: return IssueCost{};  // a constant
      case Op::popc:
      case Op::clz:
      case Op::brev:
      case Op::bfind:
      case Op::bfind_shiftamt: return measured(Unit::special, machine_.int_popc, pair);
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
  std::vector<u32> writer_, readers_,
      reader_;  // by register: the pc that alone writes it; how many read it; one of them
  std::unordered_set<u32> reads_special_;
};

// Numbers for the registers of all functions. What no instruction writes (a constant, a parameter) has none.
void number_operands(const Program& program, ProgramCosts& out) {
  // In the order of their code: a function that is declared before others comes first in the list, wherever its code is.
  std::vector<const Function*> functions;
  for (const Function& f : program.functions) functions.push_back(&f);
  std::sort(functions.begin(), functions.end(), [](auto* a, auto* b) { return a->begin < b->begin; });
  u32 next_pc = 0;
  const auto close = [&](u32 until) {
    for (; next_pc < until; ++next_pc) {
      out.reads.at.push_back(u32(out.reads.numbers.size()));
      out.writes.at.push_back(u32(out.writes.numbers.size()));
    }
  };
  for (const Function* f : functions) {
    std::unordered_map<FrameOffset, RegisterNumber> numbers;
    for (u32 pc = f->begin; pc < f->end; ++pc)
      for (const FrameOffset d : program.code[pc].d)
        if (d != kNoOperand && numbers.try_emplace(d, out.registers_named).second) ++out.registers_named;
    for (u32 pc = f->begin; pc < f->end; ++pc) {
      close(pc + 1);
      const Instruction& in = program.code[pc];
      const auto read = [&](FrameOffset s) {
        if (const auto found = numbers.find(s); s != kNoOperand && found != numbers.end())
          out.reads.numbers.push_back(found->second);
      };
      for (const FrameOffset s : in.s) read(s);
      read(in.guard);
      for (const FrameOffset d : in.d)
        if (d != kNoOperand) out.writes.numbers.push_back(numbers.at(d));
    }
  }
  close(u32(program.code.size() + 1));
}

// A function at a time runs in a warp, so its registers may have the numbers of another's.
void renumber(const Program& program, ProgramCosts& out) {
  u32 most = 0;
  for (const Function& f : program.functions) {
    const RegisterRange range = registers_of(f, out.writes);
    const auto shift = [&](Operands& operands) {
      for (u32 k = operands.at[f.begin]; k < operands.at[f.end]; ++k) operands.numbers[k] -= range.begin;
    };
    shift(out.reads);
    shift(out.writes);
    most = std::max(most, range.end - range.begin);
  }
  out.registers_named = most;
}

}  // namespace

void fill_costs(const Program& program, const Machine& machine, ProgramCosts& out) {
  const Costs costs(program, machine, out);
  out.cost.resize(program.code.size());
  for (u32 pc = 0; pc < program.code.size(); ++pc) out.cost[pc] = costs.of(pc);
}

namespace {

constexpr float kMostPredicated = 7;  // slots

// Of instructions behind a branch over them: the slots that they take predicated; infinite if that cannot be.
float slots_predicated(const Program& program, const ProgramCosts& costs, u32 begin, u32 end) {
  float slots = 0;
  for (u32 pc = begin; pc < end; ++pc) {
    if (facts_of(program.code[pc].shape).skip == ShapeFacts::Skip::branch)
      return std::numeric_limits<float>::infinity();
    slots += costs.cost[pc].slots;
  }
  return slots;
}

}  // namespace

void fill_predicated(const Program& program, ProgramCosts& out) {
  out.predicated.assign(program.code.size(), 0);
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape != Shape::branch || in.guard == kNoOperand || in.target <= pc || in.target > pc + 32)
      continue;
    const float slots = slots_predicated(program, out, pc + 1, in.target);
    if (slots <= kMostPredicated) out.predicated[pc] = std::max(slots, 0.1f);
  }
}

// Neighbouring words at a fixed distance from one register: a wide load passes them in half the wavefronts if all lanes
// read the same.
void merge_shared_loads(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  constexpr s64 kWide = 16;
  out.passes.assign(program.code.size(), 1);
  for (u32 b = 0; b + 1 < blocks.start.size(); ++b) {
    std::unordered_map<u64, std::vector<u32>> groups;  // by address register and multiple of 16
    for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.shape == Shape::barrier) groups.clear();
      if (in.shape != Shape::load || in.space != Space::shared || in.vector != 1 || size_of(in.type) != 4)
        continue;
      std::vector<u32>& group = groups[u64(in.s[0]) << 32 | u64(u32(in.offset / kWide))];
      group.push_back(pc);
      if (group.size() != 4) continue;
      for (const u32 each : group) {
        out.passes[each] = each == group[0] ? 2 : 0;
        if (each != group[0]) out.cost[each].slots = 0;
      }
    }
  }
}

namespace {

// A loop that is one basic block, of which the compiler does several rounds at a time.
class UnrolledLoop {
 public:
  // `pcs`: of a round, in order. `moves`: what counts is a sum that is moved to its place afterwards.
  UnrolledLoop(const Program& program, ProgramCosts& out, std::vector<u32> pcs, bool moves)
      : program_(program), out_(out), pcs_(std::move(pcs)), moves_(moves) {
    for (const u32 pc : pcs_)
      for (const RegisterNumber r : out.writes.of(pc)) ++writers_[r];
  }

  void fill() {
    find_folded();
    find_overlapping();
    if (counts_constants_) find_wide();
  }
  // By a constant, or by what does not change in the loop: it can be counted before it begins.
  bool is_counted() {
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      if (in.op != Op::add || size_of(in.type) != 8 || in.d[0] != in.s[0]) continue;
      for (const u32 load : pcs_)
        if (is_global_load(program_.code[load]) && program_.code[load].s[0] == in.d[0]) return true;
    }
    // Or it counts from one number to another, both written in the code.
    std::unordered_set<RegisterNumber> counts;
    for (const u32 pc : pcs_) {
      const auto read = out_.reads.of(pc);
      if (is_counter(pc)) counts.insert({out_.writes.of(pc)[0], read[0]});
      if (read.size() != 1 || !counts.contains(read[0])) continue;
      if (program_.code[pc].shape == Shape::compare) return counts_constants_ = true;
      if (program_.code[pc].shape == Shape::convert)
        for (const RegisterNumber r : out_.writes.of(pc)) counts.insert(r);
    }
    return false;
  }

 private:
  bool is_counter(u32 pc) const {
    const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
    const Instruction& in = program_.code[pc];
    return in.op == Op::add && !is_float(in.type) && written.size() == 1 && read.size() == 1 &&
           (read[0] == written[0] || (moves_ && is_moved(written[0], read[0])));
  }
  bool is_moved(RegisterNumber from, RegisterNumber to) const {
    return std::any_of(pcs_.begin(), pcs_.end(), [&](u32 pc) {
      const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
      return program_.code[pc].shape == Shape::move && written.size() == 1 && read.size() == 1 &&
             read[0] == from && written[0] == to;
    });
  }
  bool changes(RegisterNumber r) const { return writers_.contains(r); }
  // Goes on by what stays as it is: nobody waits long for it.
  bool is_step(u32 pc) const {
    const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
    const Instruction& in = program_.code[pc];
    return in.op == Op::add && !is_float(in.type) && written.size() == 1 && writers_.at(written[0]) == 1 &&
           std::all_of(read.begin(), read.end(),
                       [&](RegisterNumber r) { return r == written[0] || !changes(r); });
  }
  bool is_address(RegisterNumber r) const {  // and nothing else
    for (const u32 pc : pcs_) {
      const auto read = out_.reads.of(pc);
      const bool reads = std::find(read.begin(), read.end(), r) != read.end();
      if (reads && !is_load_or_store(program_.code[pc].shape)) return false;
    }
    return true;
  }

  // What becomes a constant in each round, or the constant part of an address: what goes up by a number, what comes of it
  // alone, and its sum with what stays as it is.
  void find_folded() {
    std::unordered_set<RegisterNumber> known;
    for (const u32 pc : pcs_)
      if (is_counter(pc)) known.insert(out_.writes.of(pc)[0]);
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      const auto written = out_.writes.of(pc), read = out_.reads.of(pc);
      if (written.size() != 1 || read.empty() || is_load_or_store(in.shape) || is_float(in.type)) continue;
      const auto is_known = [&](RegisterNumber r) { return known.contains(r); };
      const bool all = std::all_of(read.begin(), read.end(), is_known);
      const bool offset = in.op == Op::add && std::any_of(read.begin(), read.end(), is_known) &&
                          std::all_of(read.begin(), read.end(),
                                      [&](RegisterNumber r) { return is_known(r) || !changes(r); }) &&
                          is_address(written[0]);
      // By a constant: a wide product, a shift, a product to be taken off.
      const bool divides = (in.op == Op::div || in.op == Op::rem) && size_of(in.type) <= 4;
      if (divides && !all && counts_constants_ && is_known(read.back()))
        out_.cost[pc] = {Unit::multiply, 3, 6, out_.cost[pc].latency / 8};
      if (!all && !offset) continue;
      out_.folded[pc] = true;
      if (all) known.insert(written[0]);
    }
  }

  // The number that it adds, if it is written in the code; else 0.
  s64 added(u32 pc) const {
    for (const Function& f : program_.functions) {
      if (pc < f.begin || pc >= f.end) continue;
      for (const Constant& c : f.constants)
        if (c.frame == program_.code[pc].s[1] && c.base == Constant::Base::none) return s64(c.value);
    }
    return 0;
  }

  // Loads of shared memory that go on from word to word, round by round: four rounds, or two of two words, become one
  // wide load, as in merge_shared_loads().
  void find_wide() {
    std::unordered_map<RegisterNumber, s64> step;  // of a round
    for (const u32 pc : pcs_)
      if (is_counter(pc)) step[out_.writes.of(pc)[0]] = added(pc);
    std::map<std::pair<RegisterNumber, s64>, std::vector<u32>>
        words;  // by address register, and multiple of its step
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      const auto read = out_.reads.of(pc), written = out_.writes.of(pc);
      if (out_.folded[pc] && in.op == Op::add && written.size() == 1 && !step.contains(written[0]))
        for (const RegisterNumber r : read) step[written[0]] += step.contains(r) ? step[r] : 0;
      if (in.shape != Shape::load || in.space != Space::shared || in.vector != 1 || size_of(in.type) != 4 ||
          read.size() != 1 || !step.contains(read[0]))
        continue;
      const s64 bytes = step[read[0]], place = s64(s32(in.offset));
      if (bytes == 4 || bytes == 8)
        words[{read[0], (place - (place % bytes + bytes) % bytes) / bytes}].push_back(pc);
    }
    for (const auto& [at, loads] : words)
      if (s64(loads.size()) * 4 == step[at.first])
        for (const u32 pc : loads) {
          out_.passes[pc] = 0.5f;
          out_.cost[pc].slots /= 4;
        }
  }

  // What waits for nothing that the round before leaves behind. A load must not overtake a store, as both may mean the same
  // word: then rounds follow each other. Nor is it made before it is known whether it is made at all.
  void find_overlapping() {
    std::unordered_set<RegisterNumber> left_behind;  // by the round before, until written
    bool loads[256] = {}, may_meet = false;
    for (const u32 pc : pcs_)
      if (program_.code[pc].shape == Shape::load) loads[u8(program_.code[pc].space)] = true;
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      if (in.shape == Shape::store)
        may_meet |= loads[u8(in.space)] || loads[u8(Space::generic)] || in.space == Space::generic;
      if (!out_.folded[pc] && !is_step(pc))
        for (const RegisterNumber r : out_.writes.of(pc)) left_behind.insert(r);
    }
    if (may_meet) return;
    // A register that is written before it is read holds nothing of the round before.
    std::unordered_set<RegisterNumber> seen;
    for (const u32 pc : pcs_) {
      for (const RegisterNumber r : out_.reads.of(pc)) seen.insert(r);
      for (const RegisterNumber r : out_.writes.of(pc))
        if (seen.insert(r).second) left_behind.erase(r);
    }
    u32 waiting_to = 0;  // the end of what a branch that waits may leave out
    for (const u32 pc : pcs_) {
      const Instruction& in = program_.code[pc];
      const auto read = out_.reads.of(pc);
      const bool reads_left =
          std::any_of(read.begin(), read.end(), [&](RegisterNumber r) { return left_behind.contains(r); });
      if (in.shape == Shape::branch && reads_left) waiting_to = std::max(waiting_to, in.target);
      const bool waits =
          in.shape == Shape::store || in.shape == Shape::branch || reads_left || pc < waiting_to;
      out_.overlaps[pc] = !waits;
      for (const RegisterNumber r : out_.writes.of(pc))
        if (waits) left_behind.insert(r);
    }
  }

  const Program& program_;
  ProgramCosts& out_;
  const std::vector<u32> pcs_;
  const bool moves_;
  std::unordered_map<RegisterNumber, u32> writers_;
  bool counts_constants_ = false;
};

// Of the part of a loop that a condition guards; a jump at its end goes.
float slots_guarded(const Program& program, const BasicBlocks& blocks, const ProgramCosts& costs, u32 body) {
  const u32 end = blocks.start[body + 1];
  const bool jumps = program.code[end - 1].shape == Shape::branch;
  return slots_predicated(program, costs, blocks.start[body], end - jumps);
}

// A loop with one part that a condition guards, a load mostly: its blocks in the order in which a round comes to them. ptxas
// predicates the part, so that the round is one block. (Newer versions of clang unroll such a loop by two. Then all parts but
// the last are branches over a few instructions, which fill_predicated() has found.)
std::vector<u32> guarded_round(const Program& program, const BasicBlocks& blocks, const ProgramCosts& costs,
                               const std::vector<u32>& predecessors, u32 head) {
  const auto is_jump = [&](u32 b) {
    const Instruction& in = program.code[blocks.start[b]];
    return blocks.start[b + 1] == blocks.start[b] + 1 && in.shape == Shape::branch && in.guard == kNoOperand;
  };
  const auto& ways = blocks.successors[head];
  for (u32 k = 0; k < 2 && ways.size() == 2; ++k) {
    const u32 tail = ways[k];
    std::vector<u32> round{head, ways[1 - k]};
    if (is_jump(round.back())) round.push_back(blocks.successors[round.back()][0]);
    const u32 body = round.back();
    const auto& back = blocks.successors[tail];
    const bool is_round =
        body != tail && tail != head && blocks.successors[body] == std::vector<u32>{tail} &&
        predecessors[tail] == 2 && back.size() == 2 && (back[0] == head || back[1] == head) &&
        std::all_of(round.begin() + 1, round.end(), [&](u32 b) { return predecessors[b] == 1; });
    if (!is_round) continue;
    if (slots_guarded(program, blocks, costs, body) > kMostPredicated) continue;
    round.push_back(tail);
    return round;
  }
  return {};
}

// Of the round's jumps only the one back to its beginning is left; the part that is guarded takes its slots either way.
void predicate(const Program& program, const BasicBlocks& blocks, const std::vector<u32>& round,
               ProgramCosts& out) {
  const auto last_of = [&](u32 b) { return blocks.start[b + 1] - 1; };
  for (std::size_t k = 1; k + 1 < round.size(); ++k)
    if (program.code[last_of(round[k])].shape == Shape::branch) out.cost[last_of(round[k])] = {};
  const u32 body = round[round.size() - 2];
  out.predicated[last_of(round[0])] = std::max(slots_guarded(program, blocks, out, body), 0.1f);
}

}  // namespace

// A loop whose addresses step by what does not change in it can be counted before it begins; nvcc then unrolls it. clang
// steps an address by itself only where it could count, too. Where warps meet or atomics are made, it does not.
void find_unrolled(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  constexpr u32 kMostInstructions = 32;
  const u32 count = u32(blocks.successors.size());
  out.unrolled.assign(count, false);
  out.loop.resize(count);
  std::iota(out.loop.begin(), out.loop.end(), 0u);
  out.folded.assign(program.code.size(), false);
  out.overlaps.assign(program.code.size(), false);
  std::vector<u32> predecessors(count, 0);
  for (const auto& successors : blocks.successors)
    for (const u32 next : successors) ++predecessors[next];
  const auto stands_alone = [&](u32 pc) {
    const Instruction& in = program.code[pc];
    return facts_of(in.shape).unroll == ShapeFacts::Unroll::alone ||
           (in.shape == Shape::load && in.order != MemoryOrder::weak);
  };
  for (u32 b = 0; b < count; ++b) {
    const auto& next = blocks.successors[b];
    const bool is_one_block = std::find(next.begin(), next.end(), b) != next.end();
    const std::vector<u32> round =
        is_one_block ? std::vector<u32>{b} : guarded_round(program, blocks, out, predecessors, b);
    std::vector<u32> pcs;
    for (const u32 each : round)
      for (u32 pc = blocks.start[each]; pc < blocks.start[each + 1]; ++pc) pcs.push_back(pc);
    if (pcs.empty() || pcs.size() > kMostInstructions || std::any_of(pcs.begin(), pcs.end(), stands_alone))
      continue;
    if (std::binary_search(program.nounroll.begin(), program.nounroll.end(), pcs.front())) continue;
    UnrolledLoop loop(program, out, pcs, !is_one_block);
    if (!loop.is_counted()) continue;
    for (const u32 each : round) {
      out.unrolled[each] = true;
      out.loop[each] = b;
    }
    loop.fill();
    if (!is_one_block) predicate(program, blocks, round, out);
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
  fill_costs(program, machine, out);
  fill_predicated(program, out);
  const BasicBlocks blocks = basic_blocks(program, out.predicated);
  out.block.assign(blocks.of.begin(), blocks.of.end() - 1);
  merge_shared_loads(program, blocks, out);
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
