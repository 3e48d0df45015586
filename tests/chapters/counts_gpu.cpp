#include <cstdio>

#include "counts.h"

namespace judge {

void check_counts(const SumKernel& kernel, const std::vector<Limit>&) {
  std::printf("    %s: not counted on a GPU\n", kernel.name);
}

std::string last_fault() { return ""; }

}  // namespace judge
