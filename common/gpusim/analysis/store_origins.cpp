#include "analysis/store_origins.h"

#include <algorithm>
#include <span>
#include <utility>

namespace gpusim {
namespace {

template <class T> void add_new(std::vector<T>& all, const T& one) {
  if (std::ranges::find(all, one) == all.end()) all.push_back(one);
}

class Search {
 public:
  Search(const Program& program, const Function& kernel) : program_(program), kernel_(kernel) {
    for (u32 pc = kernel.begin; pc < kernel.end; ++pc)
      for (const FrameOffset reg : program.code[pc].d)
        if (reg != kNoOperand) definitions_.push_back({reg, pc});
    std::ranges::sort(definitions_);
  }

  // Follows an address to the registers it is computed from. False if one of them may hold any address.
  bool follow(FrameOffset address) {
    if (address == kNoOperand) return false;
    std::vector<FrameOffset> open{address};
    while (!open.empty()) {
      const FrameOffset reg = open.back();
      open.pop_back();
      if (reg == kNoOperand || std::ranges::find(seen_, reg) != seen_.end()) continue;
      seen_.push_back(reg);
      auto definition = std::ranges::lower_bound(definitions_, reg, {}, &Definition::first);
      const auto behind = std::ranges::upper_bound(definitions_, reg, {}, &Definition::first);
      if (definition == behind && !add_constant(reg)) return false;
      for (; definition != behind; ++definition) {
        const Instruction& in = program_.code[definition->second];
        if (in.shape == Shape::load) {
          if (!add_loaded(in)) return false;
          continue;
        }
        const auto sources = addresses_among(in);
        if (!sources) return false;
        open.insert(open.end(), sources->begin(), sources->end());
      }
    }
    return true;
  }
  StoreOrigins found() && { return std::move(found_); }

 private:
  using Definition = std::pair<FrameOffset, u32>;

  // What a register holds that nothing writes. A number is no pointer; shared and local memory are not global.
  bool add_constant(FrameOffset reg) {
    for (const Constant& c : kernel_.constants) {
      if (c.frame != reg) continue;
      if (c.base == Constant::Base::variable) add_new(found_.variables, c.variable);
      if (c.base == Constant::Base::none) add_variable_at(c.value);
      return true;
    }
    return std::ranges::find(kernel_.specials, reg, &SpecialValue::frame) != kernel_.specials.end();
  }

  // Once the module is loaded, the address of a variable is a number.
  void add_variable_at(u64 address) {
    for (u32 v = 0; v < program_.variables.size(); ++v) {
      const Variable& variable = program_.variables[v];
      if (variable.address && variable.space == Space::global && address - variable.address < variable.size)
        add_new(found_.variables, v);
    }
  }

  bool add_loaded(const Instruction& in) {
    if (size_of(in.type) < 8) return true;
    if (in.space != Space::param) return false;
    const auto first = loaded_parameter(kernel_, in, u64(8) * in.vector);
    if (!first) return false;
    for (u32 element = 0; element < in.vector; ++element)
      add_new(found_.parameters, {first->parameter, first->at + 8 * element});
    return true;
  }

  // The sources that may pass on an address to the instruction's result; nothing if the result may be any address.
  static std::optional<std::span<const FrameOffset>> addresses_among(const Instruction& in) {
    const std::span<const FrameOffset> none, s = in.s;
    const bool is_long = size_of(in.type) == 8;
    switch (in.shape) {
      case Shape::move:
        if (in.mode != kMovePlain) return std::nullopt;  // halves of an address
        [[fallthrough]];
      case Shape::unary:
      case Shape::convert:
      case Shape::address:
      case Shape::shift: return is_long ? s.first(1) : none;
      case Shape::binary:
        if (is_long && in.op == Op::or_) return std::nullopt;  // parts of one that lies unaligned in a struct
        [[fallthrough]];
      case Shape::select: return is_long ? s.first(2) : none;
      case Shape::slct:
        return size_of(in.dest_type) == 8 ? s.first(2) : none;  // its second type is that of the choice
      case Shape::ternary: return is_long ? s.first(3) : none;
      case Shape::widening2: return none;
      case Shape::widening3: return s.subspan(2, 1);
      case Shape::extract:
      case Shape::insert:
      case Shape::count:
      case Shape::lut:
      case Shape::testp:
      case Shape::permute:
      case Shape::dot:
      case Shape::carry2:
      case Shape::carry3:
      case Shape::compare:
      case Shape::compare_set:
      case Shape::space_test:
#define WARP_SHAPE(name, ...) case Shape::name:
#define SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
        return std::nullopt;
    }
    return std::nullopt;
  }

  const Program& program_;
  const Function& kernel_;
  std::vector<Definition> definitions_;  // of all registers, in order
  std::vector<FrameOffset> seen_;
  StoreOrigins found_;
};

}  // namespace

std::optional<StoreOrigins> store_origins(const Program& program, const Function& kernel) {
  Search search(program, kernel);
  for (u32 pc = kernel.begin; pc < kernel.end; ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape == Shape::call) {
      const std::string& callee = program.calls[in.target].callee;
      if (callee != "vprintf" && callee != "__assertfail") return std::nullopt;
    }
    if (may_write_global(in) && !search.follow(in.s[0])) return std::nullopt;
  }
  return std::move(search).found();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
