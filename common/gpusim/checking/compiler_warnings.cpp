#include "checking/compiler_warnings.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace gpusim {
namespace {

constexpr std::string_view kIgnores = "ignores the error";

// Of "FILE:LINE:COLUMN: MESSAGE".
std::optional<Finding> parse(std::string_view text) {
  const std::size_t end = text.find(": ");
  const std::size_t column = end == text.npos ? end : text.rfind(':', end - 1);
  const std::size_t line = column == text.npos || column == 0 ? text.npos : text.rfind(':', column - 1);
  if (line == text.npos) return {};
  Finding f;
  f.check = "uninitialized";
  f.place = {std::string(text.substr(0, line)),
             std::atoi(text.data() + line + 1),
             std::atoi(text.data() + column + 1),
             {}};
  f.message = text.substr(end + 2);
  return f;
}

}  // namespace

std::optional<Finding> uninitialised_variable(std::string_view note) {
  auto warning = parse(note);
  if (warning && warning->message == kIgnores) warning.reset();
  return warning;
}

void CompilerWarnings::note(std::string_view ptx) {
  constexpr std::string_view kMark = "// simcc: ";
  std::vector<Finding> found;
  while (ptx.ends_with('\n')) {
    ptx.remove_suffix(1);
    const std::size_t begin = ptx.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = ptx.substr(begin);
    if (line.starts_with(kMark))
      if (auto warning = parse(line.substr(kMark.size()))) found.push_back(std::move(*warning));
    if (!line.empty() && !line.starts_with(kMark)) break;
    ptx = ptx.substr(0, begin);
  }
  for (std::size_t k = found.size(); k-- > 0;) {  // in the order of the text
    if (found[k].message == kIgnores) {
      ignored_.push_back(found[k].place);
      continue;
    }
    if (report_) findings_.report(found[k]);
    known_.push_back(std::move(found[k]));
  }
}

bool CompilerWarnings::is_ignored(const Place& call) const {
  return std::ranges::any_of(ignored_, [&](const Place& p) {
    const bool is_same_file =
        call.file.ends_with(p.file) && (call.file.size() == p.file.size() || p.file[0] == '/' ||
                                        call.file[call.file.size() - p.file.size() - 1] == '/');
    return call.line != 0 && p.line == call.line && is_same_file;
  });
}

void CompilerWarnings::report(bool on) {
  if (on && !report_)
    for (const Finding& f : known_) findings_.report(f);
  report_ = on;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
