// Launches that run together, explored, or run once by a schedule: what the runtime calls.
#pragma once

#include <functional>
#include <string>

#include "exploration/explorer.h"

namespace gpusim {

// Explores them with the race check. Memory is as it was before.
Exploration explore(std::vector<ExploredLaunch>, const ExplorationLimits&);

// What is told of it: "gpusim: explored 12 executions of ring<<<1, 512>>> on 2 GPUs: …", with the schedules to see it again.
std::string to_text(const Exploration&, const std::vector<ExploredLaunch>&);

using ToldOfOperation = std::function<void(const NamedMove*, bool is_named, const std::string& text)>;

// Runs them in the order of the schedule, and then on as the operations come. Observers hear of it as of any launch. Returns how it
// went wrong: a fault, or agents that wait for ever. `told` hears of the beginning, when all agents stand before their first
// operation (a null move), and of each operation: whether the schedule names it, and what it did in words. *unfit says why the schedule is not one of these launches; from there on it is not
// followed. Throws NotExplored, and memory is as it was, where they do what no execution follows.
std::optional<Fault> run_by_schedule(const std::vector<ExploredLaunch>&, const NamedSchedule&,
                                     std::string* unfit, const ToldOfOperation& told = {});

}  // namespace gpusim
// SPDX-License-Identifier: MIT
