#include "analysis/thresholds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace gpusim {
namespace {

constexpr int kMostSteps = 8;                  // back from a comparison
constexpr u64 kMostNumber = u64(1) << 32;      // what an int or an unsigned int can be compared with
constexpr std::size_t kMostOfComparison = 32;  // numbers that one comparison gives

bool is_comparison(const Instruction& in) {
  return facts_of(in.shape).words == ShapeFacts::Words::comparison || in.op == Op::min || in.op == Op::max;
}

class Finder {
 public:
  // `Parameters::numbers`: a parameter of eight bytes is a pointer, and no size.
  enum class Parameters { all, numbers };
  Finder(const Program& program, const Function& f, Parameters parameters = Parameters::all)
      : program_(program), function_(f), parameters_(parameters) {
    for (const Constant& c : f.constants)
      if (c.base == Constant::Base::none && c.lane_stride == 0 && c.bytes > 0) constants_[c.frame] = c.value;
    for (u32 pc = f.begin; pc < f.end; ++pc)
      for (const FrameOffset d : program.code[pc].d)
        if (d != kNoOperand) written_by_[d].push_back(pc);
    find_sizes();
  }

  std::vector<Threshold> find() const {
    std::vector<Threshold> all;
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (!is_comparison(in)) continue;
      for (const int side : {0, 1}) {
        if (!constants_.contains(in.s[side])) continue;
        if (is_float(in.type)) add_float(all, pc, in.s[side]);
        else if (sizes_.contains(in.s[1 - side]))
          add_numbers(all, pc, in.s[1 - side], *constant(in.s[side], in.type));
      }
    }
    return all;
  }

  std::vector<u32> find_branches() const {
    std::vector<u32> all;
    for (u32 pc = function_.begin; pc < function_.end; ++pc) {
      const Instruction& in = program_.code[pc];
      if (in.shape == Shape::branch && in.guard != kNoOperand && compares_sizes(in.guard, kMostSteps))
        all.push_back(pc);
    }
    return all;
  }

 private:
  // Whether what gives the predicate its value compares sizes, or a logical operation is given one that does.
  bool compares_sizes(FrameOffset predicate, int steps) const {
    const auto writers = written_by_.find(predicate);
    if (steps == 0 || writers == written_by_.end()) return false;
    return std::ranges::any_of(writers->second, [&](u32 pc) {
      const Instruction& in = program_.code[pc];
      const auto is_one = [&](FrameOffset s) {
        if (s == kNoOperand) return false;
        return in.shape == Shape::compare ? !is_float(in.type) && sizes_.contains(s) && !is_upper_half(s)
                                          : in.type == Type::pred && compares_sizes(s, steps - 1);
      };
      return std::ranges::any_of(in.s, is_one);
    });
  }

  // The compiler divides 64 bits by an instruction of 32 where the upper halves are 0: a branch that no source has.
  bool is_upper_half(FrameOffset reg) const {
    constexpr u64 kUpper = u64(0xffffffff) << 32;
    const auto writers = written_by_.find(reg);
    return writers != written_by_.end() && std::ranges::all_of(writers->second, [&](u32 pc) {
             const Instruction& in = program_.code[pc];
             return in.op == Op::and_ && std::ranges::any_of(in.s, [&](FrameOffset s) {
                      const auto number = constants_.find(s);
                      return number != constants_.end() && number->second == kUpper;
                    });
           });
  }

  // As a number of this type.
  std::optional<s64> constant(FrameOffset operand, Type type) const {
    const auto found = constants_.find(operand);
    if (found == constants_.end()) return std::nullopt;
    switch (size_of(type)) {
      case 2: return is_signed(type) ? s64(s16(found->second)) : s64(u16(found->second));
      case 4: return type == Type::u32 ? s64(u32(found->second)) : s64(s32(found->second));
      default: return s64(found->second);
    }
  }

  void add_float(std::vector<Threshold>& all, u32 pc, FrameOffset operand) const {
    const Type type = program_.code[pc].type;
    if (type != Type::f32 && type != Type::f64) return;
    const u64 bits = constants_.at(operand);
    const double value =
        type == Type::f32 ? double(std::bit_cast<float>(u32(bits))) : std::bit_cast<double>(bits);
    if (std::isfinite(value) && value != 0) all.push_back({pc, true, 0, value});
  }

  // The number, and what it is for the values from which `compared` is computed.
  void add_numbers(std::vector<Threshold>& all, u32 pc, FrameOffset compared, s64 number) const {
    std::set<u64> numbers;
    std::set<FrameOffset> seen;
    go_back(compared, number, kMostSteps, numbers, seen);
    for (const u64 n : numbers) all.push_back({pc, false, n, 0});
  }

