#include "analysis/block_independence.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "analysis/affine_forms.h"
#include "ptx/kernel_info.h"

namespace gpusim {
namespace {

constexpr u32 kMostInstructions =
    4096;  // of a kernel: to look at more of them takes longer than it may spare

using Bounds = std::vector<AffineForms::Bound>;

struct GlobalAccess {
  bool is_store;
  AffineForm address;
  s64 bytes;
  Bounds bounds;
  Range span;  // of all threads: the first byte and the one behind the last
  bool meets(const GlobalAccess& other) const {
    return span.low < other.span.high && other.span.low < span.high;
  }
};

// A sum's part: factor × (0 … most).
struct Digit {
  s64 factor, most;
  bool is_block;
  MaybeForm form;  // nothing: what the accesses of a group differ by
};

class GlobalAccesses {
 public:
  explicit GlobalAccesses(const LaunchInfo& launch) : launch_(launch), forms_(launch) {}

  bool is_shown() {
    if (!forms_.can_tell() || !collect()) return false;
    for (const GlobalAccess& store : accesses_)
      for (const GlobalAccess& other : accesses_)
        if (store.is_store && !other.is_store && store.meets(other)) return false;
    std::erase_if(accesses_, [](const GlobalAccess& a) { return !a.is_store; });
    while (!accesses_.empty())
      if (!has_blocks_apart(take_group())) return false;
    return true;
  }

 private:
  // Whether an instruction may do something that this analysis does not examine.
  static bool does_more(const Instruction& in) {
    if (in.shape == Shape::call) return true;
    if (!is_load_or_store(in.shape)) return may_access_global(in);
    // Forms treat parameters as constant, so a store to one is not covered.
    return writes_addressed(in.shape) && in.space == Space::param;
  }
  // (Loads of constant memory go wherever their address says.)
  static bool is_global(const Instruction& in) {
    return is_load_or_store(in.shape) &&
           (in.space == Space::global || in.space == Space::generic || in.space == Space::constant);
  }

  bool collect() {
    const Program& program = *launch_.program;
    const Function& kernel = program.functions[launch_.kernel->function];
    for (u32 pc = kernel.begin; pc < kernel.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (does_more(in)) return false;
      if (!is_global(in) || !forms_.is_reached(pc)) continue;
      if (in.order != MemoryOrder::weak || in.address_bytes != sizeof(u64)) return false;
      const MaybeForm address = sum(forms_.form_at(pc, in.s[0]), AffineForm{in.offset, {}}, 1);
      if (!address) return false;
      GlobalAccess a{
          in.shape == Shape::store, *address, s64(size_of(in.type)) * in.vector, forms_.bounds_at(pc), {}};
      const auto low = lowest(a.address, a.bounds), high = highest(a.address, a.bounds);
      if (!low || *low < 0 || !high || __builtin_add_overflow(*high, a.bytes, &a.span.high)) return false;
      a.span.low = *low;
      accesses_.push_back(std::move(a));
    }
    return true;
  }

  // An upper bound of the form over all threads: subtracts what the bounds limit, and takes each variable that is left at its
  // largest.
  std::optional<s64> highest(const AffineForm& form, const Bounds& bounds) {
    const auto all = forms_.range(form);
    if (!all) return std::nullopt;
    s64 best = all->high, known = 0;
    AffineForm rest = form;
    for (const AffineForms::Bound& bound : bounds) {
      const auto& [variable, of_bound] = *std::ranges::max_element(
          bound.form.terms, {},
          [](const AffineForm::Term& t) { return t.factor < 0 ? -t.factor : t.factor; });
      const s64 of_rest = rest.factor_of(variable);
      if (of_rest % of_bound != 0 || of_rest / of_bound <= 0) continue;
      const s64 times = of_rest / of_bound;
      const MaybeForm less = sum(rest, bound.form, -times);
      const auto of_less = less ? forms_.range(*less) : std::nullopt;
      s64 taken, total;
      if (!of_less || __builtin_mul_overflow(times, bound.most, &taken) ||
          __builtin_add_overflow(taken, known, &taken) ||
          __builtin_add_overflow(of_less->high, taken, &total) || total >= best)
        continue;
      best = total, known = taken, rest = *less;
    }
    return best;
  }
  std::optional<s64> lowest(const AffineForm& form, const Bounds& bounds) {
    const MaybeForm negative = sum(AffineForm{}, form, -1);
    const auto most = negative ? highest(*negative, bounds) : std::nullopt;
    return most ? std::optional(-*most) : std::nullopt;
  }

