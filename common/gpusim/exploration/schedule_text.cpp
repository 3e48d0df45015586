#include "exploration/schedule_text.h"

#include <charconv>
#include <utility>

namespace gpusim {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool is_at_end() const { return text_.empty(); }
  bool skip(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  template <class T> bool number(T& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    text_.remove_prefix(std::size_t(end - text_.data()));
    return true;
  }

 private:
  std::string_view text_;
};

std::string text_of(const NamedMove& m, bool has_gpus) {
  std::string text = has_gpus ? "g" + std::to_string(m.gpu) : "";
  text += "b" + std::to_string(m.block) + "w" + std::to_string(m.warp);
  for (std::size_t k = 0; k < m.older.size(); ++k) text += (k ? "+" : ":") + std::to_string(m.older[k]);
  return text;
}

}  // namespace

std::string to_text(const NamedSchedule& s) {
  std::string text = std::to_string(s.launch) + "/";
  for (std::size_t k = 0, count; k < s.moves.size(); k += count) {
    for (count = 1; k + count < s.moves.size() && s.moves[k + count] == s.moves[k];) ++count;
    text += (k ? "," : "") + text_of(s.moves[k], s.has_gpus) + (count > 1 ? "*" + std::to_string(count) : "");
  }
  return text;
}

std::optional<NamedSchedule> parse_schedule(std::string_view text) {
  constexpr u32 kMostRepeated = 1'000'000;
  Reader r(text);
  NamedSchedule s;
  if (!r.number(s.launch) || !r.skip('/')) return std::nullopt;
  while (!r.is_at_end()) {
    if (!s.moves.empty() && !r.skip(',')) return std::nullopt;
    NamedMove m;
    if (r.skip('g')) {
      if (!r.number(m.gpu)) return std::nullopt;
      s.has_gpus = true;
    }
    if (!r.skip('b') || !r.number(m.block) || !r.skip('w') || !r.number(m.warp)) return std::nullopt;
    if (r.skip(':')) do {
        if (!r.number(m.older.emplace_back())) return std::nullopt;
      } while (r.skip('+'));
    u32 count = 1;
    if (r.skip('*') && (!r.number(count) || count == 0 || count > kMostRepeated)) return std::nullopt;
    s.moves.insert(s.moves.end(), count, m);
  }
  return s;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
