// The numbers with which a program's kernels compare sizes and indices: `if (n > 3000)`, `min(blocks, 1024)`. A test
// should use sizes on both sides of each, since the kernel may do something else there.
//
//   for (const gpusim::ComparedNumber& t : gpusim::compared_numbers())
//     std::printf("%s:%d %llu\n", t.place.file.c_str(), t.place.line, t.number);
#pragma once

#include <vector>

#include "gpusim/check.h"

namespace gpusim {

struct ComparedNumber {
  std::string function;   // that compares, as PTX names it
  bool is_kernel = true;  // else it is called by kernels
  Place place;            // of the comparison, a minimum or a maximum
  bool is_float = false;  // then it is `value`, else `number`
  unsigned long long number = 0;
  double value = 0;
};

// Of integers those that are compared with what depends on a kernel's parameters or on the number of a block, and what they mean for
// the values from which that was computed: of `n / 4 + 1 > 100` also 99 and 396. Of floats all but 0. Magnitudes; the same number
// may come several times. Of all kernels that the program has registered; they are loaded if they are not.
std::vector<ComparedNumber> compared_numbers();

// A conditional branch that compares what depends on a kernel's parameters or on the number of a block, and which of its sides threads
// have taken in all launches so far. Code that the compiler has copied has several branches at the same place.
struct BranchOnSize {
  std::string function;
  Place place;
  bool has_jumped = false, has_stayed = false;
};

// Those that have been executed. A side that was never taken has not been tested by any of the launches.
std::vector<BranchOnSize> branches_on_sizes();

// The largest whole number up to `most` that stands in the code of these kernels, whatever they do with it: one that counts how often
// it has looked, and gives up, gives up at such a number. 0: there is none.
unsigned long long largest_number_in_code(unsigned long long most);

// Whether any of these kernels loads a number that is no float from global or shared memory, or uses an atomic. If not, no thread can
// wait for what another one stores.
bool kernels_load_whole_numbers();

}  // namespace gpusim
// SPDX-License-Identifier: MIT
