#include "ptx/mnemonic.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace gpusim::ptx {
namespace {

struct Row {
  const char* mnemonic;
  Shape shape;
  std::string_view modifiers;
};
constexpr Row kRows[] = {
#define OP(name, mnemonic, shape, modifiers) {mnemonic, Shape::shape, modifiers},
#include "ptx/opcodes.def"
#undef OP
};

const std::unordered_map<std::string_view, Op>& rows_by_mnemonic() {
  static const auto rows = [] {
    std::unordered_map<std::string_view, Op> map;
    for (u16 i = 0; i < std::size(kRows); ++i) map[kRows[i].mnemonic] = Op(i);
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
    {"pred", Type::pred}, {"b8", Type::b8},   {"b16", Type::b16}, {"b32", Type::b32}, {"b64", Type::b64},
    {"u8", Type::u8},     {"u16", Type::u16}, {"u32", Type::u32}, {"u64", Type::u64}, {"s8", Type::s8},
    {"s16", Type::s16},   {"s32", Type::s32}, {"s64", Type::s64}, {"f32", Type::f32}, {"f64", Type::f64}};
constexpr Named<Space> kSpaces[] = {{"global", Space::global}, {"shared", Space::shared}, {"shared::cta", Space::shared},
                                    {"local", Space::local},   {"const", Space::constant}, {"param", Space::param}};
constexpr Named<Rounding> kRoundings[] = {{"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},
                                          {"rp", Rounding::rp},   {"rni", Rounding::rni}, {"rzi", Rounding::rzi},
                                          {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi}};
constexpr Named<Compare> kCompares[] = {
    {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"le", Compare::le},   {"gt", Compare::gt},
    {"ge", Compare::ge},   {"lo", Compare::lo},   {"ls", Compare::ls},   {"hi", Compare::hi},   {"hs", Compare::hs},
    {"equ", Compare::equ}, {"neu", Compare::neu}, {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu},
    {"geu", Compare::geu}, {"num", Compare::num}, {"nan", Compare::nan}};
constexpr Named<MemoryOrder> kOrders[] = {{"weak", MemoryOrder::weak},       {"volatile", MemoryOrder::volatile_}, {"relaxed", MemoryOrder::relaxed},
                                         {"acquire", MemoryOrder::acquire}, {"release", MemoryOrder::release},    {"acq_rel", MemoryOrder::acq_rel}};
constexpr Named<BoolOp> kBoolOps[] = {{"and", BoolOp::and_}, {"or", BoolOp::or_}, {"xor", BoolOp::xor_}};

// What `mode` means, by shape.
constexpr Named<u8> kShuffles[] = {{"up", u8(ShuffleMode::up)}, {"down", u8(ShuffleMode::down)}, {"bfly", u8(ShuffleMode::bfly)}, {"idx", u8(ShuffleMode::idx)}};
constexpr Named<u8> kVotes[] = {{"all", u8(VoteMode::all)}, {"any", u8(VoteMode::any)}, {"uni", u8(VoteMode::uni)}, {"ballot", u8(VoteMode::ballot)}};
constexpr Named<u8> kReductions[] = {{"add", u8(ReduxOp::add)}, {"popc", u8(ReduxOp::add)}, {"min", u8(ReduxOp::min)}, {"max", u8(ReduxOp::max)},
                                     {"and", u8(ReduxOp::and_)}, {"or", u8(ReduxOp::or_)}, {"xor", u8(ReduxOp::xor_)}};
std::optional<u8> mode_named(Shape shape, std::string_view part) {
  switch (shape) {
    case Shape::shuffle: return find(kShuffles, part);
    case Shape::vote: return find(kVotes, part);
    case Shape::redux: case Shape::barrier_red: return find(kReductions, part);
    default: return {};
  }
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The row with the longest mnemonic that begins this one; for atom and red the operation may come later. The parts
// that name the row are removed.
std::optional<Op> take_row(std::vector<std::string_view>& parts) {
  std::string name;
  std::optional<Op> best;
  std::size_t length = 0;
  for (std::size_t k = 0; k < parts.size() && k < 3; ++k) {
    name += (k ? "." : "") + std::string(parts[k]);
    if (const auto row = rows_by_mnemonic().find(name); row != rows_by_mnemonic().end()) best = row->second, length = k + 1;
  }
  if (best) {
    parts.erase(parts.begin(), parts.begin() + std::ptrdiff_t(length));
    return best;
  }
  for (std::size_t k = 1; k < parts.size(); ++k)
    if (const auto row = rows_by_mnemonic().find(std::string(parts[0]) + "." + std::string(parts[k])); row != rows_by_mnemonic().end()) {
      best = row->second;
      parts.erase(parts.begin() + std::ptrdiff_t(k));
      parts.erase(parts.begin());
      return best;
    }
  return {};
}

bool is_atomic(Shape shape) { return shape == Shape::atomic || shape == Shape::reduction; }

}  // namespace

std::optional<Type> type_named(std::string_view name) { return find(kTypes, name); }
std::optional<Space> space_named(std::string_view name) { return find(kSpaces, name); }

bool read_mnemonic(std::string_view mnemonic, Instruction* out, std::string* why) {
  auto parts = split(mnemonic, '.');
  const auto op = take_row(parts);
  const auto refuse = [&] {
    *why = "'" + std::string(mnemonic) + "' is not simulated";
    return false;
  };
  if (!op) return refuse();
  const Row& row = kRows[u16(*op)];
  out->op = *op;
  out->shape = row.shape;
  if (is_atomic(row.shape)) out->order = MemoryOrder::relaxed;
  const auto allowed = split(row.modifiers, ' ');
  static constexpr std::string_view kAtomicModifiers[] = {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys"};
  bool compared = false, moded = false;

  for (const std::string_view part : parts) {
    const bool is_modifier = std::ranges::find(allowed, part) != allowed.end() ||
                             (is_atomic(row.shape) && std::ranges::find(kAtomicModifiers, part) != std::end(kAtomicModifiers));
    if (const auto type = type_named(part)) {
      if (out->type == Type::none) out->dest_type = *type;
      out->type = *type;
    } else if (is_modifier) {
      if (const auto rounding = find(kRoundings, part)) out->rounding = *rounding;
      out->ftz |= part == "ftz";
      out->sat |= part == "sat";
      out->nan |= part == "NaN";
      if (const auto order = find(kOrders, part)) out->order = *order;
      out->block_scope |= part == "cta" || part == "cluster";
    } else if (const auto space = space_named(part)) {
      out->space = *space;
    } else if ((part == "v2" || part == "v4") && (row.shape == Shape::load || row.shape == Shape::store)) {
      out->vector = u8(part[1] - '0');
    } else if (const auto mode = mode_named(row.shape, part); mode && !moded) {
      out->mode = *mode;
      moded = true;
    } else if (row.shape == Shape::compare || row.shape == Shape::compare_set) {
      if (const auto compare = find(kCompares, part); compare && !compared) {
        out->compare = *compare;
        compared = true;
      } else if (const auto combine = find(kBoolOps, part)) {
        out->combine = *combine;
      } else {
        return refuse();
      }
    } else {
      return refuse();
    }
  }
  const bool needs_mode = row.shape == Shape::shuffle || row.shape == Shape::vote || row.shape == Shape::redux || row.shape == Shape::barrier_red;
  const bool needs_compare = row.shape == Shape::compare || row.shape == Shape::compare_set;
  if (needs_mode != moded || needs_compare != compared) return refuse();
  return true;
}

}  // namespace gpusim::ptx
