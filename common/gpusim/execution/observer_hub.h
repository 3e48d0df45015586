// Tells the observers of a launch what happens in it, each only what it wants to hear.
#pragma once

#include <span>
#include <vector>

#include "execution/events.h"
#include "execution/warp.h"

namespace gpusim {

inline Issue issue_of(const Warp& w, u32 pc, Mask mask) { return {pc, mask, w.block->index, w.index}; }

// Observers are not owned. A launch without observers finds empty lists.
struct ObserverHub {
  // From now on these observers are told, and no others. The span must stay valid meanwhile.
  void listen(std::span<Observer* const>);

  template <class F> void tell(F f) const {
    for (Observer* o : all) f(*o);
  }
  template <class F> void tell_barrier(F f) const {
    for (Observer* o : barriers) f(*o);
  }
  template <class F> void tell_meeting(F f) const {
    for (Observer* o : meetings) f(*o);
  }
  void tell_unseen() const {
    for (Observer* o : all) o->unseen();
  }
  void tell_branch(const Warp& w, u32 pc, Mask mask, Mask taken) const {
    for (Observer* o : branches) o->branch(issue_of(w, pc, mask), taken);
  }
  void tell_issue(const Warp& w, u32 pc, Mask mask) const {
    for (Observer* o : issues) o->issue(issue_of(w, pc, mask));
  }

  // Tells about integer divisions by 0 in lanes of the mask. This reads registers, so ask is_told_divisions() first.
  void tell_division(const Warp&, const Fragment&, const Instruction&, Mask) const;
  bool is_told_divisions() const { return !divisions.empty(); }

  std::span<Observer* const> all;
  // By what they want to hear (Interests).
  std::vector<Observer*> issues, branches, barriers, meetings, divisions, accesses;
  // The observers of accesses: those that take a row as one event, those that take lanes, and which of these hear issues, too.
  std::vector<Observer*> take_rows, take_lanes, take_lanes_and_issues;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
