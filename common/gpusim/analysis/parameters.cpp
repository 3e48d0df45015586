#include "analysis/parameters.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/files.h"
#include "ptx/kernel_info.h"
#include "ptx/names.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

constexpr u32 kLongestHead = 60;  // lines that a kernel's name and parameters may take

bool is_word(char c) { return std::isalnum(u8(c)) || c == '_'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(u8(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(u8(text.back()))) text.remove_suffix(1);
  return text;
}

// The words of a text that stand alone, without the given ones.
std::string without(std::string_view text, std::initializer_list<std::string_view> words) {
  std::string rest;
  for (std::size_t k = 0; k < text.size();) {
    std::size_t end = k;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == k) {
      rest += text[k++];
      continue;
    }
    const std::string_view word = text.substr(k, end - k);
    if (std::ranges::find(words, word) == words.end()) rest += word;
    k = end;
  }
  return std::string(trimmed(rest));
}

// What stands between commas that are in no brackets.
std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  if (trimmed(list).empty()) return parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k <= list.size(); ++k) {
    const char c = k < list.size() ? list[k] : ',';
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
    if (c != ',' || (depth > 0 && k < list.size())) continue;
    parts.push_back(trimmed(list.substr(begin, k - begin)));
    begin = k + 1;
  }
  return parts;
}

// The text between a '(' and its ')', or nothing.
std::string_view in_parentheses(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth == 0) return text.substr(open + 1, k - open - 1);
  }
  return {};
}

u32 size_of_type(std::string_view type) {
  static constexpr struct {
    std::string_view name;
    u32 bytes;
  } kScalars[] = {{"bool", 1},           {"char", 1},      {"signed char", 1},
                  {"unsigned char", 1},  {"uchar", 1},     {"short", 2},
                  {"unsigned short", 2}, {"ushort", 2},    {"int", 4},
                  {"unsigned int", 4},   {"unsigned", 4},  {"uint", 4},
                  {"float", 4},          {"long", 8},      {"unsigned long", 8},
                  {"ulong", 8},          {"long long", 8}, {"unsigned long long", 8},
                  {"longlong", 8},       {"ulonglong", 8}, {"double", 8},
                  {"int8_t", 1},         {"uint8_t", 1},   {"int16_t", 2},
                  {"uint16_t", 2},       {"int32_t", 4},   {"uint32_t", 4},
                  {"int64_t", 8},        {"uint64_t", 8}};
  const auto scalar = [](std::string_view name) {
    for (const auto& s : kScalars)
      if (s.name == name) return s.bytes;
    return 0u;
  };
  if (const u32 bytes = scalar(type)) return bytes;
  // float2, uchar4: of vector_types.h
  if (type.empty() || type.back() < '1' || type.back() > '4' || type.find(' ') != type.npos) return 0;
  return scalar(type.substr(0, type.size() - 1)) * u32(type.back() - '0');
}

// The parameters as the mangled name has them: "float const*", "int". Empty for a name that is not mangled.
std::vector<std::string> mangled_types(const std::string& mangled) {
  const std::string name = demangled(mangled);
  std::vector<std::string> types;
  if (name == mangled || name.empty() || name.back() != ')') return types;
  int depth = 0;
  for (std::size_t k = name.size(); k-- > 0;) {
    depth += name[k] == ')' ? 1 : name[k] == '(' ? -1 : 0;
    if (depth != 0) continue;
    for (const std::string_view part : split(in_parentheses(name, k))) types.emplace_back(part);
    break;
  }
  return types;
}

// The source of a kernel's head and what stands before it, without comments.
std::string text_before(const std::string& path, u32 line) {
  std::istringstream file = open_file(path);
  std::string text, next;
  for (u32 k = 1; k <= line && std::getline(file, next); ++k)
    if (k + kLongestHead > line) text += next.substr(0, next.find("//")) + '\n';
  for (std::size_t begin; (begin = text.find("/*")) != text.npos;) {
    const std::size_t end = text.find("*/", begin + 2);
    text.erase(begin, end == text.npos ? text.npos : end + 2 - begin);
  }
  return text;
}

// The parameters as the source declares them: "const float* in". The line is where the body begins.
std::vector<std::string> declared(const std::string& path, u32 line, const std::string& kernel) {
  const std::string text = text_before(path, line);
  std::string name = kernel.substr(0, kernel.find('<'));
  if (const std::size_t scope = name.rfind("::"); scope != name.npos) name = name.substr(scope + 2);
  std::vector<std::string> parameters;
  for (std::size_t at = text.rfind(name); at != text.npos && !name.empty();
       at = at ? text.rfind(name, at - 1) : text.npos) {
    std::size_t open = at + name.size();
    if ((at > 0 && is_word(text[at - 1])) || open >= text.size() || is_word(text[open])) continue;
    if (text[open] == '<') {  // a specialisation
      int depth = 0;
      do depth += text[open] == '<' ? 1 : text[open] == '>' ? -1 : 0;
      while (++open < text.size() && depth > 0);
    }
    while (open < text.size() && std::isspace(u8(text[open]))) ++open;
    if (open >= text.size() || text[open] != '(') continue;
    for (const std::string_view part : split(in_parentheses(text, open))) parameters.emplace_back(part);
    break;
  }
  return parameters;
}

