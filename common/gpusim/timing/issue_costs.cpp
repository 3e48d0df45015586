#include "timing/issue_costs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gpusim::timing {
namespace {

bool is_wide(Type t) { return size_of(t) == 8; }
bool is_logic(Op op) { return op == Op::and_ || op == Op::or_ || op == Op::xor_ || op == Op::not_; }
bool is_float(Type t) {
  return t == Type::f32 || t == Type::f64 || t == Type::f16 || t == Type::f16x2 || t == Type::bf16 ||
         t == Type::bf16x2;
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
        return reads_special_.contains(pc) ? measured(Unit::special, "int_popc") : IssueCost{};
      case Shape::address:
      case Shape::space_test: return {};
      case Shape::convert: return conversion(in);
      case Shape::load: return load(in);
      case Shape::store: return {in.space == Space::shared ? Unit::shared : Unit::global, 1, 0, 0};
      case Shape::async_copy: return {Unit::global, 1, 0, 0};
      case Shape::matrix_load: return {Unit::shared, 1, 0, 0};
      case Shape::atomic:
      case Shape::reduction: return {in.space == Space::shared ? Unit::shared : Unit::global, 1, 0, 0};
      case Shape::shuffle: return measured(Unit::lanes, "shuffle");
      case Shape::vote:
      case Shape::match:
      case Shape::activemask: return measured(Unit::integer, "vote");
      case Shape::redux: return measured(Unit::special, "reduce_add");
      case Shape::branch:
      case Shape::branch_table: return branch(in);
      case Shape::call: return {Unit::none, 10, 0, 20};
      case Shape::compare: return comparison(in);
      default: return arithmetic(pc, in);
    }
  }

 private:
  static constexpr u32 kMany = 0xffffffffu;

  IssueCost measured(Unit unit, const std::string& name, float times = 1) const {
    const float interval = float(machine_[name + "_interval"]) * times;
    // An instruction takes one slot; a sequence of them as many as it keeps the scheduler.
    const bool is_sequence = interval > 16;
    return {is_sequence ? Unit::none : unit, is_sequence ? interval : times, interval,
            float(machine_[name + "_latency"]) * times};
  }

  IssueCost conversion(const Instruction& in) const {
    const bool from = is_float(in.type), to = is_float(in.dest_type);
    if (from || to) return measured(Unit::special, to ? "conversion" : "conversion_to_int");
    // Between integers of 4 and 8 bytes: the next instruction does it.
    return size_of(in.type) >= 4 && size_of(in.dest_type) >= 4 ? IssueCost{}
                                                               : measured(Unit::integer, "int_permute");
  }
  IssueCost load(const Instruction& in) const {
    if (in.space == Space::param) return {};  // an operand of the instruction that needs it
    if (in.space == Space::constant) return measured(Unit::integer, "int_add");
    return {in.space == Space::shared ? Unit::shared : Unit::global, 1, 0, 0};
  }
  IssueCost branch(const Instruction& in) const {
    // What a loop takes beyond its addition and its comparison.
    const double latency =
        machine_["loop_latency"] - machine_["int_add_latency"] - machine_["int_min_latency"];
    return {Unit::none, 1, 0, in.guard == kNoOperand ? 0 : float(latency > 0 ? latency : 0)};
  }
  IssueCost comparison(const Instruction& in) const {
    if (in.type == Type::f64) return measured(Unit::fp64, "fp64_add");
    return measured(Unit::integer, "int_select", is_wide(in.type) ? 2 : 1);
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
    return reader && (reader->shape == Shape::load || reader->shape == Shape::store);
  }

  IssueCost arithmetic(u32 pc, const Instruction& in) const {
    const float pair = is_wide(in.type) ? 2 : 1;
    if (in.type == Type::pred) return {};  // part of the comparison
    switch (in.op) {
      case Op::add:
      case Op::sub:
        if (in.type == Type::f32) return measured(Unit::fp32, "fp32_add");
        if (in.type == Type::f64) return measured(Unit::fp64, "fp64_add");
        if (is_float(in.type)) return measured(Unit::fp32, "fp32_add");
        if (!is_wide(in.type)) return measured(Unit::integer, "int_add");
        if (is_offset(pc)) return {};
        if (is_of_product(pc)) return measured(Unit::multiply, "int_mad");
        return measured(Unit::integer, "int_add", 2);
      case Op::mul:
        return in.type == Type::f64 ? measured(Unit::fp64, "fp64_fma") : measured(Unit::fp32, "fp32_mul");
      case Op::fma:
      case Op::mad:
        return in.type == Type::f64 ? measured(Unit::fp64, "fp64_fma") : measured(Unit::fp32, "fp32_fma");
      case Op::mul_wide: return is_sum(only_reader(pc)) ? IssueCost{} : measured(Unit::multiply, "int_mad");
      case Op::mul_lo:
      case Op::mad_lo:
        return is_wide(in.type) ? measured(Unit::multiply, "long_mul") : measured(Unit::multiply, "int_mad");
      case Op::mul_hi:
      case Op::mad_hi:
      case Op::mad_wide: return measured(Unit::multiply, "int_mad", 2 * pair);
      case Op::mul24_lo:
      case Op::mul24_hi:
      case Op::mad24_lo:
      case Op::mad24_hi:
      case Op::dp4a:
      case Op::sad: return measured(Unit::multiply, "int_mad");
      case Op::div:
      case Op::rem: return division(in);
      case Op::div_full:
      case Op::div_approx: return measured(Unit::special, "special", 2);
      case Op::sqrt:
        return in.type == Type::f64 ? measured(Unit::fp64, "fp64_div") : measured(Unit::special, "fp32_sqrt");
      case Op::rcp:
        return in.type == Type::f64 ? measured(Unit::fp64, "fp64_div") : measured(Unit::special, "fp32_div");
      case Op::sqrt_approx:
      case Op::rsqrt_approx:
      case Op::rcp_approx:
      case Op::ex2_approx:
      case Op::lg2_approx:
      case Op::sin_approx:
      case Op::cos_approx:
      case Op::tanh_approx: return measured(Unit::special, "special");
      case Op::neg:
      case Op::abs: return is_float(in.type) ? IssueCost{} : measured(Unit::integer, "int_add", pair);
      case Op::min:
      case Op::max:
        return is_float(in.type) ? measured(Unit::fp32, "fp32_min")
                                 : measured(Unit::integer, "int_min", pair);
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::not_: {  // two of them are one lop3
        const Instruction* reader = only_reader(pc);
        return reader && is_logic(reader->op) ? IssueCost{} : measured(Unit::integer, "int_permute", pair);
      }
      case Op::shl: return is_sum(only_reader(pc)) ? IssueCost{} : measured(Unit::integer, "int_shift", pair);
      case Op::popc:
      case Op::clz:
      case Op::brev:
      case Op::bfind:
      case Op::bfind_shiftamt: return measured(Unit::special, "int_popc", pair);
      default: return measured(Unit::integer, "int_permute", pair);
    }
  }
  IssueCost division(const Instruction& in) const {
    if (in.type == Type::f32) return measured(Unit::special, "fp32_div");
    if (in.type == Type::f64) return measured(Unit::fp64, "fp64_div");
    if (is_wide(in.type)) return measured(Unit::multiply, "long_div");
    if (in.op == Op::rem) return measured(Unit::multiply, "int_rem");
    return measured(Unit::multiply, in.type == Type::s32 ? "int_div_signed" : "int_div");
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
  out.reads.at.assign(program.code.size() + 1, 0);
  out.writes.at.assign(program.code.size() + 1, 0);
  u32 next_pc = 0;
  const auto close = [&](u32 until) {
    for (; next_pc < until; ++next_pc) {
      out.reads.at[next_pc] = u32(out.reads.numbers.size());
      out.writes.at[next_pc] = u32(out.writes.numbers.size());
    }
  };
  for (const Function& f : program.functions) {
    std::unordered_map<FrameOffset, RegisterNumber> numbers;
    for (u32 pc = f.begin; pc < f.end; ++pc)
      for (const FrameOffset d : program.code[pc].d)
        if (d != kNoOperand && numbers.try_emplace(d, out.registers_named).second) ++out.registers_named;
    for (u32 pc = f.begin; pc < f.end; ++pc) {
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
    u32 first = out.registers_named, last = 0;
    for (u32 pc = f.begin; pc < f.end; ++pc)
      for (const RegisterNumber r : out.writes.of(pc))
        first = std::min(first, r), last = std::max(last, r + 1);
    const auto shift = [&](Operands& operands) {
      for (u32 k = operands.at[f.begin]; k < operands.at[f.end]; ++k) operands.numbers[k] -= first;
    };
    if (first == out.registers_named) continue;  // it writes none
    shift(out.reads);
    shift(out.writes);
    most = std::max(most, last - first);
  }
  out.registers_named = most;
}

}  // namespace

