// The rows of opcodes.def, ready for questions: which types and modifiers an instruction has.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ptx/program.h"

namespace gpusim::ptx {

// A set of types, a bit for each.
using TypeSet = u32;
constexpr TypeSet set_of(Type t) { return TypeSet(1) << u8(t); }
inline constexpr TypeSet kAnyType = ~TypeSet(0);

// "!rn/rz:f32": modifiers that exclude each other, and the types that they go with.
struct ModifierGroup {
  bool required = false;
  std::vector<std::string_view> names;
  TypeSet types = kAnyType;
};

struct Row {
  std::string_view mnemonic;
  Shape shape;
  TypeSet dest_types = 0, types = 0;  // dest_types is empty unless the mnemonic has two types
  std::vector<ModifierGroup> groups;
};

const Row& row_of(Op);
std::span<const Row> all_rows();  // in the order of Op

// Does any row use the word, as a type, a modifier or part of its name? Other words belong to instructions that are not
// simulated.
bool is_known_word(std::string_view);

// Why an instruction does not exist although its row has its types and modifiers; empty if it does.
std::string_view exception(const Instruction&, std::span<const std::string_view> modifiers);

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
