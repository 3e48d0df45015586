#include "exploration/execution_part.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/word_hash.h"
#include "lanes/each_lane.h"

namespace gpusim {

namespace {

constexpr std::size_t kMostChoices = 4096;

}  // namespace

Execution::Execution(std::span<const ExploredLaunch> launches, bool parks) : parks_(parks) {
  std::vector<WeakMemory::Home> homes;
  for (const ExploredLaunch& l : launches) start(l, homes);
  memory_ = std::make_unique<WeakMemory>(std::move(homes));
}

Execution::~Execution() { finish(); }

void Execution::start(const ExploredLaunch& l, std::vector<WeakMemory::Home>& homes) {
  Part& part = *parts_.emplace_back(std::make_unique<Part>(*this, l));
  part.first = agents();
  for (u64 b = 0; b < part.info.grid.count(); ++b) {
    Block& block = *part.blocks.emplace_back(std::make_unique<Block>());
    part.executor.start(block, b);
    for (u32 w = 0; w < part.info.warps_per_block; ++w) {
      Agent& agent = agents_.emplace_back();
      agent.part = &part;
      agent.block = &block;
      agent.warp = w;
      homes.push_back({part.info.gpu, b});
    }
  }
}

AgentId Execution::agent_of(const Part& part, u64 block, u32 warp) const {
  return part.first + AgentId(block) * part.info.warps_per_block + warp;
}

// All agents run to their next operation, or until they wait or end.
void Execution::settle() {
  try {
    do {
      for (bool any = true; any;) {
        any = false;
        for (AgentId a = 0; a < agents(); ++a) any |= run(a);
      }
      for (Agent& agent : agents_) arrive(agent);
    } while (end() == End::stuck && part_joins());
    for (const auto& part : parts_)
      if (!part->executor.take_children().empty()) throw NotExplored{"launches kernels itself", {}};
  } catch (Fault& f) {
    fault_ = std::move(f);
  }
}

// How many parts of the agent's warp are ready. After run() has returned, each of them is at an operation.
u32 Execution::ready(const Agent& agent) const {
  const auto& fragments = agent.block->warps[agent.warp].fragments;
  return u32(std::ranges::count(fragments, FragmentState::ready, &Fragment::state));
}

// The agent runs on, whichever part of its warp can go on without an operation. True if it has executed anything.
bool Execution::run(AgentId a) {
  Agent& agent = agents_[a];
  Warp& warp = agent.block->warps[agent.warp];
  Executor& executor = agent.part->executor;
  bool any = false;
  while (!agent.op && !agent.is_parked && !fault_) {
    const u32 parts = ready(agent);
    u32 waiting = 0;
    for (; waiting < parts && agent.part->operations.of(warp, *executor.next(warp)); ++waiting)
      executor.put_off(warp);
    if (parts > 0 && waiting == parts) return any;
    runs_ = a;
    if (!executor.step(*agent.block, warp)) return any;
    note_plain_stores(a);
    any = true;
  }
  return any;
}

// Lanes that wait where the ways of a branch meet run on without the others, once no other lane or agent can run or has more to see.
bool Execution::part_joins() {
  bool any = false;
  for (const auto& part : parts_)
    for (const auto& block : part->blocks) {
      if (block->done() || !part->executor.part_joins(*block)) continue;
      any = true;
      for (Agent& agent : agents_)
        if (agent.block == block.get()) agent.is_parked = false, agent.visits.clear();
    }
  return any;
}

// Whether the agent, or all of its lanes that are left in a loop, stand where they stood before. The other lanes have left the loop, have
// changed nothing and wait for these: had these waited before the first round, all would be the same.
bool Execution::is_repeated(const Visit& before, const Visit& now) {
  if (before.state == now.state) return true;
  if (!before.is_by_lane || !now.is_by_lane || before.pc != now.pc || before.rest != now.rest ||
      (now.lanes & ~before.lanes))
    return false;
  bool same = true;
  for_each_lane(now.lanes, [&](u32 lane) { same &= before.of_lane[lane] == now.of_lane[lane]; });
  return same;
}

// Each ready part of the agent's warp is at an operation. If a part is in the same state as before, and the agent has changed
// nothing since, it would repeat the round for ever as long as it gets the same values. If all parts are like that, the agent is
// parked.
void Execution::arrive(Agent& agent) {
  const u32 parts = ready(agent);
  if (agent.op || agent.is_parked || parts == 0) return;
  Warp& warp = agent.block->warps[agent.warp];
  agent.loop.clear();
  agent.alone.clear();
  for (u32 k = 0; k < parts; ++k) {
    Operation op = *agent.part->operations.of(warp, *agent.part->executor.next(warp));
    for (const TalkWord& word : op.words) take_word(word);
    const Visit now = visit(agent, op.pc);
    const auto before =
        std::ranges::find_if(agent.visits, [&](const Visit& v) { return is_repeated(v, now); });
    if (op.kind == Operation::Kind::store || before == agent.visits.end() || !parks_) {
      if (op.kind != Operation::Kind::store) agent.visits.push_back(now);
      agent.op = std::move(op);
      return;
    }
    for (auto visit = before; visit != agent.visits.end(); ++visit)
      agent.loop.insert(agent.loop.end(), visit->got.begin(), visit->got.end());
    if (std::next(before) == agent.visits.end() && (before->is_by_lane || before->got.size() == 1))
      std::ranges::copy_if(before->got, std::back_inserter(agent.alone), [&](const auto& got) {
        return std::ranges::find(op.of_lane, got.first) != std::end(op.of_lane);
      });
    agent.part->executor.put_off(warp);
  }
  agent.is_parked = true;
}

Execution::Visit Execution::visit(const Agent& agent, u32 pc) const {
  const LiveRegisters& live = agent.part->facts->live;
  const Warp& own = agent.block->warps[agent.warp];
  WordHash hash;
  for (const Barrier& b : agent.block->barriers) hash.add(u64(b.arrived) << 32 | b.count);
  for (const Warp& w : agent.block->warps)
    if (&w != &own) live.add(hash, w);
  hash.add(agent.block->shared.data(), agent.block->shared.size());
  Visit v;
  v.pc = pc;
  v.rest = hash.value;
  live.add(hash, own);
  hash.add(pc);
  v.state = hash.value;
  const Fragment& f = *agent.part->executor.next(own);
  v.lanes = f.mask;
  // If another part of the warp could run, it would have its turn.
  const bool is_alone = std::ranges::count(own.fragments, FragmentState::ready, &Fragment::state) == 1;
  v.is_by_lane = is_alone && live.of_lanes(f, v.of_lane);
  return v;
}

// A lane has told others of its warp or its block something.
void Execution::heard_others(Part& part, const Issue& i) {
  for (Visit& v : agents_[agent_of(part, i.block, i.warp)].visits) v.is_by_lane = false;
}

void Execution::take_word(const TalkWord& word) {
  const auto [known, is_new] = words_.try_emplace(word.key, word);
  if (!is_new && known->second.bytes == word.bytes) return;
  const auto next = words_.upper_bound(word.key);
  const bool meets_next = next != words_.end() && next->first < word.key + word.bytes;
  const bool meets_previous =
      known != words_.begin() && std::prev(known)->first + std::prev(known)->second.bytes > word.key;
  if (!is_new || meets_next || meets_previous)
    throw NotExplored{"is accessed by atomics, volatile or relaxed accesses of different sizes", {}};
  memory_->begin(word.key, word.bits());
}

std::vector<Choice> Execution::choices(AgentId a) const {
  const Operation& op = *agents_[a].op;
  if (op.kind != Operation::Kind::load) return {{}};
  std::vector<Choice> all = {{}};
  for (const TalkWord& word : op.words) {
    std::vector<Choice> longer;
    for (const Choice& choice : all)
      for (u32 m = memory_->newest(word.key) + 1; m-- > memory_->oldest(a, word.key);) {
        longer.push_back(choice);
        longer.back().push_back(m);
      }
    all = std::move(longer);
    if (all.size() > kMostChoices)
      throw NotExplored{"loads from more words at once than an exploration can combine", {}};
  }
  std::erase_if(all, [&](const Choice& choice) {
    std::vector<std::pair<u64, u32>> reads;
    for (std::size_t k = 0; k < choice.size(); ++k) reads.emplace_back(op.words[k].key, choice[k]);
    return !memory_->is_explained(a, reads);
  });
  return all;
}

Step Execution::execute(AgentId a, const Choice& choice) {
  Agent& agent = agents_[a];
  const Operation op = *std::exchange(agent.op, std::nullopt);
  const bool is_load = op.kind == Operation::Kind::load;
  std::vector<u64> before;
  for (std::size_t k = 0; k < op.words.size(); ++k) {
    before.push_back(op.words[k].bits());
    if (is_load) op.words[k].set(memory_->messages(op.words[k].key)[choice[k]].bits);
  }
  Step step{a, op.pc, op.kind, {}, {}};
  meetings_.clear();
  runs_ = a;
  in_operation_ = true;
  try {
    agent.part->executor.step(*agent.block, agent.block->warps[agent.warp]);
  } catch (Fault& f) {
    fault_ = std::move(f);
  }
  in_operation_ = false;
  bool has_changed = false;
  for (std::size_t k = 0; k < op.words.size(); ++k) {
    const TalkWord& word = op.words[k];
    const u64 got = word.bits(), key = word.key;
    const u32 newest = memory_->newest(key);
    if (is_load) {
      memory_->read(a, key, choice[k], op.strength);
      step.parts.push_back({key, choice[k], false, false, choice[k] != newest, got});
      word.set(before[k]);
    } else if (op.kind == Operation::Kind::update && got == before[k]) {
      memory_->update_to_same(a, key, op.strength);
      step.parts.push_back({key, newest, false, true, false, got});
    } else {
      op.kind == Operation::Kind::update ? memory_->update(a, key, got, op.strength)
                                         : memory_->write(a, key, got, op.strength);
      step.parts.push_back({key, newest + 1, true, op.kind == Operation::Kind::update, false, got});
      has_changed = true;
    }
    if (!step.parts.back().is_write && !agent.visits.empty())
      agent.visits.back().got.emplace_back(key, step.parts.back().message);
  }
  if (has_changed) agent.visits.clear();
  if (!fault_) settle();
  step.meetings = std::move(meetings_);
  return step;
}

void Execution::hear(Part& part, const Access& a) {
  const AccessUse& use = part.facts->use.access[a.pc];
  const bool is_strong = use.is_strong || use.is_volatile || use.is_guess;
  if (a.space == Space::global)
    plain_.access(runs_, memory_->view(runs_), a, is_strong, lanes_that_change_nothing(part, a));
  if (a.kind == AccessKind::load || (a.space != Space::global && a.space != Space::shared)) return;
  if (!in_operation_) agents_[runs_].visits.clear();
  if (a.space != Space::global) return;
  for_each_lane(a.mask, [&](u32 lane) {
    const u64 address = a.address[lane];
    u8* const where = part.operations.global_bytes(address, a.bytes);
    if (!where) return;  // a fault
    Saved saved{address, where, {}, u8(a.bytes)};
    std::memcpy(saved.bytes, saved.where, a.bytes);
    saved_.push_back(saved);
    if (in_operation_) return;
    auto word = words_.lower_bound(address);
    if (word != words_.begin() && std::prev(word)->first + std::prev(word)->second.bytes > address) --word;
    for (; word != words_.end() && word->first < address + a.bytes; ++word) stored_.push_back(word->first);
  });
}

// The lanes that store what is there already.
Mask Execution::lanes_that_change_nothing(const Part& part, const Access& a) const {
  Mask same = 0;
  if (a.kind != AccessKind::store) return same;
  const u32 bytes = a.element_bytes();
  for_each_lane(a.mask, [&](u32 lane) {
    const u8* const where = part.operations.global_bytes(a.address[lane], a.bytes);
    bool equal = where != nullptr;
    for (u32 k = 0; equal && k < a.instruction->vector; ++k)
      equal = std::memcmp(a.value(lane, k), where + k * bytes, bytes) == 0;
    same |= Mask(equal) << lane;
  });
  return same;
}

void Execution::note_plain_stores(AgentId a) {
  std::ranges::sort(stored_);
  stored_.erase(std::unique(stored_.begin(), stored_.end()), stored_.end());
  for (const u64 key : stored_) memory_->write_plainly(a, key, words_.at(key).bits());
  stored_.clear();
}

void Execution::fence(Part& part, const Issue& i) {
  const AgentId a = agent_of(part, i.block, i.warp);
  const FenceScope scope = part.facts->use.fence[i.pc];
  if (scope == FenceScope::none) return;
  memory_->fence(a,
                 scope == FenceScope::block    ? cta
                 : scope == FenceScope::device ? gpu
                                               : sys,
                 part.module.code.code[i.pc].order != MemoryOrder::acq_rel);
}

void Execution::met(Part& part, u64 block) {
  std::vector<AgentId> all;
  for (u32 w = 0; w < part.info.warps_per_block; ++w) all.push_back(agent_of(part, block, w));
  memory_->meet(all);
  meetings_.push_back(std::move(all));
}

bool Execution::may_see_more(const Agent& agent) const {
  return std::ranges::any_of(agent.loop, [&](const auto& got) {
    return std::ranges::none_of(agent.loop, [&](const auto& other) {
      return other.first == got.first && other.second == memory_->newest(got.first);
    });
  });
}

void Execution::wake() {
  for (Agent& agent : agents_)
    if (agent.is_parked && may_see_more(agent)) agent.is_parked = false, agent.visits.clear();
  settle();
}

Execution::End Execution::end() const {
  if (fault_) return End::fault;
  bool all_done = true, repeats = false;
  for (const Agent& agent : agents_)
    if (agent.is_parked && std::ranges::any_of(agent.alone, [&](const auto& got) { return has_missed(got); }))
      return End::repeated;
  for (const Agent& agent : agents_) {
    if (agent.op) return End::running;
    all_done &= agent.block->warps[agent.warp].alive == 0;
    repeats |= agent.is_parked && may_see_more(agent);
  }
  return all_done ? End::complete : repeats ? End::repeated : End::stuck;
}

std::vector<Execution::Written> Execution::written() const {
  std::vector<Written> all;
  for (const Saved& saved : saved_)
    for (u32 k = 0; k < saved.count; ++k) all.push_back({saved.address + k, saved.where[k]});
  std::ranges::sort(all, {}, &Written::address);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void Execution::finish() {
  if (std::exchange(is_over_, true)) return;
  for (const auto& part : parts_)
    for (Observer* o : part->launch.observers) o->launch_end(part->info, end() == End::complete);
}

void Execution::undo() {
  for (auto saved = saved_.rbegin(); saved != saved_.rend(); ++saved)
    std::memcpy(saved->where, saved->bytes, saved->count);
  saved_.clear();
  finish();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
