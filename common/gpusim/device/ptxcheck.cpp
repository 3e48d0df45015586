// gpusim_ptxcheck FILE.ptx: prints every error that loading the file would give, one a line, as a compiler does:
// "sum.cu:12:5: error: …". Exits with 1 if there is one.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "device/check.h"

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
  for (const gpusim::Diagnostic& error : errors) {
    const std::string place = !error.where.empty() ? error.where : argv[1] + (error.ptx_line ? ":" + std::to_string(error.ptx_line) : "");
    std::printf("%s: error: %s\n", place.c_str(), error.what.c_str());
  }
  return errors.empty() ? 0 : 1;
}
