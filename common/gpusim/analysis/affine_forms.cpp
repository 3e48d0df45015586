#include "analysis/affine_forms.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "ptx/kernel_info.h"
#include "ptx/parameter_bytes.h"

namespace gpusim {

Range AffineForms::Integer::range() const {
  const u64 half = u64(1) << (bits - 1);
  if (is_signed) return {s64(~(half - 1)), s64(half - 1)};
  return {0, bits == 64 ? std::numeric_limits<s64>::max() : s64(2 * half - 1)};
}

std::optional<AffineForms::Integer> AffineForms::integer(Type type) {
  if (is_float(type) || size_of(type) < 4) return std::nullopt;
  return Integer{8 * size_of(type), is_signed(type)};
}

bool AffineForms::is_only_result(const Instruction& in, FrameOffset reg) {
  return in.guard == kNoOperand && in.d[0] == reg && std::ranges::count(in.d, reg) == 1;
}

AffineForms::AffineForms(const LaunchInfo& launch)
    : launch_(launch),
      kernel_(launch.program->functions[launch.kernel->function]),
      ssa_(*launch.program, kernel_) {}

MaybeForm AffineForms::form_at(u32 pc, FrameOffset reg) { return expand(of(ssa_.before(pc, reg))); }

AffineForm AffineForms::add(Kind kind, u32 of, std::optional<s64> most) {
  variables_.push_back({kind, of, most, kind != Kind::round});
  return {0, {{u32(variables_.size() - 1), 1}}};
}

// A value of which only the range is known.
MaybeForm AffineForms::anything(const std::optional<Range>& r) {
  if (!r) return std::nullopt;
  const auto most = exact(Wide(r->high) - r->low);
  if (!most || *most < 0) return std::nullopt;
  if (*most == 0) return form_of(r->low);
  return sum(form_of(r->low), add(Kind::any, 0, most), 1);
}

std::optional<s64> AffineForms::most(u32 variable) {
  if (!variables_[variable].is_known) {
    variables_[variable].is_known = true;  // until it is: nothing
    const std::optional<s64> found = most_rounds(variables_[variable].of);
    variables_[variable].most = found;
  }
  return variables_[variable].most;
}

std::optional<Range> AffineForms::range(const AffineForm& f) {
  Wide low = f.constant, high = f.constant;
  for (const auto& [variable, factor] : f.terms) {
    const auto most_of_one = most(variable);
    if (!most_of_one) return std::nullopt;
    (factor < 0 ? low : high) += Wide(factor) * *most_of_one;
    if (!range_of(low, high)) return std::nullopt;
  }
  return range_of(low, high);
}

std::optional<Range> AffineForms::range_if(const MaybeForm& f) { return f ? range(*f) : std::nullopt; }

MaybeForm AffineForms::of(Value v) {
  const auto [known, is_new] = forms_.try_emplace(v);
  if (!is_new) return known->second;
  return forms_[v] = find(v);
}

MaybeForm AffineForms::find(Value v) {
  const ptx::Ssa::Definition d = ssa_.definition(v);
  switch (d.kind) {
    case ptx::Ssa::Kind::initial: return initial(d.reg);
    case ptx::Ssa::Kind::phi: return begins_loop(d.at) ? add(Kind::phi, v, std::nullopt) : merged(v);
    case ptx::Ssa::Kind::instruction: break;
  }
  const Instruction& in = instruction(d.at);
  return is_only_result(in, d.reg) ? result(d.at) : std::nullopt;
}

MaybeForm AffineForms::initial(FrameOffset reg) {
  for (const Constant& c : kernel_.constants) {
    if (c.frame != reg) continue;
    if (c.lane_stride != 0) return std::nullopt;
    if (c.base == Constant::Base::none && c.bytes == 4) return form_of(s32(u32(c.value)));
    if (c.base == Constant::Base::none && c.bytes == 8) return form_of(s64(c.value));
    if (c.base != Constant::Base::variable || c.bytes != 8) return std::nullopt;
    return form_of(s64(launch_.program->variables[c.variable].address + c.value));
  }
  const auto special = std::ranges::find(kernel_.specials, reg, &SpecialValue::frame);
  if (special == kernel_.specials.end() || special->bytes != 4) return std::nullopt;
  const auto index = [&](Kind kind, u32 count) -> MaybeForm {
    if (count <= 1) return form_of(0);
    const auto known = positions_.find(u32(special->which));
    if (known != positions_.end()) return known->second;
    return positions_[u32(special->which)] = add(kind, 0, count - 1);
  };
  const Dim3 &block = launch_.block, &grid = launch_.grid;
  switch (special->which) {
    case Special::tid_x: return index(Kind::thread, block.x);
    case Special::tid_y: return index(Kind::thread, block.y);
    case Special::tid_z: return index(Kind::thread, block.z);
    case Special::ctaid_x: return index(Kind::block, grid.x);
    case Special::ctaid_y: return index(Kind::block, grid.y);
    case Special::ctaid_z: return index(Kind::block, grid.z);
    case Special::ntid_x: return form_of(block.x);
    case Special::ntid_y: return form_of(block.y);
    case Special::ntid_z: return form_of(block.z);
    case Special::nctaid_x: return form_of(grid.x);
    case Special::nctaid_y: return form_of(grid.y);
    case Special::nctaid_z: return form_of(grid.z);
    case Special::laneid: return anything(Range{0, kWarpSize - 1});
    case Special::warpid: return anything(Range{0, launch_.warps_per_block - 1});
    default: return std::nullopt;
  }
}

MaybeForm AffineForms::loaded(const Instruction& in) const {
  const u32 bytes = size_of(in.type);
  if (in.space != Space::param || in.vector != 1 || !integer(in.type) || in.d_bytes != bytes ||
      !launch_.params)
    return std::nullopt;
  const auto from = loaded_parameter(kernel_, in, bytes);
  if (!from) return std::nullopt;
  const u8* const at = launch_.params + launch_.kernel->params[from->parameter].offset + from->at;
  const auto as = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return form_of(value);
  };
  return bytes == 4 ? as(s32{}) : as(s64{});
}

MaybeForm AffineForms::expand(const MaybeForm& f) {
  if (!f) return std::nullopt;
  MaybeForm all = form_of(f->constant);
  for (const AffineForm::Term& term : f->terms) {
    const Variable v = variables_[term.variable];
    const MaybeForm one =
        v.kind == Kind::phi ? in_loop(v.of) : MaybeForm(AffineForm{0, {{term.variable, 1}}});
    all = sum(all, one, term.factor);
    if (!all) return std::nullopt;
  }
  return all;
}

MaybeForm AffineForms::in_range(const MaybeForm& f, const std::optional<Integer>& type) {
  const auto r = range_if(expand(f));
  if (!r || !type) return std::nullopt;
  const Range all = type->range();
  if (r->low >= all.low && r->high <= all.high) return f;
  if (type->bits == 64) return std::nullopt;
  const Wide modulus = Wide(1) << type->bits, from_low = Wide(r->low) - all.low;
  const Wide shift = from_low - (from_low % modulus + modulus) % modulus;
  return r->high - shift <= all.high ? sum(f, form_of(shift), -1) : std::nullopt;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