  // Removes a store and returns it with every access that may touch the same bytes, or the same bytes as another one in the
  // group.
  std::vector<GlobalAccess> take_group() {
    std::vector<GlobalAccess> group{std::move(accesses_.back())};
    accesses_.pop_back();
    for (std::size_t k = 0; k < group.size(); ++k)
      for (std::size_t at = 0; at < accesses_.size();)
        if (group[k].meets(accesses_[at])) {
          group.push_back(std::move(accesses_[at]));
          accesses_.erase(accesses_.begin() + std::ptrdiff_t(at));
        } else {
          ++at;
        }
    return group;
  }

  // If addresses differ only in their constants, they are numbers whose digits are the terms, smallest factor first. Blocks are
  // apart if, from the first digit of a block on, each digit's factor is at least the span of all the lower digits.
  bool has_blocks_apart(const std::vector<GlobalAccess>& group) {
    const GlobalAccess& first = group.front();
    std::vector<Digit> digits;
    u32 of_blocks = 0;
    for (const AffineForm::Term& term : first.address.terms) {
      const auto most = forms_.most(term.variable);
      if (!most) return false;
      const bool is_block = forms_.is_of_block(term.variable);
      of_blocks += is_block;
      digits.push_back({std::abs(term.factor), *most, is_block, AffineForm{0, {term}}});
    }
    const Dim3& grid = launch_.grid;
    if (of_blocks != u32(grid.x > 1) + u32(grid.y > 1) + u32(grid.z > 1)) return false;
    Wide width = 0;
    if (!add_differences(group, digits, width)) return false;
    const Bounds bounds = common_bounds(group);

    std::ranges::stable_sort(digits, {}, &Digit::factor);
    AffineForm below;
    Wide most_below = width;
    bool tells = false;
    for (const Digit& digit : digits) {
      tells |= digit.is_block;
      if (tells && digit.factor < most_below) {
        const auto low = lowest(below, bounds), high = highest(below, bounds);
        if (!low || !high) return false;
        most_below = std::min(most_below, Wide(*high) - *low + width);
        if (digit.factor < most_below) return false;
      }
      most_below += Wide(digit.factor) * digit.most;
      if (!digit.form) width += Wide(digit.factor) * digit.most;
      const MaybeForm more = digit.form ? sum(below, *digit.form, 1) : below;
      if (!more) return false;
      below = *more;
    }
    return true;
  }

  // False if the addresses differ in more than their constants. `width` becomes the bytes of an access, or of accesses that lie
  // together. Constants at equal distances become another digit.
  static bool add_differences(const std::vector<GlobalAccess>& group, std::vector<Digit>& digits,
                              Wide& width) {
    std::vector<s64> constants;
    s64 bytes = 0;
    for (const GlobalAccess& a : group) {
      if (a.address.terms != group.front().address.terms) return false;
      constants.push_back(a.address.constant);
      bytes = std::max(bytes, a.bytes);
    }
    std::ranges::sort(constants);
    constants.erase(std::unique(constants.begin(), constants.end()), constants.end());
    const s64 distance = constants.size() > 1 ? constants[1] - constants[0] : 0;
    bool are_equal = distance > bytes;
    for (std::size_t k = 1; k < constants.size(); ++k)
      are_equal &= constants[k] - constants[k - 1] == distance;
    width = Wide(bytes) + (are_equal ? 0 : constants.back() - constants.front());
    if (are_equal) digits.push_back({distance, s64(constants.size()) - 1, false, std::nullopt});
    return true;
  }
  // The bounds that hold for every access of the group.
  static Bounds common_bounds(const std::vector<GlobalAccess>& group) {
    Bounds common = group.front().bounds;
    std::erase_if(common, [&](AffineForms::Bound& bound) {
      return std::ranges::any_of(group, [&](const GlobalAccess& a) {
        const auto own = std::ranges::find(a.bounds, bound.form, &AffineForms::Bound::form);
        if (own != a.bounds.end()) bound.most = std::max(bound.most, own->most);
        return own == a.bounds.end();
      });
    });
    return common;
  }

  const LaunchInfo& launch_;
  AffineForms forms_;
  std::vector<GlobalAccess> accesses_;
};

}  // namespace

bool blocks_are_independent(const LaunchInfo& launch) {
  const Function& kernel = launch.program->functions[launch.kernel->function];
  return kernel.end - kernel.begin <= kMostInstructions && GlobalAccesses(launch).is_shown();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
