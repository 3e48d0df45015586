#include "timing/machine_file.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <utility>

namespace gpusim::timing {
namespace {

constexpr std::size_t kMostMisspelt = 2;

// How many letters must be added, left out, changed, or swapped with their neighbour to make one name of the
// other. Other digits make another name, not another spelling: many.
std::size_t spelling_difference(std::string_view a, std::string_view b) {
  constexpr std::size_t kMany = 1000;
  const auto digits = [](std::string_view name) {
    std::string found;
    for (const char c : name)
      if (c >= '0' && c <= '9') found += c;
    return found;
  };
  if (digits(a) != digits(b)) return kMany;
  std::vector<std::size_t> before, last, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i;
    for (std::size_t k = 1; k <= b.size(); ++k) {
      row[k] = std::min({last[k] + 1, row[k - 1] + 1, last[k - 1] + (a[i - 1] != b[k - 1])});
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        row[k] = std::min(row[k], before[k - 2] + 1);
    }
  }
  return row[b.size()];
}

// A JSON object of texts, numbers, and objects of these.
struct FileValue {
  enum class Kind : u8 { text, number, object };
  Kind kind = Kind::number;
  std::string text;
  double number = 0;
  std::map<std::string, FileValue, std::less<>> members;
};
using FileMembers = std::map<std::string, FileValue, std::less<>>;

class MachineFileReader {
 public:
  explicit MachineFileReader(std::string_view text) : text_(text) {}

  // False after an error.
  bool read(FileMembers& members) {
    at_ = text_.find('{');
    if (at_++ == std::string_view::npos) return fail("is no JSON object");
    return read_members(members, false);
  }
  const std::string& error() const { return error_; }

 private:
  bool fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  // A word in quotes or a number; empty where there is neither.
  std::string_view token() {
    if (!next()) return {};
    const std::size_t begin = at_;
    const bool is_quoted = text_[begin] == '"';
    at_ = is_quoted ? text_.find('"', begin + 1) : text_.find_first_of(" \t\r\n,}", begin);
    if (at_ == std::string_view::npos) {
      at_ = text_.size();
      return is_quoted ? std::string_view() : text_.substr(begin);
    }
    at_ += is_quoted;
    return text_.substr(begin, at_ - begin);
  }
  // The next character that is no blank; 0 at the end.
  char next() {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    return at_ == std::string_view::npos ? 0 : text_[at_];
  }

  bool read_members(FileMembers& members, bool is_inner) {
    if (is_inner && next() == '}') {
      ++at_;
      return true;
    }
    while (true) {
      const std::string_view key = token();
      if (key.size() < 2 || key[0] != '"') return fail("has no name in quotes where one is due");
      const std::string name(key.substr(1, key.size() - 2));
      at_ = text_.find(':', std::min(at_, text_.size()));
      if (at_++ == std::string_view::npos) return fail("has no value for '" + name + "'");
      if (is_inner && members.contains(name)) return fail("has '" + name + "' twice");
      if (!read_value(name, members[name], is_inner)) return false;
      const char end = next();
      if (end == 0) return fail("ends before its '}'");
      ++at_;
      if (end == '}') return true;
      if (end != ',') return fail("has no ',' behind '" + name + "'");
    }
  }

  bool read_value(const std::string& name, FileValue& value, bool is_inner) {
    if (!is_inner && next() == '{') {
      ++at_;
      value.kind = FileValue::Kind::object;
      return read_members(value.members, true);
    }
    const std::string_view word = token();
    if (word.size() >= 2 && word[0] == '"') {
      value.kind = FileValue::Kind::text;
      value.text = word.substr(1, word.size() - 2);
      return true;
    }
    if (!word.empty() &&
        std::from_chars(word.data(), word.data() + word.size(), value.number).ec == std::errc())
      return true;
    return fail("has neither a number nor a text for '" + name + "'");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

// Names that one source stands for: "multiprocessors, l2_bytes".
std::vector<std::string> constants_listed(const std::string& names) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::size_t first = std::min(names.find_first_not_of(' ', begin), end);
    result.push_back(names.substr(first, end - first));
    begin = end + 1;
  }
  return result;
}

// A file with a base, of whose members each has to be accounted for.
class DerivedFile {
 public:
  DerivedFile(const FileMembers& members, MachineFile& file) : members_(members), file_(file) {}

