// The counters as a table: detail/counters.def, which says what each word of it means, for programs.
#pragma once

#include <cstddef>
#include <string_view>

#include "report.h"

namespace gpusim {

// Where a counter is shown. What pages and the programs in Python show, they read from the list themselves.
struct CounterPlaces {
  struct Column {
    const char* heading = nullptr;  // null: it has none there
    int width = 0, decimals = 0;
  };
  Column profile, lines;                  // to_profile(), to_text()
  const char* total = nullptr;            // its row of to_text()
  const char* program_heading = nullptr;  // its column of the table that programs print
  int program_column = 0;                 // from 1 on
  bool is_in_ncu = false;                 // ncu counts it, too

  constexpr CounterPlaces in_profile(Column column) const {
    CounterPlaces places = *this;
    places.profile = column;
    return places;
  }
  constexpr CounterPlaces in_lines(Column column) const {
    CounterPlaces places = *this;
    places.lines = column;
    return places;
  }
  constexpr CounterPlaces in_totals(const char* label) const {
    CounterPlaces places = *this;
    places.total = label;
    return places;
  }
  constexpr CounterPlaces of_programs(int column, const char* heading) const {
    CounterPlaces places = *this;
    places.program_column = column;
    places.program_heading = heading;
    return places;
  }
  constexpr CounterPlaces of_ncu() const {
    CounterPlaces places = *this;
    places.is_in_ncu = true;
    return places;
  }
};

enum class CounterKind { counted, hidden, derived, combined };

struct CounterRow {
  const char* member;  // as a C++ program writes it: global.load.sectors
  CounterKind kind;
  int decimals;  // 0: a count; else a mean
  double (*value)(const Counters&);
  CounterPlaces places;

  constexpr bool is_in_json_of_programs() const {
    return kind == CounterKind::counted || kind == CounterKind::derived;
  }
};

#define GPUSIM_COUNTER(member, kind, decimals, expression, places)                             \
  {#member, CounterKind::kind, decimals, [](const Counters& c) { return double(expression); }, \
   CounterPlaces() places},
#define COUNTER(member, places) GPUSIM_COUNTER(member, counted, 0, c.member, places)
#define HIDDEN_COUNTER(member, places) GPUSIM_COUNTER(member, hidden, 0, c.member, places)
#define DERIVED(member, decimals, places) GPUSIM_COUNTER(member, derived, decimals, c.member(), places)
#define COMBINED(member, decimals, places) GPUSIM_COUNTER(member, combined, decimals, c.member(), places)
#define PROFILE(heading, width, decimals) .in_profile({heading, width, decimals})
#define LINES(heading, width, decimals) .in_lines({heading, width, decimals})
#define TOTAL(label) .in_totals(label)
#define PROGRAMS(column, heading) .of_programs(column, heading)
#define TOUR(column, heading)
#define BOOK(label, term)
#define BOOK_BEHIND(member, label, term)
#define NCU(...) .of_ncu()
#define NCU_SASS(...)
#define NCU_TABLE(label, short_label)
#define NOWHERE
inline constexpr CounterRow kCounters[] = {
#include "detail/counters.def"
};
#undef GPUSIM_COUNTER
#undef PROFILE
#undef LINES
#undef TOTAL
#undef PROGRAMS
#undef TOUR
#undef BOOK
#undef BOOK_BEHIND
#undef NCU
#undef NCU_SASS
#undef NCU_TABLE
#undef NOWHERE

// Its row of kCounters. In a constant expression one that does not exist does not compile.
constexpr const CounterRow* counter_row(std::string_view member) {
  for (const CounterRow& row : kCounters)
    if (row.member == member) return &row;
  throw "there is no such counter";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
