#include "ptx/lexer.h"

namespace gpusim::ptx {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t k) { return k < text.size() && text[k] >= '0' && text[k] <= '7'; };
    if (text[i] == '\\' && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      plain += char((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      i += text[i] == '\\' && i + 1 < text.size();
      plain += text[i];
    }
  }
  return plain;
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 4);
  u32 line = 1;
  std::size_t i = 0;
  const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\0'; };
  while (i < text.size()) {
    const char c = text[i];
    const std::size_t start = i;
    if (is_space(c)) {
      line += c == '\n';
      ++i;
    } else if (c == '/' && at(i + 1) == '/') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (c == '/' && at(i + 1) == '*') {
      for (i += 2; !(at(i) == '*' && at(i + 1) == '/'); ++i) {
        if (i >= text.size()) throw SyntaxError(line, "comment without end");
        line += text[i] == '\n';
      }
      i += 2;
    } else if (c == '"') {
      for (++i; at(i) != '"'; i += at(i) == '\\' ? 2 : 1)
        if (i >= text.size() || text[i] == '\n') throw SyntaxError(line, "string without end");
      tokens.push_back({Token::string, text.substr(start + 1, i - start - 1), line});
      ++i;
    } else if (is_word(c)) {
      // "::" continues a word (ld.global.L1::no_allocate), one colon ends a label.
      while (is_word(at(i)) || (at(i) == ':' && at(i + 1) == ':')) i += at(i) == ':' ? 2 : 1;
      tokens.push_back({Token::word, text.substr(start, i - start), line});
    } else if (std::string_view("{}()[]<>,;:@!+-=|*").find(c) != std::string_view::npos) {
      tokens.push_back({Token::punctuation, text.substr(i++, 1), line});
    } else {
      throw SyntaxError(line, std::string("unexpected character '") +
                                  (c > ' ' && c < 127 ? std::string(1, c) : "\\" + std::to_string(u8(c))) +
                                  "'");
    }
  }
  tokens.push_back({Token::end, {}, line});
  return tokens;
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
