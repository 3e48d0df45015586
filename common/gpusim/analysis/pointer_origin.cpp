#include "analysis/pointer_origin.h"

#include <algorithm>
#include <vector>

namespace gpusim {
namespace {

constexpr u32 kMostSteps = 200;  // definitions that are looked at

class OriginSearch {
 public:
  OriginSearch(const Program& program, const Function& kernel) : program_(program), kernel_(kernel) {}

  // From the instructions before `pc`, the last that writes the register: what it is made of.
  void definition_of(FrameOffset reg, u32 pc) {
    if (reg == kNoOperand) return;
    for (u32 at = pc; at-- > kernel_.begin;) {
      const Instruction& in = program_.code[at];
      if (std::ranges::find(in.d, reg) == std::end(in.d)) continue;
      if (++steps_ > kMostSteps) return;
      sources_of(in, at);
      if (in.guard == kNoOperand) return;  // or it was not executed, and an earlier one counts
    }
  }
  std::optional<ParameterBytes> found() const {
    return found_.size() == 1 && steps_ <= kMostSteps ? std::optional(found_.front()) : std::nullopt;
  }

 private:
  void sources_of(const Instruction& in, u32 at) {
    const bool is_sum = in.op == Op::add || in.op == Op::sub || in.op == Op::mad_lo || in.op == Op::mad_wide;
    if (in.shape == Shape::load) {
      if (in.space == Space::param) parameter(in);
    } else if (is_sum || in.shape == Shape::move || in.shape == Shape::address || in.shape == Shape::select) {
      for (const FrameOffset source : in.s) definition_of(source, at);
    }
  }
  void parameter(const Instruction& in) {
    if (in.d_bytes != 8) return;
    const auto origin = loaded_parameter(kernel_, in, 8);
    if (origin && std::ranges::find(found_, *origin) == found_.end()) found_.push_back(*origin);
  }

  const Program& program_;
  const Function& kernel_;
  std::vector<ParameterBytes> found_;
  u32 steps_ = 0;
};

}  // namespace

std::optional<ParameterBytes> pointer_origin(const Program& program, const Function& kernel, u32 pc) {
  if (pc < kernel.begin || pc >= kernel.end) return std::nullopt;
  OriginSearch search(program, kernel);
  search.definition_of(program.code[pc].s[0], pc);
  return search.found();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