// "in" of "const float* __restrict__ in", "const float in[]"; empty for a parameter without a name.
std::string declared_name(std::string_view parameter) {
  parameter = trimmed(parameter.substr(0, std::min(parameter.find('['), parameter.find('='))));
  std::size_t begin = parameter.size();
  while (begin > 0 && is_word(parameter[begin - 1])) --begin;
  const std::string_view name = parameter.substr(begin);
  for (const std::string_view word : {"const", "volatile", "__restrict__", "__restrict", "restrict"})
    if (name == word) return "";
  return begin == 0 ? "" : std::string(name);  // a single word is a type
}

// What a parameter points to, of "float const*" or "const float* in"; is it a pointer at all?
bool read_type(std::string_view parameter, PointerParameter& p) {
  std::size_t end = parameter.rfind('*');
  if (end == parameter.npos) end = parameter.find('[');
  if (end == parameter.npos) return false;
  std::string_view pointee = trimmed(parameter.substr(0, end));
  if (pointee.empty()) return false;
  if (end != parameter.npos && parameter[end] == '[') {  // the name stands before the bracket
    while (!pointee.empty() && is_word(pointee.back())) pointee.remove_suffix(1);
    pointee = trimmed(pointee);
  }
  p.is_const = pointee.find("const") != pointee.npos && pointee.find('*') == pointee.npos;
  p.type = without(pointee, {"const", "volatile", "__restrict__"});
  if (p.type.find('*') != p.type.npos) p.element_bytes = 8;
  else p.element_bytes = size_of_type(p.type);
  return true;
}

// The parameter that an address in or near an allocation is counted from: the last one that points into it and not
// behind the address; of several, the one that the access fits.
const PointerParameter* nearest_parameter(const std::vector<PointerParameter>& parameters,
                                          const Allocation& allocation, u64 address, AccessKind kind) {
  const PointerParameter* best = nullptr;
  const auto better = [&](const PointerParameter& p) {
    if (!best) return true;
    const bool before = p.value <= address, best_before = best->value <= address;
    if (before != best_before) return before;
    if (p.value != best->value) return before ? p.value > best->value : p.value < best->value;
    return p.is_const == (kind == AccessKind::load) && best->is_const != p.is_const;
  };
  for (const PointerParameter& p : parameters)
    if (!p.name.empty() && p.value - allocation.base < allocation.size && better(p)) best = &p;
  return best;
}

// Where an array with a name begins for the kernel: at the last pointer in a struct among its parameters that points into
// the allocation, and not behind the address; else where the allocation does.
u64 beginning(const LaunchInfo& launch, const Allocation& allocation, u64 address) {
  u64 begin = allocation.base;
  for (const auto& parameter : launch.kernel->params)
    for (u32 at = 0; launch.params && at + 8 <= parameter.size; at += 8) {
      u64 value;
      std::memcpy(&value, launch.params + parameter.offset + at, 8);
      if (value <= address && allocation.contains(value, 1)) begin = std::max(begin, value);
    }
  return begin;
}

std::string element(const std::string& name, s64 index) { return name + "[" + std::to_string(index) + "]"; }

// "in[12]", "in[12] to in[15]"; empty where the access does not consist of elements.
std::string elements(const PointerParameter& p, u64 address, u32 bytes) {
  const s64 at = s64(address - p.value), size = p.element_bytes;
  if (size == 0 || at % size != 0 || bytes % size != 0) return "";
  const s64 first = at / size, count = bytes / size;
  return element(p.name, first) + (count > 1 ? " to " + element(p.name, first + count - 1) : "");
}

}  // namespace

