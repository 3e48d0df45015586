// What the agents of an exploration may read from the words by which they talk: the writes of each word in their order, and what each
// agent can no longer miss. An agent is one warp of one block of one GPU.
//
// The model is that of the PTX ISA ("Memory Consistency Model"), with two orders fixed: no load gets what a later instruction
// leads to (no "load buffering"), and stores of one agent to two words are not put in opposite orders by two agents ("2+2W").
//   - The writes of a word have one order, that in which they are made.
//   - A load may get any write that is not older than one which the agent knows of. It need not get the newest.
//   - An atomic gets the newest one.
//   - What a release pattern publishes, an acquire pattern makes known, within their scopes.
//   - Fences that are sequentially consistent (membar, fence.sc) forbid what no order of them all explains.
#pragma once

#include <map>
#include <vector>

#include "base/base.h"
#include "checking/races/release_graph.h"

namespace gpusim {

using AgentId = u32;
inline constexpr AgentId kNobody = ~AgentId(0);

// What somebody knows: by agent, the moments of that agent that come before; by word, the newest write that it cannot miss.
struct View {
  std::vector<u32> clock;
  std::map<u64, u32> seen;
  void join(const View&);
  bool holds(AgentId agent, u32 moment) const { return agent < clock.size() && clock[agent] >= moment; }
};

struct Message {
  u64 bits = 0;             // what the word held from then on
  AgentId agent = kNobody;  // whose write; nobody's: what was there before
  View published[kScopes];  // for a reader at each distance
};

// The strength of one access.
struct Strength {
  Scope scope = gpu;
  bool acquires = false, releases = false;
};

class WeakMemory {
 public:
  // Where each agent belongs: how far two of them are from each other.
  struct Home {
    u32 gpu = 0;
    u64 block = 0;
  };
  explicit WeakMemory(std::vector<Home>);

  // A word becomes one that agents talk by; it holds `bits`.
  void begin(u64 word, u64 bits) {
    if (words_[word].empty()) words_[word].push_back({bits, kNobody, {}});
  }
  const std::vector<Message>& messages(u64 word) const { return words_.at(word); }
  u32 newest(u64 word) const { return u32(words_.at(word).size() - 1); }
  // The oldest message of the word that the agent may still get.
  u32 oldest(AgentId, u64 word) const;
  // Whether the order of sequentially consistent fences lets the agent get these messages in one load.
  bool is_explained(AgentId, const std::vector<std::pair<u64, u32>>& reads) const;

  void read(AgentId, u64 word, u32 message, const Strength&);
  void write(AgentId, u64 word, u64 bits, const Strength&);
  // An atomic, which reads the newest message and writes.
  void update(AgentId, u64 word, u64 bits, const Strength&);
  // An atomic that leaves the word as it is: it makes no message, and publishes with the newest one what it would publish.
  void update_to_same(AgentId, u64 word, const Strength&);
  // A store that is no message: an agent that reads it has to be ordered after it in another way.
  void write_plainly(AgentId, u64 word, u64 bits);
  void fence(AgentId, Scope, bool is_sequential);
  // They have waited for each other.
  void meet(const std::vector<AgentId>&);

  const View& view(AgentId a) const { return agents_[a].now; }
  u32 moment(AgentId a) const { return agents_[a].now.clock[a]; }

 private:
  struct Agent {
    Home home;
    View now;
    View fenced[kScopes];  // what the next write publishes, by how far the reader is
    View heard[kScopes];   // what a fence will make known, by how far its writer is
    View heard_by_atomic;  // what a barrier will, too
  };
  // A sequentially consistent fence.
  struct Fence {
    AgentId agent;
    u32 moment;
    std::map<u64, u32> before;  // by word: the newest message known at the fence
    std::map<u64, u32> after;   // by word: the earliest place (place_of_…) of an access behind it
    std::vector<u32> next;      // fences that come after it
  };
  static u32 place_of_write(u32 message) { return 2 * message; }
  static u32 place_of_read(u32 message) { return 2 * message + 1; }

  Scope distance(AgentId from, AgentId to) const;
  void take(AgentId, const Message&, const Strength&, bool is_atomic);
  void publish(AgentId, u64 word, u64 bits, const Strength&, const Message* continued);
  void note_access(AgentId, u64 word, u32 place);
  std::vector<u32> fences_missed(u64 word, u32 message) const;

  std::map<u64, std::vector<Message>> words_;
  std::vector<Agent> agents_;
  std::vector<Fence> fences_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
