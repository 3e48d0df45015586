// How the accesses of a launch change what the race check remembers of global memory (global_shadow.h), and which of them race with
// what is there.
#pragma once

#include <vector>

#include "checking/findings.h"
#include "checking/races/checked_launches.h"
#include "checking/races/earlier_updates.h"
#include "checking/races/global_race_findings.h"
#include "checking/races/global_race_rules.h"
#include "checking/races/global_shadow.h"
#include "checking/races/happens_before.h"

namespace gpusim {

class GlobalTouches {
 public:
  GlobalTouches(const CheckedLaunches& launches, HappensBefore& order, const GlobalRaceRules& rules,
                GlobalShadow& shadow, GlobalRaceFindings& races, Findings& findings)
      : launches_(launches),
        order_(order),
        rules_(rules),
        shadow_(shadow),
        races_(races),
        all_findings_(findings) {}

  // Forgets what it keeps beside the shadow.
  void clear() {
    more_.clear();
    updates_.clear();
  }
  // Readers of a cell beyond the two that it holds itself, or null.
  const std::vector<Touch>* more_readers(const Cell& cell) { return more_.find(cell); }

  // Where each lane of a warp touches cells of its own of whole lines: notes what can be noted for lines as wholes. Returns the
  // lanes that are left: all of them if several GPUs share the memory.
  Mask touch_lines(const Access&, const Touch&);
  // The lanes but those that read what two other blocks have read and none has written in this launch.
  Mask tells_something(const Access&, Mask lanes);
  // The last write of what is at this address, perhaps of an earlier launch, or none.
  Touch last_write(u64 address);
  // From now on the cells of the line count, and it does not.
  void open_line(Shadow&, u64 address, Time);
  // What one lane does to each cell of its bytes, whose line is open.
  void touch_cells(const Touch& now, const Access&, u32 lane, const Shadow&);

 private:
  const Touch* racing_write(const Cell&, const Touch& now);
  void keep_reader(Cell&, const Touch&);
  void keep_more(Cell&, const Touch&);
  void write(Cell&, const Touch&, const Access&, u32 lane, const Shadow&);
  const CheckedLaunch& launch() const { return launches_.current(); }

  const CheckedLaunches& launches_;
  HappensBefore& order_;
  const GlobalRaceRules& rules_;
  GlobalShadow& shadow_;
  GlobalRaceFindings& races_;
  Findings& all_findings_;
  MoreReaders more_;
  EarlierUpdates<Touch, Cell> updates_;  // of cells whose last write is an atomic
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
