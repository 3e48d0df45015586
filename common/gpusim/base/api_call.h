// Which line of the program a call of the runtime comes from.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace gpusim {

// The return addresses on the stack at one moment. They become a line only if a message needs it: simcc leaves line tables in
// host code, and `addr2line` (which is there where programs are linked) reads them.
class ApiCall {
 public:
  // Takes the addresses, in about a microsecond.
  static ApiCall here();

  // For a signal handler: the stack of the interrupted instruction at `pc`.
  static ApiCall at(void* pc);

  struct Line {
    std::string
        file;  // as the compiler wrote it; empty: unknown, as in code of other compilers and in a browser
    int number = 0;
  };
  // The innermost line of the program's own. Unknown where a library in headers (CUB, Thrust) makes the call.
  Line line() const;

  bool operator==(const ApiCall&) const = default;

 private:
  static constexpr std::size_t kMost = 24;
  std::array<void*, kMost> frames_ = {};  // the innermost first; null behind the last
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
