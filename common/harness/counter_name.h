// What a counter of the simulated GPU is called here: as its member in gpusim/report.h, with _ for each dot.
#pragma once

#include <algorithm>
#include <string>

#include "gpusim/include/gpusim/counter_list.h"

namespace harness {

inline std::string counter_name(const gpusim::CounterRow& row) {
  std::string name = row.member;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

}  // namespace harness
// SPDX-License-Identifier: MIT
