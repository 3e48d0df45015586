// PTX text to tokens. Words keep their dots: `ld.global.f32`, `%tid.x`, `.reg` and `7.0` are one token each.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace gpusim::ptx {

struct Token {
  enum Kind : u8 { word, string, punctuation, end } kind = end;
  std::string_view text;  // a string's text is without quotes
  u32 line = 0;
  bool is(std::string_view s) const { return kind != string && text == s; }
};

// Thrown by lexer and parser; what() is "ptx line 12: …".
struct SyntaxError : std::runtime_error {
  SyntaxError(u32 line, const std::string& what)
      : std::runtime_error("ptx line " + std::to_string(line) + ": " + what), line(line), reason(what) {}
  u32 line;
  std::string reason;
};

// A string as it was before the compiler wrote it: \" and \\ are characters, \303 is a byte.
std::string unescaped(std::string_view text);

// The tokens point into `text`, which must outlive them. The last one is `end`.
std::vector<Token> tokenize(std::string_view text);

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
