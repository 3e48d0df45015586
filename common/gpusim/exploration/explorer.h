// All executions of launches that run together, up to the order of operations that concern each other: dynamic partial-order
// reduction (Flanagan and Godefroid 2005) with source sets and sleep sets (Abdulla, Aronis, Jonsson and Sagonas 2014).
//
// The launches are run again and again from their beginning. A run follows the operations of the one before it up to a point, and
// there does another operation, or gets another value.
//   - Two executions are the same if every load gets the same write and the writes of every word have the same order.
//   - A load that came before another agent's write to the word must be tried after it. A load after the write need not be
//     tried before it, because it may get an older value where it is.
//   - Two writes to a word, or a write and an atomic that left its word unchanged, must be tried in both orders.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "exploration/execution.h"

namespace gpusim {

struct Exploration {
  enum class Verdict : u8 { all_right, violation, not_finished, not_explored };
  Verdict verdict = Verdict::all_right;
  u64 executions = 0;  // complete
  u64 repeated = 0;    // given up, because another one is the same but for a round of a loop that waits
  u64 redundant = 0;   // given up, because all that could come next had been explored
  // Stores of equal values that nothing orders: in another order they may be unequal, which is not explored. Empty: none.
  std::string equal_stores;
  // What is wrong, why it is not finished, or why not explored.
  std::string message;
  NamedSchedule schedule;          // of the violation
  std::vector<std::string> steps;  // the same in words
  // The results: how many differ, an address where two do, and the schedules of these.
  u64 results = 0;
  u64 differs_at = 0;
  NamedSchedule one, other;
  std::set<u64> hashes;          // of all results
  std::set<std::string> wrongs;  // the messages of all violations
};

struct ExplorationLimits {
  u64 executions = 0;       // 0: any number
  double seconds = 0;       // 0: any time
  u64 operations = 20'000;  // of one execution
  // For tests that compare.
  bool reduces = true;         // false: all interleavings
  bool parks = true;           // false: loops that wait go round and round, up to the limit of operations
  bool stops_at_wrong = true;  // false: explores what is left as well
};

class Explorer {
 public:
  // `watch` makes the observers that an execution is told to, and says afterwards what they have found ("": nothing).
  class Watch {
   public:
    virtual ~Watch() = default;
    virtual std::vector<std::vector<Observer*>> begin() = 0;  // by launch
    virtual std::string found() = 0;
    // … stores of equal values that nothing orders.
    virtual std::string equal_stores() = 0;
  };
  Explorer(std::vector<ExploredLaunch>, Watch&, const ExplorationLimits&);
  // Memory is as it was when it returns.
  Exploration explore();

 private:
  struct Node {
    Move move;
    NamedMove named;
    Step step;
    std::vector<u32> before;  // the clock of the agent before it
    std::vector<u32>
        clock;  // of the operation: by agent, how many of its operations come before, itself included
    std::vector<std::optional<Operation>> operations;  // by agent
    std::vector<std::vector<Choice>> choices;
    std::set<AgentId> backtrack;
    std::vector<Move> done, sleep;
  };
  bool is_over();
  void run();
  bool go_deeper(Execution&, std::size_t depth);
  bool find_move(Node&) const;
  bool is_independent(const Node&, const Move& sleeping) const;
  void order(std::size_t depth);
  void reverse_races(std::size_t depth);
  void add_source(std::size_t at, std::size_t depth);
  bool comes_before(std::size_t earlier, std::size_t later) const;
  void conclude(Execution&);
  void note_result(const Execution&);
  void note_violation(const Execution&, const std::string& message);
  bool go_back();
  NamedSchedule schedule() const;

  std::vector<ExploredLaunch> launches_;
  Watch& watch_;
  const ExplorationLimits limits_;
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::vector<Node> nodes_;
  std::vector<std::vector<u32>>
      now_;                 // by agent: the clock of its last operation, and of what it has met since
  std::vector<u32> count_;  // by agent: operations
  std::vector<Execution::Written> first_result_;
  Exploration result_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
