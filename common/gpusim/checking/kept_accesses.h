// Whether the PTX of a kernel makes every access to memory that stands in its source. The compiler may have removed some: a value that
// nobody uses is not loaded, an element that nobody reads is not stored. A run cannot show that these race.
//
// simcc --keep-accesses keeps them all, and writes at the end of the PTX text:
//   // simcc: _Z3sumPf keeps its accesses
//   // simcc: _Z3sumPfPf restricts 0 1         which of its parameters are __restrict__
//   // simcc: _Z4walkPf calls too much         instead: nobody has looked at all that it calls
#pragma once

#include <string>
#include <vector>

#include "checking/findings.h"
#include "ptx/program.h"

namespace gpusim {

struct KeptAccesses {
  std::string missing;          // why some may be; empty: it makes all
  Place place;                  // of that, if there is one
  std::vector<u32> restricted;  // parameters
};
// `kernel` is an index in Program::functions.
KeptAccesses kept_accesses(const Program&, u32 kernel);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
