// A position in a list of tokens, and what the parser asks about the next ones.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "ptx/lexer.h"

namespace gpusim::ptx {

class Cursor {
 public:
  explicit Cursor(const std::vector<Token>& tokens) : tokens_(tokens) {}

  const Token& peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  const Token& next() {
    const Token& t = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return t;
  }
  bool at_end() const { return peek().kind == Token::end; }
  bool at(std::string_view s) const { return peek().is(s); }
  bool accept(std::string_view s) { return at(s) ? (next(), true) : false; }
  void expect(std::string_view s) {
    if (!accept(s)) fail("expected '" + std::string(s) + "' instead of " + shown(peek()));
  }
  std::string_view word(const char* what) {
    if (peek().kind != Token::word) fail(std::string("expected ") + what + " instead of " + shown(peek()));
    return next().text;
  }
  [[noreturn]] void fail(const std::string& what) const { throw SyntaxError(peek().line, what); }

  // An integer that fits 64 bits: 12, 0x1F, 017, 0b101, with an optional U; a leading '-' negates.
  u64 integer() {
    const bool negative = accept("-");
    std::string_view text = word("a number");
    std::string_view digits = text;
    if (digits.ends_with('U')) digits.remove_suffix(1);
    int base = 10;
    const auto prefix = [&](std::string_view p, int b) {
      if (base == 10 && digits.size() > p.size() && digits.starts_with(p))
        digits.remove_prefix(p.size()), base = b;
    };
    prefix("0x", 16);
    prefix("0X", 16);
    prefix("0b", 2);
    prefix("0B", 2);
    prefix("0", 8);
    u64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc() || end != digits.data() + digits.size())
      fail("'" + std::string(text) + "' is not a 64-bit integer");
    return negative ? 0 - value : value;
  }
  // The same, and at most `limit`.
  u64 integer_up_to(u64 limit, const char* what) {
    const u64 value = integer();
    if (value > limit)
      fail(std::string(what) + " " + std::to_string(value) + " is more than " + std::to_string(limit));
    return value;
  }
  // Skips the rest of a statement, its ';' included, but not past the token at `limit`.
  void skip_statement(std::size_t limit = ~std::size_t(0)) {
    while (!at_end() && at_ < limit && !next().is(";")) {
    }
  }
  u32 line_before() const { return tokens_[at_ ? at_ - 1 : 0].line; }  // of the token read last
  std::size_t position() const { return at_; }
  void go_to(std::size_t position) { at_ = std::min(position, tokens_.size() - 1); }
  // The position of the brace that closes the one here; that of the end if none does. A brace too many does not reach
  // into the next function.
  std::size_t closing_brace() const {
    std::size_t k = at_;
    for (int depth = 0; k + 1 < tokens_.size(); ++k) {
      if (tokens_[k].is(".visible") || tokens_[k].is(".entry") || tokens_[k].is(".func")) return k - 1;
      if (tokens_[k].is("{")) ++depth;
      if (tokens_[k].is("}") && --depth <= 0) break;
    }
    return k;
  }
  // Skips to the end of a block in braces, nested ones included.
  void skip_block() {
    for (int depth = 0; !at_end();) {
      const Token& t = next();
      if (t.is("{")) ++depth;
      if (t.is("}") && --depth <= 0) return;
    }
  }

 private:
  static std::string shown(const Token& t) {
    return t.kind == Token::end ? "the end of the text" : "'" + std::string(t.text) + "'";
  }
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
