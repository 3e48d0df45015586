#include "exploration/weak_memory.h"

#include <algorithm>

namespace gpusim {

void View::join(const View& other) {
  if (clock.size() < other.clock.size()) clock.resize(other.clock.size());
  for (std::size_t k = 0; k < other.clock.size(); ++k) clock[k] = std::max(clock[k], other.clock[k]);
  for (const auto& [word, message] : other.seen) {
    u32& own = seen[word];
    own = std::max(own, message);
  }
}

WeakMemory::WeakMemory(std::vector<Home> homes) : agents_(homes.size()) {
  for (AgentId a = 0; a < agents_.size(); ++a) {
    agents_[a].home = homes[a];
    agents_[a].now.clock.assign(homes.size(), 0);
    agents_[a].now.clock[a] = 1;
  }
}

Scope WeakMemory::distance(AgentId from, AgentId to) const {
  const Home &a = agents_[from].home, &b = agents_[to].home;
  return a.gpu != b.gpu ? sys : a.block != b.block ? gpu : cta;
}

u32 WeakMemory::oldest(AgentId a, u64 word) const {
  const auto& seen = agents_[a].now.seen;
  const auto found = seen.find(word);
  return found == seen.end() ? 0 : found->second;
}

// If a reader gets an older message than a fence knows of, the reader comes before that fence. That fence, and those after it,
// must not include one that the reader comes after.
bool WeakMemory::is_explained(AgentId a, const std::vector<std::pair<u64, u32>>& reads) const {
  std::vector<bool> reached(fences_.size());
  std::vector<u32> open;
  for (const auto& [word, message] : reads)
    for (const u32 f : fences_missed(word, message))
      if (!reached[f]) reached[f] = true, open.push_back(f);
  while (!open.empty()) {
    const Fence& fence = fences_[open.back()];
    open.pop_back();
    if (agents_[a].now.holds(fence.agent, fence.moment)) return false;
    for (const u32 f : fence.next)
      if (!reached[f]) reached[f] = true, open.push_back(f);
  }
  return true;
}

// Those that know of a newer message.
std::vector<u32> WeakMemory::fences_missed(u64 word, u32 message) const {
  std::vector<u32> missed;
  for (u32 k = 0; k < fences_.size(); ++k) {
    const auto known = fences_[k].before.find(word);
    if (known != fences_[k].before.end() && known->second > message) missed.push_back(k);
  }
  return missed;
}

// Records where among the accesses to the word this access of `a` stands. Fences that know a later access come after the fences
// that `a` comes after.
void WeakMemory::note_access(AgentId a, u64 word, u32 place) {
  std::vector<u32> later;
  for (u32 k = 0; k < fences_.size(); ++k) {
    const auto known = fences_[k].before.find(word);
    if (known != fences_[k].before.end() && place_of_read(known->second) > place) later.push_back(k);
  }
  for (Fence& fence : fences_) {
    if (!agents_[a].now.holds(fence.agent, fence.moment)) continue;
    const auto [earliest, is_new] = fence.after.try_emplace(word, place);
    if (!is_new) earliest->second = std::min(earliest->second, place);
    for (const u32 k : later)
      if (&fences_[k] != &fence) fence.next.push_back(k);
  }
}

void WeakMemory::take(AgentId a, const Message& m, const Strength& by, bool is_atomic) {
  if (m.agent == kNobody || m.agent == a) return;
  Agent& agent = agents_[a];
  const Scope far = distance(m.agent, a);
  if (far == sys && by.scope != sys) return;  // to the other GPU this is no flag
  if (by.acquires && by.scope >= far) agent.now.join(m.published[far]);
  else agent.heard[far].join(m.published[far]);
  if (is_atomic) agent.heard_by_atomic.join(m.published[far]);
}

void WeakMemory::read(AgentId a, u64 word, u32 message, const Strength& by) {
  take(a, words_.at(word)[message], by, false);
  u32& seen = agents_[a].now.seen[word];
  seen = std::max(seen, message);
  note_access(a, word, place_of_read(message));
  ++agents_[a].now.clock[a];
}

void WeakMemory::publish(AgentId a, u64 word, u64 bits, const Strength& by, const Message* continued) {
  Agent& agent = agents_[a];
  Message m{bits, a, {}};
  for (u32 far = cta; far < kScopes; ++far) {
    if (far == sys && by.scope != sys) break;
    m.published[far] = by.releases && far <= by.scope ? agent.now : agent.fenced[far];
    if (continued) m.published[far].join(continued->published[far]);
  }
  std::vector<Message>& all = words_.at(word);
  all.push_back(std::move(m));
  agent.now.seen[word] = u32(all.size() - 1);
  note_access(a, word, place_of_write(u32(all.size() - 1)));
  ++agent.now.clock[a];
}

void WeakMemory::write(AgentId a, u64 word, u64 bits, const Strength& by) {
  publish(a, word, bits, by, nullptr);
}

void WeakMemory::update(AgentId a, u64 word, u64 bits, const Strength& by) {
  const Message before = words_.at(word).back();
  take(a, before, by, true);
  publish(a, word, bits, by, &before);
}

void WeakMemory::update_to_same(AgentId a, u64 word, const Strength& by) {
  Message& m = words_.at(word).back();
  take(a, m, by, true);
  for (u32 far = cta; far < kScopes; ++far)
    if (m.agent != kNobody && (far != sys || by.scope == sys))
      m.published[far].join(by.releases && far <= by.scope ? agents_[a].now : agents_[a].fenced[far]);
  u32& seen = agents_[a].now.seen[word];
  seen = newest(word);
  note_access(a, word, place_of_read(newest(word)));
  ++agents_[a].now.clock[a];
}

void WeakMemory::write_plainly(AgentId a, u64 word, u64 bits) {
  std::vector<Message>& all = words_.at(word);
  all.push_back({bits, a, {}});
  agents_[a].now.seen[word] = u32(all.size() - 1);
  note_access(a, word, place_of_write(u32(all.size() - 1)));
}

void WeakMemory::fence(AgentId a, Scope scope, bool is_sequential) {
  Agent& agent = agents_[a];
  for (u32 far = cta; far <= scope; ++far) {
    agent.now.join(agent.heard[far]);
    agent.heard[far] = {};
  }
  for (u32 far = cta; far <= scope; ++far) agent.fenced[far] = agent.now;
  if (is_sequential) {
    Fence mine{a, agent.now.clock[a], agent.now.seen, {}, {}};
    const u32 number = u32(fences_.size());
    for (Fence& other : fences_) {
      bool comes_first = agent.now.holds(other.agent, other.moment);
      for (const auto& [word, place] : other.after) {
        const auto known = mine.before.find(word);
        comes_first |= known != mine.before.end() && place < place_of_read(known->second);
      }
      if (comes_first) other.next.push_back(number);
    }
    fences_.push_back(std::move(mine));
  }
  ++agent.now.clock[a];
}

void WeakMemory::meet(const std::vector<AgentId>& all) {
  View now, fenced[kScopes], heard[kScopes];
  for (const AgentId a : all) {
    Agent& agent = agents_[a];
    now.join(agent.now);
    now.join(agent.heard_by_atomic);
    agent.heard_by_atomic = {};
    for (u32 far = cta; far < kScopes; ++far) {
      fenced[far].join(agent.fenced[far]);
      heard[far].join(agent.heard[far]);
    }
  }
  for (const AgentId a : all) {
    Agent& agent = agents_[a];
    agent.now = now;
    for (u32 far = cta; far < kScopes; ++far) agent.fenced[far] = fenced[far], agent.heard[far] = heard[far];
    ++agent.now.clock[a];
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
