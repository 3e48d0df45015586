#include "ptx/mnemonic.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/matrix_forms.h"
#include "ptx/rows.h"
#include "ptx/split.h"

namespace gpusim::ptx {
namespace {

const std::unordered_map<std::string_view, Op>& rows_by_mnemonic() {
  static const auto rows = [] {
    std::unordered_map<std::string_view, Op> map;
    for (u16 i = 0; i < all_rows().size(); ++i) map[all_rows()[i].mnemonic] = Op(i);
    return map;
  }();
  return rows;
}

template <class T> struct Named {
  std::string_view name;
  T value;
};
template <class T, std::size_t n> std::optional<T> find(const Named<T> (&table)[n], std::string_view name) {
  for (const auto& entry : table)
    if (entry.name == name) return entry.value;
  return {};
}

constexpr Named<Type> kTypes[] = {
    {"pred", Type::pred},   {"b8", Type::b8},     {"b16", Type::b16},      {"b32", Type::b32},
    {"b64", Type::b64},     {"u8", Type::u8},     {"u16", Type::u16},      {"u32", Type::u32},
    {"u64", Type::u64},     {"s8", Type::s8},     {"s16", Type::s16},      {"s32", Type::s32},
    {"s64", Type::s64},     {"f32", Type::f32},   {"f64", Type::f64},      {"f16", Type::f16},
    {"f16x2", Type::f16x2}, {"bf16", Type::bf16}, {"bf16x2", Type::bf16x2}};
constexpr Named<Space> kSpaces[] = {{"global", Space::global},      {"shared", Space::shared},
                                    {"shared::cta", Space::shared}, {"local", Space::local},
                                    {"const", Space::constant},     {"param", Space::param}};
constexpr Named<Rounding> kRoundings[] = {
    {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},   {"rp", Rounding::rp},
    {"rni", Rounding::rni}, {"rzi", Rounding::rzi}, {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi}};
constexpr Named<Compare> kCompares[] = {{"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},
                                        {"le", Compare::le},   {"gt", Compare::gt},   {"ge", Compare::ge},
                                        {"lo", Compare::lo},   {"ls", Compare::ls},   {"hi", Compare::hi},
                                        {"hs", Compare::hs},   {"equ", Compare::equ}, {"neu", Compare::neu},
                                        {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu},
                                        {"geu", Compare::geu}, {"num", Compare::num}, {"nan", Compare::nan}};
constexpr Named<MemoryOrder> kOrders[] = {
    {"weak", MemoryOrder::weak},       {"volatile", MemoryOrder::volatile_},
    {"relaxed", MemoryOrder::relaxed}, {"acquire", MemoryOrder::acquire},
    {"release", MemoryOrder::release}, {"acq_rel", MemoryOrder::acq_rel}};
constexpr Named<BoolOp> kBoolOps[] = {{"and", BoolOp::and_}, {"or", BoolOp::or_}, {"xor", BoolOp::xor_}};

// What `mode` means, by the words that a shape has of its own.
constexpr Named<u8> kShuffles[] = {{"up", u8(ShuffleMode::up)},
                                   {"down", u8(ShuffleMode::down)},
                                   {"bfly", u8(ShuffleMode::bfly)},
                                   {"idx", u8(ShuffleMode::idx)}};
constexpr Named<u8> kVotes[] = {{"all", u8(VoteMode::all)},
                                {"any", u8(VoteMode::any)},
                                {"uni", u8(VoteMode::uni)},
                                {"ballot", u8(VoteMode::ballot)}};
constexpr Named<u8> kReductions[] = {{"add", u8(ReduxOp::add)},  {"popc", u8(ReduxOp::add)},
                                     {"min", u8(ReduxOp::min)},  {"max", u8(ReduxOp::max)},
                                     {"and", u8(ReduxOp::and_)}, {"or", u8(ReduxOp::or_)},
                                     {"xor", u8(ReduxOp::xor_)}};
constexpr Named<u8> kPermutes[] = {{"f4e", u8(PermuteMode::f4e)}, {"b4e", u8(PermuteMode::b4e)},
                                   {"rc8", u8(PermuteMode::rc8)}, {"ecl", u8(PermuteMode::ecl)},
                                   {"ecr", u8(PermuteMode::ecr)}, {"rc16", u8(PermuteMode::rc16)}};
constexpr Named<u8> kBarriers[] = {{"noComplete", kNoComplete}, {"parity", kParity}, {"noinc", kNoIncrement}};
constexpr Named<u8> kCacheWords[] = {{"cg", kPastL1}};
constexpr Named<u8> kMatrixWords[] = {{"trans", kTransposed}};

// The words that only some shapes have: each of them sets one member.
template <class T, std::size_t n, class U>
void take(const Named<T> (&table)[n], std::string_view part, U* member) {
  if (const auto value = find(table, part)) *member = *value;
}
void apply_own_word(std::string_view part, Instruction* out) {
  using enum ShapeFacts::Words;
  switch (facts_of(out->shape).words) {
    case none: return;
    case comparison: take(kCompares, part, &out->compare); return take(kBoolOps, part, &out->combine);
    case shuffle: return take(kShuffles, part, &out->mode);
    case vote: return take(kVotes, part, &out->mode);
    case reduction: return take(kReductions, part, &out->mode);
    case permute: return take(kPermutes, part, &out->mode);
    case cache: return take(kCacheWords, part, &out->mode);
    case mbarrier: return take(kBarriers, part, &out->mode);
    case matrix:
      if (part[0] == 'x') out->vector = u8(part[1] - '0');
      return take(kMatrixWords, part, &out->mode);
  }
}

// The row whose mnemonic is the longest match for the beginning of this one. Removes the parts that matched. In an atomic
// the operation comes last, before the type.
std::optional<Op> take_row(std::vector<std::string_view>& parts) {
  std::string name;
  std::optional<Op> best;
  std::size_t length = 0;
  for (std::size_t k = 0; k < parts.size() && k < 4; ++k) {
    name += (k ? "." : "") + std::string(parts[k]);
    if (const auto row = rows_by_mnemonic().find(name); row != rows_by_mnemonic().end())
      best = row->second, length = k + 1;
  }
  if (best) {
    parts.erase(parts.begin(), parts.begin() + std::ptrdiff_t(length));
    return best;
  }
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (const auto row = rows_by_mnemonic().find(std::string(parts[0]) + "." + std::string(parts[k]));
        row != rows_by_mnemonic().end()) {
      best = row->second;
      parts.erase(parts.begin() + std::ptrdiff_t(k));
      parts.erase(parts.begin());
      return best;
    }
  return {};
}

void apply_modifier(std::string_view part, Instruction* out) {
  if (const auto rounding = find(kRoundings, part)) out->rounding = *rounding;
  if (const auto space = space_named(part)) out->space = *space;
  if (part == "v2" || part == "v4") out->vector = u8(part[1] - '0');
  apply_own_word(part, out);
  out->ftz |= part == "ftz";
  out->sat |= part == "sat";
  out->nan |= part == "NaN";
  out->relu |= part == "relu";
  out->read_only |= part == "nc";
  out->carry_out |= part == "cc";
  if (const auto order = find(kOrders, part)) out->order = *order;
  out->block_scope |= part == "cta" || part == "cluster";
  out->system_scope |= part == "sys";
}

// Takes the types off the parts. Returns false if their number or the types themselves do not match the row.
bool take_types(const Row& row, std::vector<std::string_view>& parts, Instruction* out) {
  std::vector<Type> types;
  std::erase_if(parts, [&](std::string_view part) {
    const auto type = type_named(part);
    if (type) types.push_back(*type);
    return type.has_value();
  });
  const std::size_t wanted = row.dest_types ? 2 : row.types ? 1 : 0;
  if (types.size() != wanted) return false;
  if (wanted == 0) return true;
  out->dest_type = types.front();
  out->type = types.back();
  return (row.types & set_of(out->type)) && (!row.dest_types || (row.dest_types & set_of(out->dest_type)));
}

// Does the row allow every modifier for this type, and are all required ones there?
bool modifiers_exist(const Row& row, Type type, const std::vector<std::string_view>& parts) {
  std::size_t found = 0;
  for (const ModifierGroup& group : row.groups) {
    if (type != Type::none && !(group.types & set_of(type))) continue;
    const auto count = std::ranges::count_if(parts, [&](std::string_view part) {
      return std::ranges::find(group.names, part) != group.names.end();
    });
    if (count > 1 || (count == 0 && group.required)) return false;
    found += std::size_t(count);
  }
  return found == parts.size();
}

constexpr std::string_view first_word(std::string_view mnemonic) {
  return mnemonic.substr(0, mnemonic.find('.'));
}

// Does PTX have instructions whose names begin so? Those that no row begins with are not simulated.
bool is_instruction(std::string_view first) {
  static constexpr std::string_view kOthers[] = {"alloca",
                                                 "applypriority",
                                                 "clusterlaunchcontrol",
                                                 "discard",
                                                 "elect",
                                                 "getctarank",
                                                 "griddepcontrol",
                                                 "istypep",
                                                 "mapa",
                                                 "movmatrix",
                                                 "multimem",
                                                 "pmevent",
                                                 "setmaxnreg",
                                                 "stackrestore",
                                                 "stacksave",
                                                 "stmatrix",
                                                 "suld",
                                                 "suq",
                                                 "sured",
                                                 "sust",
                                                 "tcgen05",
                                                 "tensormap",
                                                 "tex",
                                                 "tld4",
                                                 "txq",
                                                 "vabsdiff",
                                                 "vabsdiff2",
                                                 "vabsdiff4",
                                                 "vadd",
                                                 "vadd2",
                                                 "vadd4",
                                                 "vavrg2",
                                                 "vavrg4",
                                                 "vmad",
                                                 "vmax",
                                                 "vmax2",
                                                 "vmax4",
                                                 "vmin",
                                                 "vmin2",
                                                 "vmin4",
                                                 "vset",
                                                 "vset2",
                                                 "vset4",
                                                 "vshl",
                                                 "vshr",
                                                 "vsub",
                                                 "vsub2",
                                                 "vsub4",
                                                 "wgmma",
                                                 "wmma"};
#define OP(name, mnemonic, shape, types, modifiers)                                    \
  static_assert(std::ranges::find(kOthers, first_word(mnemonic)) == std::end(kOthers), \
                "a row of opcodes.def begins with " mnemonic ": take its first word out of kOthers");
#include "ptx/opcodes.def"
#undef OP
  static const auto words = [] {
    std::unordered_set<std::string_view> all(std::begin(kOthers), std::end(kOthers));
    for (const Row& row : all_rows()) all.insert(first_word(row.mnemonic));
    return all;
  }();
  return words.contains(first);
}

// Features that GPUs have only since compute capability 9.0. The simulated GPU (8.0) cannot run such code.
struct NewerFeature {
  std::string_view begins, what;
};
constexpr NewerFeature kNewer[] = {
    {"wgmma.", "matrix products of warp groups"},
    {"tcgen05.", "tensor memory"},
    {"cp.async.bulk.", "bulk copies (TMA)"},
    {"cp.reduce.async.bulk.", "bulk copies (TMA)"},
    {"tensormap.", "bulk copies (TMA)"},
    {"barrier.cluster.", "thread-block clusters"},
    {"mapa.", "thread-block clusters"},
    {"getctarank.", "thread-block clusters"},
    {"clusterlaunchcontrol.", "thread-block clusters"},
    {"mbarrier.try_wait.", "waits that let a thread sleep until a barrier completes"},
    {"mbarrier.arrive.expect_tx.", "barriers that wait for bytes"},
    {"mbarrier.arrive_drop.expect_tx.", "barriers that wait for bytes"},
    {"mbarrier.expect_tx.", "barriers that wait for bytes"},
    {"mbarrier.complete_tx.", "barriers that wait for bytes"},
    {"multimem.", "multicast memory"},
    {"griddepcontrol.", "programmatic dependent launches"},
    {"setmaxnreg.", "registers that warps hand over"},
    {"stmatrix.", "stores of matrices"},
    {"elect.", "elected lanes"},
};
constexpr bool needs_newer_gpu(std::string_view mnemonic) {
  return std::ranges::any_of(kNewer,
                             [&](const auto& feature) { return mnemonic.starts_with(feature.begins); });
}
#define OP(name, mnemonic, shape, types, modifiers) \
  static_assert(!needs_newer_gpu(mnemonic "."),     \
                "opcodes.def has a row of " mnemonic ": take it out of kNewer");
#include "ptx/opcodes.def"
#undef OP

}  // namespace

std::optional<Type> type_named(std::string_view name) { return find(kTypes, name); }
std::optional<Space> space_named(std::string_view name) { return find(kSpaces, name); }

std::string read_mnemonic(std::string_view mnemonic, Instruction* out) {
  for (const NewerFeature& feature : kNewer)
    if (mnemonic.starts_with(feature.begins))
      throw Unsupported{"'" + std::string(mnemonic) +
                            "': the simulated GPU, of compute capability 8.0, does not have " +
                            std::string(feature.what),
                        true};
  auto parts = split(mnemonic, '.');
  std::ranges::replace(parts, std::string_view("shared::cta"), std::string_view("shared"));
  // Not all instructions of 16 bits have rows.
  const bool half = std::ranges::any_of(parts, [](auto part) {
    const auto type = type_named(part);
    return type && *type >= Type::f16;
  });
  const bool known = std::ranges::all_of(parts, is_known_word) && !half;
  const auto refuse = [&](std::string_view why = "") {
    if (!known) throw Unsupported{"'" + std::string(mnemonic) + "' is not simulated"};
    return "'" + std::string(mnemonic) + "' does not exist" + (why.empty() ? "" : ": ") + std::string(why);
  };
  if (!is_instruction(parts.front())) return "'" + std::string(mnemonic) + "' is no PTX instruction";
  const auto op = take_row(parts);
  if (!op) return refuse();
  const Row& row = row_of(*op);
  out->op = *op;
  out->shape = row.shape;
  if (row.shape == Shape::matrix_multiply) {
    const auto form = matrix_form_named(mnemonic.substr(std::min(row.mnemonic.size() + 1, mnemonic.size())));
    if (!form) throw Unsupported{"'" + std::string(mnemonic) + "' is not simulated"};
    out->mode = *form;
    return "";
  }
  if (is_atomic(row.shape)) out->order = MemoryOrder::relaxed;
  if (!take_types(row, parts, out)) return refuse();
  if (!modifiers_exist(row, out->type, parts)) return refuse();
  for (const std::string_view part : parts) apply_modifier(part, out);
  const std::string_view why = exception(*out, parts);
  return why.empty() ? "" : refuse(why);
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
