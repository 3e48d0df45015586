// web/run.h as a program: a request on standard input, its answer on standard output. Compiled for WebAssembly it is what the
// book's pages run; compiled for this machine it is what the tests hold that against.
#include <cstdio>
#include <string>

#include "web/run.h"

int main() {
  std::string request;
  char part[1 << 16];
  for (std::size_t count; (count = std::fread(part, 1, sizeof part, stdin)) > 0;) request.append(part, count);
  const std::string answer = gpusim::web::run(request);
  return std::fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() ? 0 : 1;
}
// SPDX-License-Identifier: MIT
