// The members of gpusim::Counters, by name: the one list behind adding them up and writing them out.
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

#define FIELD(member) {#member, offsetof(Counters, member)}
#define SECTOR_FIELDS(member) \
  FIELD(member.requests), FIELD(member.sectors), FIELD(member.ideal_sectors), FIELD(member.bytes)
#define BANK_FIELDS(member) FIELD(member.requests), FIELD(member.wavefronts), FIELD(member.ideal_wavefronts)
#define ATOMIC_FIELDS(member) \
  FIELD(member.atomics), FIELD(member.atomic_lanes), FIELD(member.atomic_serialised)

inline constexpr CounterField kCounterFields[] = {
    FIELD(warp_instructions),
    FIELD(thread_instructions),
    FIELD(branches),
    FIELD(divergent_branches),
    FIELD(barriers),
    FIELD(warp_syncs),
    FIELD(shuffles),
    FIELD(votes),
    SECTOR_FIELDS(global.load),
    SECTOR_FIELDS(global.store),
    ATOMIC_FIELDS(global),
    FIELD(global.load_waits),
    FIELD(global.loads_awaited),
    BANK_FIELDS(shared.load),
    BANK_FIELDS(shared.store),
    ATOMIC_FIELDS(shared),
    SECTOR_FIELDS(local.load),
    SECTOR_FIELDS(local.store),
};

#undef FIELD
#undef SECTOR_FIELDS
#undef BANK_FIELDS
#undef ATOMIC_FIELDS

static_assert(std::size(kCounterFields) * sizeof(std::uint64_t) == sizeof(Counters),
              "a member of Counters is missing from kCounterFields, or listed twice");

}  // namespace gpusim
