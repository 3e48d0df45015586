// One execution of launches that run together, operation by operation (operation.h). Between two operations of an agent everything
// runs that matters to no other agent, so only the order of operations, and what loads get, is left open.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "exploration/operation.h"
#include "exploration/plain_accesses.h"
#include "exploration/schedule_text.h"

namespace gpusim {

// A launch to be explored: all that is needed to begin it again.
struct ExploredLaunch {
  Device* device = nullptr;
  const Module* module = nullptr;
  const KernelInfo* kernel = nullptr;
  LaunchConfig config;
  std::vector<u8> params;
  std::vector<Observer*> observers = {};  // that hear of it
  u64 number = 0;
  std::shared_ptr<const KernelFacts> facts = nullptr;  // made where there are none
};

// What an operation did: which messages it got and which it left.
struct Step {
  struct Part {
    u64 word = 0;
    u32 message = 0;
    bool is_write = false;   // it made the message
    bool is_newest = false;  // it had to get the newest one: an atomic
    bool is_stale = false;   // there was a newer one
    u64 bits = 0;
  };
  AgentId agent = 0;
  u32 pc = 0;
  Operation::Kind kind = Operation::Kind::load;
  std::vector<Part> parts;
  std::vector<std::vector<AgentId>> meetings;  // that came before the next operation of anybody
};

// Which message each word of a load gets, in the order of Operation::words. Empty for stores and atomics.
using Choice = std::vector<u32>;

// Which agent does its next operation, and what it gets.
struct Move {
  AgentId agent = 0;
  Choice choice;
  bool operator==(const Move&) const = default;
};

class Execution {
 public:
  // begin() comes next.
  explicit Execution(std::span<const ExploredLaunch>, bool parks = true);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  // All agents run to their first operation. This and execute() throw NotExplored.
  void begin() { settle(); }

  u32 agents() const { return u32(agents_.size()); }
  // The operation before which the agent stands; null: it has ended, or waits.
  const Operation* operation(AgentId a) const { return agents_[a].op ? &*agents_[a].op : nullptr; }
  // What the operation may get, the newest first; one empty choice for stores and atomics.
  std::vector<Choice> choices(AgentId) const;
  Step execute(AgentId, const Choice&);
  // A move that an agent can make now, as texts have it, and back; nothing where no agent can make it.
  NamedMove name_of(const Move&) const;
  std::optional<Move> find_move(const NamedMove&) const;

  // How it ended, once no agent has an operation. `repeated`: an agent waits in a loop and has not looked at what others have
  // written since. Another execution is the same without that round of the loop, so this one may end before its agents do.
  enum class End : u8 { running, complete, repeated, stuck, fault };
  End end() const;
  // After `repeated`: the agents that have something to see look again.
  void wake();
  // Of a fault, or of agents that wait for ever.
  Fault fault();
  // Describes a race that PlainAccesses has found; empty: none.
  std::string race() const;
  bool stores_equal() const {
    return plain_.race() && plain_.race()->stores_equal;
  }  // it is one of equal values

  u32 launches() const { return u32(parts_.size()); }
  const LaunchInfo& info(AgentId) const;
  u64 block_of(AgentId a) const { return agents_[a].block->index; }
  u32 warp_of(AgentId a) const { return agents_[a].warp; }
  std::string name_of(AgentId) const;  // "block 1" or "GPU 0, block 1, warp 2"
  std::string words_of(
      const Step&) const;  // "block 1: kernels.cu:12:3 gets 0 of 0x2000…, which is out of date"

  std::string element_text(u64 address) const;

  // The bytes of global memory that it has written, each once, ascending.
  struct Written {
    u64 address;
    u8 value;
    bool operator==(const Written&) const = default;
  };
  std::vector<Written> written() const;
  // Puts memory back to what it was. The observers hear that the launches are over.
  void undo();
  // The observers hear that the launches are over.
  void finish();

 private:
  struct Part;
  class Ears;
  // The state in which the agent was at an operation.
  struct Visit {
    u32 pc = 0;
    u64 state = 0;            // of its block
    u64 rest = 0;             // … without its warp
    Mask lanes = 0;           // that were to execute the operation
    u64 of_lane[kWarpSize];   // their states
    bool is_by_lane = false;  // these are known, and no lane has told another one anything since
    std::vector<std::pair<u64, u32>> got;
  };
  struct Agent {
    Part* part = nullptr;
    Block* block = nullptr;
    u32 warp = 0;
    std::optional<Operation> op;
    bool is_parked = false;
    std::vector<Visit> visits;               // since it last changed something
    std::vector<std::pair<u64, u32>> loop;   // parked: what it got in the round that it would repeat
    std::vector<std::pair<u64, u32>> alone;  // of these, what was all that some lane got in the round
  };
  struct Saved {
    u64 address;
    u8* where;
    u8 bytes[16];
    u8 count;
  };
  Visit visit(const Agent&, u32 pc) const;
  static bool is_repeated(const Visit& before, const Visit& now);
  void heard_others(Part&, const Issue&);
  AgentId agent_of(const Part&, u64 block, u32 warp) const;
  void start(const ExploredLaunch&, std::vector<WeakMemory::Home>&);
  void settle();
  bool run(AgentId);
  bool part_joins();
  u32 ready(const Agent&) const;
  void arrive(Agent&);
  void take_word(const TalkWord&);
  void hear(Part&, const Access&);
  Mask lanes_that_change_nothing(const Part&, const Access&) const;
  void note_plain_stores(AgentId);
  void fence(Part&, const Issue&);
  void met(Part&, u64 block);
  bool may_see_more(const Agent&) const;
  bool has_missed(const std::pair<u64, u32>& got) const { return memory_->newest(got.first) > got.second; }

  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Agent> agents_;
  std::unique_ptr<WeakMemory> memory_;
  std::map<u64, TalkWord> words_;
  PlainAccesses plain_;
  const bool parks_;        // agents that would go round and round
  AgentId runs_ = kNobody;  // whose instruction is executed
  bool in_operation_ = false;
  std::vector<u64> stored_;  // words that a plain store is about to change
  std::vector<Saved> saved_;
  std::vector<std::vector<AgentId>> meetings_;
  std::optional<Fault> fault_;
  bool is_over_ = false;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