std::string bytes_name(u64 bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

namespace {

// The parameters of a launch as texts: from the mangled name, and from the source. Each list is empty or has all.
struct ParameterTexts {
  std::vector<std::string> types, declarations;
};

ParameterTexts parameter_texts(const LaunchInfo& launch) {
  const KernelInfo& kernel = *launch.kernel;
  const Program& program = *launch.program;
  if (!launch.params || kernel.function >= program.functions.size()) return {};
  const Function& function = program.functions[kernel.function];
  if (function.begin >= program.lines.size()) return {};
  const SourceLine& head = program.lines[function.begin];
  ParameterTexts texts = {mangled_types(kernel.name), {}};
  if (head.line != 0 && head.file < program.files.size())
    texts.declarations = declared(program.files[head.file], head.line, kernel.pretty_name);
  for (std::vector<std::string>* list : {&texts.types, &texts.declarations})
    if (list->size() != kernel.params.size()) list->clear();
  return texts;
}

}  // namespace

std::vector<PointerParameter> pointer_parameters(const LaunchInfo& launch) {
  std::vector<PointerParameter> found;
  const KernelInfo& kernel = *launch.kernel;
  const auto [types, declarations] = parameter_texts(launch);
  if (types.empty() && declarations.empty()) return found;
  for (std::size_t k = 0; k < kernel.params.size(); ++k) {
    PointerParameter p;
    const bool is_pointer = read_type(types.empty() ? declarations[k] : types[k], p);
    if (!is_pointer || kernel.params[k].size != 8) continue;
    std::memcpy(&p.value, launch.params + kernel.params[k].offset, 8);
    if (!declarations.empty()) p.name = declared_name(declarations[k]);
    found.push_back(std::move(p));
  }
  return found;
}

std::vector<std::string> parameter_names(const LaunchInfo& launch) {
  std::vector<std::string> names;
  for (const std::string& declaration : parameter_texts(launch).declarations)
    names.push_back(declared_name(declaration));
  return names;
}

std::vector<IntegerParameter> integer_parameters(const LaunchInfo& launch) {
  std::vector<IntegerParameter> found;
  const KernelInfo& kernel = *launch.kernel;
  const auto [types, declarations] = parameter_texts(launch);
  for (std::size_t k = 0; k < types.size(); ++k) {
    const u8* const at = launch.params + kernel.params[k].offset;
    const auto read = [at](auto value) {
      std::memcpy(&value, at, sizeof value);
      return s64(value);
    };
    IntegerParameter p;
    if (types[k] == "int") p.value = read(s32());
    else if (types[k] == "unsigned int") p.value = read(u32());
    else if (types[k] == "long" || types[k] == "unsigned long" || types[k] == "long long" ||
             types[k] == "unsigned long long")
      p.value = read(s64());
    else continue;
    if (!declarations.empty()) p.name = declared_name(declarations[k]);
    found.push_back(std::move(p));
  }
  return found;
}

std::optional<PointerParameter> parameter_for(const LaunchInfo& launch, const Allocation& allocation,
                                              u64 address, AccessKind kind) {
  const std::vector<PointerParameter> parameters = pointer_parameters(launch);
  if (const PointerParameter* p = nearest_parameter(parameters, allocation, address, kind)) return *p;
  const ArrayName* const own = allocation.name;
  if (!own) return std::nullopt;
  return PointerParameter{own->name, "", own->element_bytes, false, beginning(launch, allocation, address)};
}

std::string null_name(const LaunchInfo& launch, u64 address, u32 bytes) {
  std::string name, array;
  for (const PointerParameter& p : pointer_parameters(launch)) {
    if (p.value != 0 || p.name.empty()) continue;
    if (!array.empty()) return "";
    array = p.name;
    name = elements(p, address, bytes);
  }
  return name.empty() ? "" : name + ", and " + array + " is a null pointer";
}

std::string array_name(const LaunchInfo& launch, const Allocation& allocation, u64 address, AccessKind kind) {
  const auto p = parameter_for(launch, allocation, address, kind);
  return p ? p->name : "";
}

std::string global_name(const LaunchInfo& launch, const Allocation& allocation, u64 address, u32 bytes,
                        AccessKind kind) {
  const u64 offset = address - allocation.base;
  if (allocation.kind == MemoryKind::module_variable || allocation.kind == MemoryKind::constant)
    for (const Variable& v : launch.program->variables) {
      const Space space = allocation.kind == MemoryKind::constant ? Space::constant : Space::global;
      if (v.address != allocation.base || v.space != space) continue;
      if (v.size == bytes) return variable_name(v.name);
      if (offset % bytes == 0) return element(variable_name(v.name), s64(offset / bytes));
      return bytes_name(bytes) + " at offset " + std::to_string(offset) + " of '" + variable_name(v.name) +
             "'";
    }
  const auto p = parameter_for(launch, allocation, address, kind);
  if (!p)
    return bytes_name(bytes) + " at offset " + std::to_string(offset) + " of an allocation of " +
           bytes_name(allocation.size);
  const bool is_all = offset == 0 && bytes == allocation.size && bytes == p->element_bytes;
  const std::string name = is_all ? "*" + p->name : elements(*p, address, bytes);
  return !name.empty()
             ? name
             : bytes_name(bytes) + " at offset " + std::to_string(s64(address - p->value)) + " of " + p->name;
}

std::string outside_name(const LaunchInfo& launch, const Allocation& allocation, u64 address, u32 bytes,
                         AccessKind kind) {
  const auto p = parameter_for(launch, allocation, address, kind);
  if (!p) return "";
  const std::string name = elements(*p, address, bytes);
  if (name.empty()) return "";
  const u64 count = (allocation.base + allocation.size - p->value) / p->element_bytes;
  const bool is_plain = p->type == "float" || p->type == "int" || p->type == "double" || p->type == "char";
  const std::string kinds = (is_plain ? p->type : "element") + (count == 1 ? "" : "s");
  if (address < allocation.base)
    return name + ", in front of the " + std::to_string(count) + " " + kinds + " of " + p->name;
  return name + ", beyond the " + std::to_string(count) + " " + kinds + " of " + p->name;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
