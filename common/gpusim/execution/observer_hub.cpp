#include "execution/observer_hub.h"

namespace gpusim {

void ObserverHub::listen(std::span<Observer* const> observers) {
  all = observers;
  for (auto* list :
       {&issues, &branches, &barriers, &meetings, &accesses, &take_rows, &take_lanes, &take_lanes_and_issues})
    list->clear();
  for (Observer* o : observers) {
    const Interests interests = o->interests();
    if (interests.issues) issues.push_back(o);
    if (interests.branches) branches.push_back(o);
    if (interests.barriers) barriers.push_back(o);
    if (interests.meetings) meetings.push_back(o);
    if (!interests.accesses) continue;
    accesses.push_back(o);
    (interests.rows ? take_rows : take_lanes).push_back(o);
    if (interests.issues && !interests.rows) take_lanes_and_issues.push_back(o);
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