void fill_costs(const Program& program, const Machine& machine, ProgramCosts& out) {
  const Costs costs(program, machine, out);
  out.cost.resize(program.code.size());
  for (u32 pc = 0; pc < program.code.size(); ++pc) out.cost[pc] = costs.of(pc);
}

void fill_predicated(const Program& program, ProgramCosts& out) {
  constexpr float kMostSlots = 7;
  out.predicated.assign(program.code.size(), 0);
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape != Shape::branch || in.guard == kNoOperand || in.target <= pc || in.target > pc + 32)
      continue;
    float slots = 0;
    for (u32 body = pc + 1; body < in.target && slots <= kMostSlots; ++body) {
      const Shape shape = program.code[body].shape;
      const bool may_be = shape != Shape::branch && shape != Shape::branch_table && shape != Shape::call &&
                          shape != Shape::leave && shape != Shape::barrier && shape != Shape::barrier_red &&
                          shape != Shape::shuffle && shape != Shape::vote && shape != Shape::warp_barrier &&
                          shape != Shape::atomic;
      slots = may_be ? slots + out.cost[body].slots : kMostSlots + 1;
    }
    if (slots <= kMostSlots) out.predicated[pc] = std::max(slots, 0.1f);
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

// A loop whose addresses step by what does not change in it can be counted before it begins; nvcc then unrolls it. clang
// steps an address by itself only where it could count, too.
void find_unrolled(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  constexpr u32 kMostInstructions = 32;
  out.unrolled.assign(blocks.successors.size(), false);
  for (u32 b = 0; b < blocks.successors.size(); ++b) {
    const auto& next = blocks.successors[b];
    const u32 begin = blocks.start[b], end = blocks.start[b + 1];
    if (std::find(next.begin(), next.end(), b) == next.end() || end - begin > kMostInstructions) continue;
    for (u32 pc = begin; pc < end; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.op != Op::add || size_of(in.type) != 8 || in.d[0] != in.s[0]) continue;
      for (u32 load = begin; load < end; ++load)
        if (program.code[load].shape == Shape::load && program.code[load].space == Space::global &&
            program.code[load].s[0] == in.d[0])
          out.unrolled[b] = true;
    }
    // Or it counts from one number to another, both written in the code.
    for (u32 pc = begin; pc < end; ++pc) {
      const auto counter = out.writes.of(pc), by = out.reads.of(pc);
      if (program.code[pc].op != Op::add || counter.size() != 1 || by.size() != 1 || by[0] != counter[0])
        continue;
      for (u32 test = begin; test < end; ++test) {
        const auto asked = out.reads.of(test);
        if (program.code[test].shape == Shape::compare && asked.size() == 1 && asked[0] == counter[0])
          out.unrolled[b] = true;
      }
    }
  }
}

ProgramCosts costs_of(const Program& program, const Machine& machine) {
  ProgramCosts out;
  number_operands(program, out);
  fill_costs(program, machine, out);
  fill_predicated(program, out);
  const BasicBlocks blocks = basic_blocks(program, out.predicated);
  merge_shared_loads(program, blocks, out);
  find_unrolled(program, blocks, out);
  fill_positions(program, machine, blocks, out);
  fill_registers(program, blocks, out);
  renumber(program, out);
  return out;
}

}  // namespace gpusim::timing
