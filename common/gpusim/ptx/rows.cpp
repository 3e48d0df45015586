#include "ptx/rows.h"

#include <algorithm>
#include <unordered_set>

#include "ptx/mnemonic.h"
#include "ptx/split.h"

namespace gpusim::ptx {
namespace {

struct Text {
  const char* mnemonic;
  Shape shape;
  std::string_view types, modifiers;
};
constexpr Text kTexts[] = {
#define OP(name, mnemonic, shape, types, modifiers) {mnemonic, Shape::shape, types, modifiers},
#include "ptx/opcodes.def"
#undef OP
};

TypeSet types_of(std::string_view list, char separator) {
  TypeSet set = 0;
  for (const std::string_view name : split(list, separator))
    if (const auto type = type_named(name)) set |= set_of(*type);
  return set;
}

ModifierGroup group_of(std::string_view text) {
  ModifierGroup group;
  if (text.starts_with('!')) group.required = true, text.remove_prefix(1);
  std::size_t colon = text.find(':');  // a double colon belongs to a name: L1::no_allocate
  while (colon != text.npos && text.substr(colon, 2) == "::") colon = text.find(':', colon + 2);
  group.names = split(text.substr(0, colon), '/');
  if (colon != text.npos) group.types = types_of(text.substr(colon + 1), ',');
  return group;
}

Row row_of(const Text& text) {
  Row row{text.mnemonic, text.shape, 0, 0, {}};
  const std::size_t bar = text.types.find('|');
  row.types = types_of(bar == text.types.npos ? text.types : text.types.substr(bar + 1), ' ');
  if (bar != text.types.npos) row.dest_types = types_of(text.types.substr(0, bar), ' ');
  for (const std::string_view group : split(text.modifiers, ' '))
    if (!group.empty()) row.groups.push_back(group_of(group));
  return row;
}

}  // namespace

std::span<const Row> all_rows() {
  static const auto rows = [] {
    std::vector<Row> all;
    for (const Text& text : kTexts) all.push_back(row_of(text));
    return all;
  }();
  return rows;
}

const Row& row_of(Op op) { return all_rows()[u16(op)]; }

bool is_known_word(std::string_view word) {
  static const auto words = [] {
    std::unordered_set<std::string_view> all;
    for (const Row& row : all_rows()) {
      for (const std::string_view part : split(row.mnemonic, '.')) all.insert(part);
      for (const ModifierGroup& group : row.groups) all.insert(group.names.begin(), group.names.end());
    }
    return all;
  }();
  return type_named(word) || words.contains(word);
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
