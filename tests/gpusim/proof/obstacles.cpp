// obstacles PROGRAM…
// What stands in the way of a proof in each kernel of programs, as far as its instructions tell: a line "kernel: what", or "kernel:".
// The PTX of a program is plain text in it, from ".version" to a zero byte.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "analysis/data_dependence.h"
#include "execution/builtins.h"
#include "ptx/names.h"
#include "ptx/parser.h"

namespace {

using namespace gpusim;

bool computes_numbers(std::string_view name) { return find_host_lanes_function(name) != nullptr; }

// Of `ns::sum<256>(int*)`: sum.
std::string plain_name(std::string name) {
  name = name.substr(0, name.find('('));
  name = name.substr(0, name.find('<'));
  if (const std::size_t blank = name.rfind(' '); blank != name.npos) name = name.substr(blank + 1);
  if (const std::size_t scope = name.rfind("::"); scope != name.npos) name = name.substr(scope + 2);
  return name;
}

void tell(std::string_view ptx) {
  const Program program = ptx::parse(ptx);
  for (u32 k = 0; k < program.functions.size(); ++k) {
    if (!program.functions[k].is_kernel) continue;
    const DataDependence found = data_dependence(program, k, computes_numbers);
    std::string name = demangled(program.functions[k].name);
    if (name.starts_with("(anonymous namespace)::")) name = name.substr(23);
    if (const std::size_t anonymous = name.find("(anonymous namespace)::"); anonymous != name.npos)
      name.erase(anonymous, 23);
    std::printf("%s:%s%s\n", plain_name(name).c_str(), found.obstacles.empty() ? "" : " ",
                found.obstacles.empty() ? "" : found.obstacles.front().what.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t at = 0; (at = all.find("\n.version ", at)) != all.npos;) {
      const std::size_t end = std::min(all.find('\0', at), all.size());
      const std::string_view text(all.data() + at, end - at);
      if (text.find("\n.target ") != text.npos) tell(text);
      at = end;
    }
  }
}
// SPDX-License-Identifier: MIT