  // Empty: nothing is wrong.
  std::string read() {
    file_.is_measured =
        members_.contains("measured") && !members_.contains("published") && !members_.contains("derived");
    for (const auto& [name, value] : members_) {
      if (const std::string wrong = read_member(name, value); !wrong.empty()) return wrong;
    }
    if (file_.gpu.empty()) return "has no \"name\": say which GPU it is";
    for (const auto& [constant, section] : section_of_) {
      if (section != "measured" && !sources_.contains(constant))
        return "has no source for '" + constant +
               "': say under \"sources\" who has published it, or how it is derived";
    }
    for (const auto& [constant, source] : sources_) {
      if (!section_of_.contains(constant))
        return "has a source for '" + constant +
               "', which is neither under \"published\" nor under \"derived\"";
    }
    return "";
  }

 private:
  std::string read_member(const std::string& name, const FileValue& value) {
    const bool is_section =
        name == "published" || name == "derived" || name == "measured" || name == "sources";
    if (is_section && value.kind != FileValue::Kind::object) return "has no { } for \"" + name + "\"";
    if (!is_section && value.kind == FileValue::Kind::object)
      return "has an object for '" + name +
             "'; only \"published\", \"derived\", \"measured\" and \"sources\" are objects";
    if (name == "sources") return read_sources(value.members);
    if (is_section) return read_numbers(name, value.members);
    if (value.kind == FileValue::Kind::number && constant_row(name))
      return "has '" + name + "' outside of \"published\", \"derived\" and \"measured\": say which it is";
    return "";
  }

  std::string read_sources(const FileMembers& sources) {
    for (const auto& [names, source] : sources) {
      if (source.kind != FileValue::Kind::text || source.text.find_first_not_of(' ') == std::string::npos)
        return "has no text for '" + names + "' under \"sources\"";
      for (const std::string& name : constants_listed(names)) sources_[name] = source.text;
    }
    return "";
  }

  std::string read_numbers(const std::string& section, const FileMembers& numbers) {
    for (const auto& [name, value] : numbers) {
      if (value.kind != FileValue::Kind::number)
        return "has a text for '" + name + "' under \"" + section + "\", where a number is due";
      if (section != "measured" && !constant_row(name)) return "has " + what_is_unknown(name);
      if (section_of_.contains(name))
        return "has '" + name + "' under \"" + section_of_[name] + "\" and under \"" + section + "\"";
      section_of_[name] = section;
      file_.numbers[name] = value.number;
    }
    return "";
  }

  const FileMembers& members_;
  MachineFile& file_;
  std::map<std::string, std::string> section_of_, sources_;  // by constant
};

}  // namespace

std::string what_is_missing(const ConstantRow& missing, const Numbers& numbers) {
  const auto rows = constant_rows();
  std::size_t fewest = kMostMisspelt + 1, others = 0;
  std::string_view nearest;
  for (const auto& number : numbers) {
    const std::string_view name = number.first;
    if (constant_row(name)) continue;
    if (const std::size_t mistakes = spelling_difference(name, missing.name); mistakes < fewest)
      fewest = mistakes, nearest = name;
  }
  for (const ConstantRow& row : rows) others += &row != &missing && !numbers.contains(row.name);
  std::string text = "lacks '" + std::string(missing.name) + "' (" + missing.text() + ")";
  if (others > 0)
    text += " and " + std::to_string(others) + (others == 1 ? " other constant" : " other constants");
  if (!nearest.empty())
    text += "; it has '" + std::string(nearest) + "', which is no constant and may be a misspelling";
  return text;
}

std::string what_is_unknown(std::string_view name) {
  const ConstantRow* nearest = nullptr;
  std::size_t fewest = kMostMisspelt + 1;
  for (const ConstantRow& row : constant_rows()) {
    if (const std::size_t mistakes = spelling_difference(name, row.name); mistakes < fewest)
      fewest = mistakes, nearest = &row;
  }
  return "'" + std::string(name) + "', which is no constant" +
         (nearest ? "; perhaps '" + std::string(nearest->name) + "' is meant" : "");
}

std::optional<MachineFile> read_machine_file(std::string_view text, std::string* error) {
  FileMembers members;
  MachineFileReader reader(text);
  if (!reader.read(members)) {
    *error = reader.error();
    return std::nullopt;
  }
  MachineFile file;
  for (const char* name : {"gpu", "name"})  // calibrate's word, and that of files written by hand
    if (const auto found = members.find(name); found != members.end()) file.gpu = found->second.text;
  if (const auto base = members.find("base"); base != members.end()) {
    file.base = base->second.text;
    *error = file.base.empty() ? "has no text for \"base\": name a GPU, or a file beside this one"
                               : DerivedFile(members, file).read();
    return error->empty() ? std::optional(std::move(file)) : std::nullopt;
  }
  for (const auto& [name, value] : members) {
    if (value.kind == FileValue::Kind::object) {
      *error = "has \"" + name + "\", which only a file with a \"base\" has";
      return std::nullopt;
    }
    if (value.kind == FileValue::Kind::number) file.numbers[name] = value.number;
  }
  return file;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
