#include "ptx/names.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gpusim {

std::string demangled(const std::string& mangled) {
  if (!mangled.starts_with("_Z")) return mangled;  // `f` would be float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return text ? text.get() : mangled;
}

std::string kernel_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {  // the '(' of the parameters, outside template arguments
    depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
    if (name[i] == '(' && depth == 0 && name.compare(i, 11, "(anonymous ") != 0) {
      name.resize(i);
      break;
    }
  }
  depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {  // the space after a template's return type
    depth += name[i] == '>' ? 1 : name[i] == '<' ? -1 : 0;
    if (name[i] == ' ' && depth == 0 && name.find("(anonymous namespace)", i > 10 ? i - 10 : 0) > i)
      return name.substr(i + 1);
  }
  return name;
}

std::string variable_name(const std::string& mangled) {
  const std::string name = demangled(mangled);
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
