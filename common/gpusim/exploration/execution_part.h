// One launch of an execution: what runs it and what hears of it. For the files that define Execution.
#pragma once

#include "execution/events.h"
#include "exploration/execution.h"
#include "launch/launch.h"

namespace gpusim {

// What the interpreter tells of one launch.
class Execution::Ears final : public SerialObserver {
 public:
  Ears(Execution& of, Part& part) : of_(of), part_(part) {}
  Interests interests() const override { return {.accesses = true, .barriers = true, .meetings = true}; }
  void access(const Access& a) override { of_.hear(part_, a); }
  void fence(const Issue& i) override { of_.fence(part_, i); }
  void sync(const Issue& i, SyncKind, Mask) override { of_.heard_others(part_, i); }
  void shuffled(const Issue& i, Mask, Mask, const u32*) override { of_.heard_others(part_, i); }
  void barrier_complete(u64 block, u32) override { of_.met(part_, block); }
  void unseen() override { throw NotExplored{"prints, allocates or reads a texture", {}}; }

 private:
  Execution& of_;
  Part& part_;
};

struct Execution::Part {
  static constexpr u64 kBudget = u64(1) << 22;  // warp instructions of one execution

  const ExploredLaunch& launch;
  const LoadedModule& module;
  LaunchInfo info;
  std::shared_ptr<const KernelFacts> facts;
  Operations operations;
  Ears ears;
  std::vector<Observer*> observers;
  Executor executor;
  std::vector<std::unique_ptr<Block>> blocks;
  AgentId first = 0;  // its agents: block after block

  Part(Execution& of, const ExploredLaunch& l)
      : launch(l),
        module(static_cast<const LoadedModule&>(*l.module)),
        info(info_of(*l.device, *l.module, *l.kernel, l.config, l.params.data(), l.number)),
        facts(l.facts ? l.facts : std::make_shared<KernelFacts>(info)),
        operations(*l.device, module, info, *facts),
        ears(of, *this),
        observers(begun(l.observers, info, &ears)),
        executor(*l.device, l.device->memory, module, info, observers, kBudget) {}

  static std::vector<Observer*> begun(std::vector<Observer*> all, const LaunchInfo& info, Observer* ears) {
    for (Observer* o : all) o->launch_begin(info);
    all.push_back(ears);
    return all;
  }
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
