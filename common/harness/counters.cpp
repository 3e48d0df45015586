#include "harness/counters.h"

#include <stdexcept>

namespace harness {

double Counters::at(const std::string& name) const {
  for (const Counter& counter : list_) {
    if (counter.name == name) return counter.value;
  }
  throw std::out_of_range("no counter is called '" + name + "'");
}

}  // namespace harness
// SPDX-License-Identifier: MIT