  void go_back(FrameOffset reg, s64 number, int steps, std::set<u64>& numbers,
               std::set<FrameOffset>& seen) const {
    const u64 magnitude = number < 0 ? 0 - u64(number) : u64(number);
    if (magnitude > kMostNumber || numbers.size() >= kMostOfComparison) return;
    numbers.insert(magnitude);
    if (steps == 0 || !seen.insert(reg).second) return;
    const auto writers = written_by_.find(reg);
    if (writers == written_by_.end()) return;
    for (const u32 pc : writers->second) {
      const Instruction& in = program_.code[pc];
      for (int side = 0; side < 3; ++side) {
        if (in.s[side] == kNoOperand || !sizes_.contains(in.s[side])) continue;
        if (const auto before = number_before(in, side, number))
          go_back(in.s[side], *before, steps - 1, numbers, seen);
      }
    }
  }

  // What source `side` is where the instruction gives `number`. Of what is added to it and not known it is taken to be 0.
  std::optional<s64> number_before(const Instruction& in, int side, s64 number) const {
    const int other_side = side == 0 ? 1 : 0;
    const s64 other = constant(in.s[other_side], in.type).value_or(0);
    switch (in.op) {
      case Op::mov:
      case Op::cvt:
      case Op::or_:
      case Op::min:
      case Op::max:
      case Op::abs:
      case Op::selp: return number;
      case Op::neg: return -number;
      case Op::not_: return ~number;
      case Op::add: return number - other;
      case Op::sub: return side == 0 ? number + other : other - number;
      case Op::shl: return side == 0 && other < 32 ? std::optional(number >> other) : std::nullopt;
      case Op::shr: return side == 0 && other < 32 ? std::optional(number << other) : std::nullopt;
      case Op::and_: return other > 0 ? std::optional(other) : number;
      case Op::div: return side == 0 && other > 0 ? std::optional(number * other) : std::nullopt;
      case Op::rem: return side == 0 && other > 0 ? std::optional(other) : std::nullopt;
      case Op::mul_lo:
      case Op::mul_wide:
      case Op::mad_lo:
      case Op::mad_wide:
        if (side == 2) return number;
        return other > 0 ? std::optional(number / other) : std::nullopt;
      default: return std::nullopt;
    }
  }

  // Registers that depend on a parameter or on the number of a block; and those that are compared with such a one, as a loop's counter is.
  void find_sizes() {
    using enum Special;
    for (const SpecialValue& special : function_.specials)
      for (const Special which : {ctaid_x, ctaid_y, ctaid_z, nctaid_x, nctaid_y, nctaid_z})
        if (special.which == which) sizes_.insert(special.frame);
    if (!function_.is_kernel)
      for (const ParamVar& param : function_.params) sizes_.insert(param.frame);
    for (std::size_t before = sizes_.size() + 1; before != sizes_.size();) {
      before = sizes_.size();
      for (u32 pc = function_.begin; pc < function_.end; ++pc) spread(program_.code[pc]);
    }
  }

  void spread(const Instruction& in) {
    const auto is_size = [&](FrameOffset s) { return s != kNoOperand && sizes_.contains(s); };
    if (in.shape == Shape::load) {
      if (in.space == Space::param && (parameters_ == Parameters::all || size_of(in.type) < 8)) mark(in.d);
      return;
    }
    if (in.shape == Shape::compare) {
      for (const int side : {0, 1})
        if (is_size(in.s[side]) && !is_float(in.type) && written_by_.contains(in.s[1 - side]))
          sizes_.insert(in.s[1 - side]);
      return;
    }
    if (facts_of(in.shape).computes_lanes && std::ranges::any_of(in.s, is_size)) mark(in.d);
  }
  void mark(const FrameOffset (&registers)[4]) {
    for (const FrameOffset d : registers)
      if (d != kNoOperand) sizes_.insert(d);
  }

  const Program& program_;
  const Function& function_;
  const Parameters parameters_;
  std::map<FrameOffset, u64> constants_;
  std::map<FrameOffset, std::vector<u32>> written_by_;
  std::set<FrameOffset> sizes_;
};

}  // namespace

std::vector<Threshold> thresholds(const Program& program, const Function& function) {
  return Finder(program, function).find();
}

std::vector<u32> branches_on_sizes(const Program& program, const Function& function) {
  return Finder(program, function, Finder::Parameters::numbers).find_branches();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
