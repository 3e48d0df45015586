#include "analysis/shared_arrays.h"

#include <algorithm>
#include <unordered_map>

namespace gpusim {
namespace {

// What a register may hold, over all instructions that write it: a lattice in which values only move up.
struct Origin {
  enum Kind : u8 { unseen, number, array, mixed } kind = unseen;
  u32 variable = 0;  // array
  bool operator==(const Origin&) const = default;
};

Origin either(Origin a, Origin b) {
  if (a.kind == Origin::unseen || a == b) return b;
  if (b.kind == Origin::unseen) return a;
  return {Origin::mixed};
}
// A number added to the address of an array is an address of the same array.
Origin sum(Origin a, Origin b) {
  if (a.kind == Origin::unseen || b.kind == Origin::unseen) return {};
  if (a.kind == Origin::number) return b;
  if (b.kind == Origin::number) return a;
  return {Origin::mixed};
}

class OriginAnalysis {
 public:
  OriginAnalysis(const Program& program, const Function& f) {
    for (const Constant& c : f.constants)
      if (c.base == Constant::Base::shared) origins_[c.frame] = {Origin::array, c.variable};
      else origins_[c.frame] = {c.base == Constant::Base::none ? Origin::number : Origin::mixed};
    for (u32 pc = f.begin; pc < f.end; ++pc)
      for (const FrameOffset d : program.code[pc].d)
        if (d != kNoOperand) origins_[d] = {Origin::unseen};
    do {
      changed_ = false;
      for (u32 pc = f.begin; pc < f.end; ++pc) write_results(program.code[pc]);
    } while (changed_);
  }

  // What no instruction writes is a number: a special register, a parameter.
  Origin of(FrameOffset reg) const {
    const auto known = origins_.find(reg);
    return known == origins_.end() ? Origin{Origin::number} : known->second;
  }

 private:
  Origin result(const Instruction& in) const {
    switch (in.op) {
      case Op::add:
      case Op::or_: return sum(of(in.s[0]), of(in.s[1]));  // or: to an address of which the lower bits are 0
      case Op::sub: {
        const Origin subtracted = of(in.s[1]);
        return subtracted.kind <= Origin::number ? sum(of(in.s[0]), subtracted) : Origin{Origin::mixed};
      }
      case Op::mad_lo:
      case Op::mad_wide: {
        const Origin product = sum(of(in.s[0]), of(in.s[1]));
        return product.kind <= Origin::number ? sum(product, of(in.s[2])) : Origin{Origin::mixed};
      }
      default: break;
    }
    if (in.shape == Shape::select) return either(of(in.s[0]), of(in.s[1]));
    if (computes_lanes(in.shape) &&
        facts_of(in.shape).names == ShapeFacts::Names::variables)  // move, cvt, cvta
      return in.s[1] == kNoOperand ? of(in.s[0]) : Origin{Origin::mixed};
    // What is loaded is a number as far as this function knows; what is computed in other ways is none of an array's addresses.
    for (const FrameOffset s : in.s)
      if (of(s).kind > Origin::number && !reads_addressed(in.shape)) return {Origin::mixed};
    return {Origin::number};
  }
  void write_results(const Instruction& in) {
    const Origin value = result(in);
    for (const FrameOffset d : in.d) {
      if (d == kNoOperand) continue;
      Origin& known = origins_[d];
      const Origin joined = either(known, value);
      changed_ |= !(joined == known);
      known = joined;
    }
  }

  std::unordered_map<FrameOffset, Origin> origins_;
  bool changed_ = false;
};

}  // namespace

std::vector<std::optional<u32>> shared_arrays(const Program& program, const Function& f) {
  std::vector<std::optional<u32>> arrays(f.end - f.begin);
  if (std::ranges::none_of(f.constants, [](const Constant& c) { return c.base == Constant::Base::shared; }))
    return arrays;
  const OriginAnalysis origins(program, f);
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    const Instruction& in = program.code[pc];
    if (!is_load_or_store(in.shape) && !is_atomic(in.shape)) continue;
    if (in.space != Space::shared && in.space != Space::generic) continue;
    const Origin origin = origins.of(in.s[0]);
    if (origin.kind == Origin::array && !program.variables[origin.variable].is_extern)
      arrays[pc - f.begin] = origin.variable;
  }
  return arrays;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
