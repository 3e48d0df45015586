// Reads a mnemonic: `ld.volatile.global.v4.f32` names a row of opcodes.def, a space, a vector size, a type.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ptx/program.h"

namespace gpusim::ptx {

// Fills op, shape, types, space and modifiers. False, with the reason, when the row or one of the modifiers is not
// in the table: "'cp.async' is not simulated".
bool read_mnemonic(std::string_view mnemonic, Instruction* out, std::string* why);

std::optional<Type> type_named(std::string_view);  // "f32", without the dot
std::optional<Space> space_named(std::string_view);

}  // namespace gpusim::ptx
