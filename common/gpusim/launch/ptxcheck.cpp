// gpusim_ptxcheck FILE.ptx: prints what is wrong with the file, one a line, as a compiler does: "sum.cu:12:5: error: …".
// What a GPU of its compute capability can do and the simulated one cannot is a warning: such a kernel is refused when it
// is launched. What only newer ones can is an error, as it is for ptxas. Exits with 1 if there is an error.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "execution/check.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: gpusim_ptxcheck FILE.ptx\n");
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::stringstream text;
  if (!file || (file.peek() != EOF && !(text << file.rdbuf()))) {
    std::fprintf(stderr, "gpusim_ptxcheck: %s: cannot be read\n", argv[1]);
    return 2;
  }
  const auto errors = gpusim::check_ptx(text.str());
  bool failed = false;
  for (const gpusim::Diagnostic& error : errors) {
    const bool warns = error.what.ends_with("run this on a GPU");
    failed |= !warns;
    const std::string place = !error.where.empty()
                                  ? error.where
                                  : argv[1] + (error.ptx_line ? ":" + std::to_string(error.ptx_line) : "");
    std::printf("%s: %s: %s\n", place.c_str(), warns ? "warning" : "error", error.what.c_str());
  }
  return failed ? 1 : 0;
}
// SPDX-License-Identifier: MIT
