// PTX text to Program (PTX ISA manual, "Syntax" and "Directives").
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "ptx/cursor.h"
#include "ptx/program.h"

namespace gpusim::ptx {

// Parses a module. Anything that is wrong or not simulated inside a function becomes a problem of that function alone. Throws
// SyntaxError if text outside functions is not PTX.
Program parse(std::string_view text);

// ---- Shared by the parsers of modules (parser.cpp) and of function bodies (body.cpp).

// Names visible at module scope.
struct ModuleSymbols {
  std::map<std::string, u32, std::less<>> variables;  // index in Program::variables
  std::map<std::string, u32, std::less<>> functions;  // index in Program::functions
};

// `.align 8 .b8 name[16]` and its kin: what every declaration of a variable or parameter shares.
struct Declaration {
  std::string_view name;
  Type type = Type::none;
  u32 align = 1;
  u64 size = 0;          // bytes
  bool unsized = false;  // name[]
};
// Reads from after the state space to before '=', ',' ';' or ')'.
Declaration read_declaration(Cursor&);
// Reads a module- or function-scope variable to its ';' and appends it to the program.
u32 read_variable(Cursor&, Program&, Space, bool is_extern);

// Float literals: 0f3F800000, 0d3FF0000000000000 and 1.5; their bits in a type of 4 or 8 bytes.
bool is_float_literal(std::string_view);
u64 float_bits(std::string_view text, u32 bytes, const Cursor&);

// Reads a function body from '{' to its '}' into program.code.
void parse_body(Cursor&, Program&, const ModuleSymbols&, Function&);

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
