#include "checking/kept_accesses.h"

#include <sstream>
#include <string_view>

#include "checking/compiler_warnings.h"

namespace gpusim {

KeptAccesses kept_accesses(const Program& program, u32 kernel) {
  KeptAccesses kept;
  kept.missing = "the compiler may have removed accesses of the source: compile with simcc --keep-accesses";
  const std::string name = program.functions[kernel].name + " ";
  for (const std::string& note : program.notes) {
    if (!note.starts_with(name)) continue;
    const std::string rest = note.substr(name.size());
    if (rest == "keeps its accesses") kept.missing.clear();
    if (rest == "calls too much")
      kept.missing = "it calls itself, calls functions by address, or calls too many functions to examine";
    if (rest.starts_with("restricts ")) {
      std::istringstream numbers(rest.substr(rest.find(' ')));
      for (u32 parameter; numbers >> parameter;) kept.restricted.push_back(parameter);
    }
  }
  for (const std::string& note : program.notes)
    if (const auto warning = uninitialised_variable(note)) {
      kept.missing = "uses a variable without a value, for which the compiler may have chosen any";
      kept.place = warning->place;
      break;
    }
  return kept;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
