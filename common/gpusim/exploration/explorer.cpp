#include "exploration/explorer.h"

#include <algorithm>
#include <utility>

#include "base/word_hash.h"
#include "checking/findings.h"

namespace gpusim {
namespace {

using Part = Step::Part;

void join(std::vector<u32>& clock, const std::vector<u32>& other) {
  clock.resize(std::max(clock.size(), other.size()));
  for (std::size_t k = 0; k < other.size(); ++k) clock[k] = std::max(clock[k], other[k]);
}

// Whether two operations conflict so that the later one must also be tried first, and whether the later one counts as ordered
// after the earlier one from then on.
struct Conflict {
  bool is_tried = false, is_ordered = false;
};
Conflict conflict(const Step& earlier, const Step& later) {
  Conflict c;
  for (const Part& a : earlier.parts)
    for (const Part& b : later.parts) {
      if (a.word != b.word) continue;
      if (b.is_write) c.is_tried = true;
      if (b.is_write && (a.is_write || a.is_newest)) c.is_ordered = true;
      if (a.is_write && b.is_newest) c.is_tried = c.is_ordered = true;
      if (a.is_write && !b.is_write && a.message == b.message) c.is_ordered = true;  // it gets that write
    }
  return c;
}

}  // namespace

Explorer::Explorer(std::vector<ExploredLaunch> launches, Watch& watch, const ExplorationLimits& limits)
    : launches_(std::move(launches)), watch_(watch), limits_(limits) {}

Exploration Explorer::explore() {
  using enum Exploration::Verdict;
  try {
    do {
      if (is_over()) return result_;
      run();
    } while (result_.verdict == all_right && go_back());
  } catch (const NotExplored& why) {
    result_.verdict = not_explored;
    result_.message =
        (why.place.line ? why.place.file + ":" + std::to_string(why.place.line) + " " : "") + why.why;
  }
  result_.results = result_.hashes.size();
  return result_;
}

bool Explorer::is_over() {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  const bool too_many = limits_.executions && result_.executions >= limits_.executions;
  const bool too_long = limits_.seconds > 0 && seconds > limits_.seconds;
  if (!too_many && !too_long) return false;
  result_.verdict = Exploration::Verdict::not_finished;
  result_.message = too_many
                        ? "the limit of " + std::to_string(limits_.executions) + " executions was reached"
                        : "the limit of " + std::to_string(int(limits_.seconds)) + " s was reached";
  result_.results = result_.hashes.size();
  return true;
}

void Explorer::run() {
  const std::vector<std::vector<Observer*>> observers = watch_.begin();
  for (std::size_t k = 0; k < launches_.size(); ++k) launches_[k].observers = observers[k];
  Execution x(launches_, limits_.parks);
  try {
    x.begin();
    now_.assign(x.agents(), std::vector<u32>(x.agents()));
    count_.assign(x.agents(), 0);
    std::size_t depth = 0;
    while (depth < limits_.operations && go_deeper(x, depth)) ++depth;
    if (depth >= limits_.operations && limits_.parks)
      throw NotExplored{
          "does more than " + std::to_string(limits_.operations) + " operations in one execution", {}};
    conclude(x);
  } catch (...) {
    x.undo();
    throw;
  }
  x.undo();
}

// Does the operation of this depth. False: there is none.
bool Explorer::go_deeper(Execution& x, std::size_t depth) {
  const bool is_new = depth == nodes_.size(), is_changed = depth + 1 >= nodes_.size();
  if (is_new) {
    Node node;
    bool any = false;
    for (AgentId a = 0; a < x.agents(); ++a) {
      const Operation* const op = x.operation(a);
      node.operations.push_back(op ? std::optional(*op) : std::nullopt);
      node.choices.push_back(op ? x.choices(a) : std::vector<Choice>());
      any |= op != nullptr;
    }
    if (!any || x.end() != Execution::End::running) return false;
    if (depth > 0 && limits_.reduces) {
      const Node& before = nodes_[depth - 1];
      for (const auto* list : {&before.sleep, &before.done})
        for (const Move& m : *list)
          if (is_independent(before, m)) node.sleep.push_back(m);
    }
    for (AgentId a = 0; a < x.agents(); ++a)
      if (!limits_.reduces && node.operations[a]) node.backtrack.insert(a);
    if (!find_move(node)) {
      ++result_.redundant;
      return false;
    }
    nodes_.push_back(std::move(node));
  }
  Node& node = nodes_[depth];
  node.named = x.name_of(node.move);
  node.step = x.execute(node.move.agent, node.move.choice);
  order(depth);
  if (is_changed && limits_.reduces) reverse_races(depth);
  for (const std::vector<AgentId>& met : node.step.meetings) {
    std::vector<u32> all;
    for (const AgentId a : met) join(all, now_[a]);
    for (const AgentId a : met) now_[a] = all;
  }
  return true;
}

// Chooses the first move of a new node. Writers go first if there are any, so that loads after them may get every value.
bool Explorer::find_move(Node& node) const {
  for (const bool loads : {false, true})
    for (AgentId a = 0; a < node.operations.size(); ++a) {
      if (!node.operations[a] || (node.operations[a]->kind == Operation::Kind::load) != loads) continue;
      for (const Choice& choice : node.choices[a]) {
        const Move move{a, choice};
        if (std::ranges::find(node.sleep, move) != node.sleep.end()) continue;
        node.move = move;
        node.backtrack.insert(a);
        return true;
      }
    }
  return false;
}

// Whether a move that was also possible at the node has the same effect after the move that was made.
bool Explorer::is_independent(const Node& node, const Move& sleeping) const {
  if (sleeping.agent == node.move.agent) return false;
  const Operation& op = *node.operations[sleeping.agent];
  if (op.kind == Operation::Kind::load) return true;  // it gets the same message
  return std::ranges::none_of(node.step.parts, [&](const Part& p) {
    return op.touches(p.word) && (p.is_write || (p.is_newest && op.kind != Operation::Kind::load));
  });
}

// Gives the operation its clock.
void Explorer::order(std::size_t depth) {
  Node& node = nodes_[depth];
  const AgentId a = node.move.agent;
  std::vector<u32> clock = node.before = now_[a];
  for (std::size_t k = 0; k < depth; ++k)
    if (nodes_[k].move.agent != a && conflict(nodes_[k].step, node.step).is_ordered)
      join(clock, nodes_[k].clock);
  clock[a] = ++count_[a];
  now_[a] = node.clock = std::move(clock);
}

bool Explorer::comes_before(std::size_t earlier, std::size_t later) const {
  const AgentId a = nodes_[earlier].move.agent;
  return nodes_[later].clock[a] >= nodes_[earlier].clock[a];
}

// Where an earlier operation and this one are ordered by nothing else, they are tried the other way round.
void Explorer::reverse_races(std::size_t depth) {
  const Node& node = nodes_[depth];
  const AgentId a = node.move.agent;
  std::vector<u32> known = node.before;
  for (std::size_t k = depth; k-- > 0;) {
    const Node& earlier = nodes_[k];
    const AgentId b = earlier.move.agent;
    if (b == a || known[b] >= earlier.clock[b]) continue;
    const Conflict c = conflict(earlier.step, node.step);
    if (c.is_tried) add_source(k, depth);
    if (c.is_ordered) join(known, earlier.clock);
  }
}

// The operation of `depth` must also be tried before the one at node `at`. Such an order starts with the operations that do not
// come after the one at `at`. It is enough to try one of the agents that such an order can begin with.
void Explorer::add_source(std::size_t at, std::size_t depth) {
  std::vector<std::size_t> others;
  for (std::size_t k = at + 1; k < depth; ++k)
    if (!comes_before(at, k)) others.push_back(k);
  others.push_back(depth);
  std::set<AgentId> seen, first;
  for (std::size_t k = 0; k < others.size(); ++k) {
    const AgentId a = nodes_[others[k]].move.agent;
    if (!seen.insert(a).second) continue;
    const bool has_cause = std::any_of(others.begin(), others.begin() + std::ptrdiff_t(k),
                                       [&](std::size_t cause) { return comes_before(cause, others[k]); });
    if (!has_cause) first.insert(a);
  }
  std::set<AgentId>& backtrack = nodes_[at].backtrack;
  if (std::ranges::any_of(first, [&](AgentId a) { return backtrack.contains(a); })) return;
  backtrack.insert(*first.begin());
}

// Ends a run: what it shows.
void Explorer::conclude(Execution& x) {
  x.finish();
  const std::string found = watch_.found();
  const bool is_stale = std::ranges::any_of(
      nodes_, [](const Node& n) { return std::ranges::any_of(n.step.parts, &Part::is_stale); });
  if (!found.empty()) return note_violation(x, found);
  const std::string race = is_stale ? x.race() : "", equal = watch_.equal_stores();
  if (!race.empty() && !x.stores_equal()) return note_violation(x, race);
  if (result_.equal_stores.empty()) result_.equal_stores = equal.empty() ? race : equal;
  switch (x.end()) {
    case Execution::End::running: return;  // redundant
    case Execution::End::repeated: ++result_.repeated; return;
    case Execution::End::stuck:
    case Execution::End::fault: return note_violation(x, x.fault().message);
    case Execution::End::complete: break;
  }
  ++result_.executions;
  note_result(x);
}

void Explorer::note_result(const Execution& x) {
  std::vector<Execution::Written> written = x.written();
  WordHash hash;
  for (const Execution::Written& w : written) hash.add(w.address), hash.add(w.value);
  const bool is_new = result_.hashes.insert(hash.value).second;
  if (!is_new || result_.hashes.size() > 2) return;
  if (result_.hashes.size() == 1) {
    first_result_ = std::move(written);
    result_.one = schedule();
    return;
  }
  const auto [one, other] = std::ranges::mismatch(first_result_, written);
  result_.differs_at = one != first_result_.end() ? one->address
                       : other != written.end()   ? other->address
                                                  : 0;
  result_.other = schedule();
}

void Explorer::note_violation(const Execution& x, const std::string& message) {
  result_.wrongs.insert(message);
  if (!limits_.stops_at_wrong) return;
  result_.verdict = Exploration::Verdict::violation;
  result_.message = message;
  result_.schedule = schedule();
  for (const Node& node : nodes_) result_.steps.push_back(x.words_of(node.step));
}

// The deepest node with a move that must still be tried makes it. False: all is explored.
bool Explorer::go_back() {
  for (; !nodes_.empty(); nodes_.pop_back()) {
    Node& node = nodes_.back();
    node.done.push_back(node.move);
    for (const AgentId a : node.backtrack)
      for (const Choice& choice : node.choices[a]) {
        const Move move{a, choice};
        const auto is_in = [&](const std::vector<Move>& list) {
          return std::ranges::find(list, move) != list.end();
        };
        if (is_in(node.done) || is_in(node.sleep)) continue;
        node.move = move;
        return true;
      }
  }
  return false;
}

NamedSchedule Explorer::schedule() const {
  NamedSchedule s{launches_.front().number, launches_.size() > 1, {}};
  for (const Node& node : nodes_) s.moves.push_back(node.named);
  return s;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
