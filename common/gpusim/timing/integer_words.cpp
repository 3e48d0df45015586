// How many instructions of 32 bits ptxas needs for an operation on integers: none where another one does its work, two for
// most operations on 64 bits. What is said here of ptxas was seen in its code for sm_90 (CUDA 13.0).
#include <unordered_map>

#include "timing/register_uses.h"

namespace gpusim::timing {
namespace {

bool is_sum(Op op) { return op == Op::add || op == Op::sub; }

class IntegerWords {
 public:
  IntegerWords(const Program& program, ProgramCosts& out)
      : program_(program), out_(out), uses_(program, out) {
    for (const Function& f : program.functions)
      for (const Constant& c : f.constants)
        if (c.base == Constant::Base::none && c.lane_stride == 0)
          constants_[&f - program.functions.data()][c.frame] = c.value;
    find_runs();
    find_upper_halves();
  }

  void fill() {
    out_.words.assign(size(), 1);
    out_.is_triple.assign(size(), false);
    for (const Function& f : program_.functions)
      for (u32 pc = f.begin; pc < f.end; ++pc) {
        const Instruction& in = program_.code[pc];
        if (size_of(in.type) == 8) out_.words[pc] = is_float(in.type) ? 2 : wide_words(f, pc);
      }
    for (u32 pc = 0; pc < size(); ++pc) pair_sums(pc);
  }

 private:
  u32 size() const { return u32(program_.code.size()); }

  // Numbers the stretches of code that nothing jumps into or out of.
  void find_runs() {
    std::vector<bool> begins(size() + 1, false);
    for (u32 pc = 0; pc < size(); ++pc) {
      const Instruction& in = program_.code[pc];
      if (in.shape == Shape::branch) begins[in.target] = true;
      if (ends_basic_block(in.shape)) begins[pc + 1] = true;
    }
    for (const auto& table : program_.tables)
      for (const u32 target : table) begins[target] = true;
    run_.resize(size());
    for (u32 pc = 0, run = 0; pc < size(); ++pc) run_[pc] = run += begins[pc];
  }

  // Whether bits 32 to 63 of a register's value matter. Addresses in shared memory have 32 bits.
  void find_upper_halves() {
    std::vector<bool>& upper = out_.needs_upper;
    upper.resize(out_.registers_named);
    for (RegisterNumber r = 0; r < out_.registers_named; ++r)
      upper[r] = uses_.reader(r) == RegisterUses::kNobody;
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 pc = size(); pc-- > 0;) {
        if (!asks_for_upper(pc)) continue;
        for (const RegisterNumber r : out_.reads.of(pc))
          if (!upper[r]) upper[r] = changed = true;
      }
    }
  }
  bool asks_for_upper(u32 pc) const {
    const Instruction& in = program_.code[pc];
    if (in.shape == Shape::load) return in.space != Space::shared;
    if (in.shape == Shape::store) return in.space != Space::shared || size_of(in.type) == 8;
    if (in.shape == Shape::convert)
      return is_float(in.type) || is_float(in.dest_type) || size_of(in.dest_type) == 8;
    if (in.shape == Shape::move) return upper_of_result(pc);
    if (in.shape == Shape::select) return upper_of_result(pc);
    switch (in.op) {
      case Op::add:
      case Op::sub:
      case Op::mul_lo:
      case Op::mad_lo:
      case Op::mad_wide:
      case Op::shl:
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::not_:
      case Op::neg: return is_float(in.type) || upper_of_result(pc);
      default: return true;
    }
  }
  bool upper_of_result(u32 pc) const {
    for (const RegisterNumber r : out_.writes.of(pc))
      if (out_.needs_upper[r]) return true;
    return false;
  }

  const u64* constant(const Function& f, FrameOffset frame) const {
    const auto of_function = constants_.find(&f - program_.functions.data());
    if (of_function == constants_.end()) return nullptr;
    const auto found = of_function->second.find(frame);
    return found == of_function->second.end() ? nullptr : &found->second;
  }

  u8 wide_words(const Function& f, u32 pc) const {
    const Instruction& in = program_.code[pc];
    constexpr u64 kLow = 0xffffffffu;
    const u64* const number = constant(f, in.s[1]);
    if (number && (in.op == Op::shl || in.op == Op::shr)) {
      if (*number == 32) return 0;  // one half is 0, the other has moved
      if (*number > 32 || turns(f, pc)) return 1;
    }
    if (number && in.op == Op::and_ && *number == kLow) return 0;
    if (in.op == Op::add && is_turned(f, pc)) return 0;
    const bool is_low = !upper_of_result(pc) && !out_.writes.of(pc).empty();
    return is_low ? 1 : 2;
  }
  // The other shift of a value that is rotated, as LLVM writes it for 64 bits: a shift to the left, one to the right, and
  // their sum. ptxas makes two funnel shifts of the three.
  bool turns(const Function& f, u32 pc) const {
    const auto written = out_.writes.of(pc);
    if (written.size() != 1) return false;
    const u32 reader = uses_.reader(written[0]);
    return RegisterUses::is_one(reader) && program_.code[reader].op == Op::add && is_turned(f, reader);
  }
  bool is_turned(const Function& f, u32 pc) const {
    const auto read = out_.reads.of(pc);
    if (read.size() != 2) return false;
    const u32 first = uses_.writer(read[0]), second = uses_.writer(read[1]);
    if (!RegisterUses::is_one(first) || !RegisterUses::is_one(second)) return false;
    const Instruction &left = program_.code[first], &right = program_.code[second];
    if (left.op != Op::shl || right.op != Op::shr || left.s[0] != right.s[0]) return false;
    const u64 *const by = constant(f, left.s[1]), *const back = constant(f, right.s[1]);
    return by && back && *by + *back == 64;
  }

  bool is_narrow_sum(u32 pc) const {
    const Instruction& in = program_.code[pc];
    return is_sum(in.op) && !is_float(in.type) && size_of(in.type) >= 4 && out_.words[pc] == 1 &&
           in.guard == kNoOperand;
  }
  bool takes_product(u32 pc) const { return uses_.takes_product(program_, out_, pc); }
  // Of two sums, the second of which alone needs the first one's result, ptxas makes one of three numbers.
  void pair_sums(u32 pc) {
    if (!is_narrow_sum(pc) || out_.is_triple[pc] || takes_product(pc)) return;
    const auto written = out_.writes.of(pc);
    if (written.size() != 1 || uses_.writer(written[0]) != pc) return;
    const u32 next = uses_.reader(written[0]);
    if (!RegisterUses::is_one(next) || next <= pc || run_[next] != run_[pc] || !is_narrow_sum(next) ||
        out_.is_triple[next] || takes_product(next))
      return;
    out_.words[pc] = 0;
    out_.is_triple[next] = true;
  }

  const Program& program_;
  ProgramCosts& out_;
  const RegisterUses uses_;
  std::vector<u32> run_;                                                                // by pc
  std::unordered_map<std::ptrdiff_t, std::unordered_map<FrameOffset, u64>> constants_;  // by function
};

}  // namespace

void fill_words(const Program& program, ProgramCosts& out) { IntegerWords(program, out).fill(); }

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
