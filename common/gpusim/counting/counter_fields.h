// The members of gpusim::Counters by name, for code that adds them up or writes them out.
#pragma once

#include <cstddef>
#include <iterator>

#include "gpusim/report.h"

namespace gpusim {

struct CounterField {
  const char* path;    // as a C++ program writes it: global.load.sectors
  std::size_t offset;  // bytes, in Counters

  std::uint64_t& of(Counters& c) const {
    return *reinterpret_cast<std::uint64_t*>(reinterpret_cast<char*>(&c) + offset);
  }
  std::uint64_t of(const Counters& c) const { return of(const_cast<Counters&>(c)); }
};

inline constexpr CounterField kCounterFields[] = {
#define COUNTER(member, places) {#member, offsetof(Counters, member)},
#define HIDDEN_COUNTER(member, places) COUNTER(member, places)
#define DERIVED(member, decimals, places)
#define COMBINED(member, decimals, places)
#include "gpusim/detail/counters.def"
};

static_assert(std::size(kCounterFields) * sizeof(std::uint64_t) == sizeof(Counters),
              "a member of Counters is missing from gpusim/detail/counters.def, or listed twice");

}  // namespace gpusim
// SPDX-License-Identifier: MIT
