// Reads a mnemonic: `ld.volatile.global.v4.f32` names a row of opcodes.def, a space, a vector size, a type.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ptx/program.h"

namespace gpusim::ptx {

// PTX that is right but that we do not simulate.
struct Unsupported {
  std::string what;
  bool is_newer = false;  // no GPU of compute capability 8.0 has it
};

// Fills op, shape, types, space and modifiers. Why there is no such instruction ("'div.approx.u32' does not exist"), or
// nothing. Throws Unsupported for what may exist and is not simulated: "'cp.async' is not simulated".
std::string read_mnemonic(std::string_view mnemonic, Instruction* out);

std::optional<Type> type_named(std::string_view);  // "f32", without the dot
std::optional<Space> space_named(std::string_view);

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
