#include "libraries/nccl_bootstrap.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "libraries/nccl_remote_calls.h"
#include "runtime/work.h"

namespace gpusim::libraries {
namespace {

constexpr char kMark[8] = "gpusim1";
// Kinds of packets. kAsks: may rank `from` of `count` join? kAnswers: yes, together with these; or no, and
// why.
constexpr s32 kAsks = 1, kAnswers = 2;

using Key = std::pair<int, u64>;  // identifies a unique id: its process and its number

// The process of each rank, or why there is no communicator.
struct Answer {
  std::vector<s32> process;
  std::string wrong;
};

// The ranks that have asked for an id of this process.
struct Gathering {
  std::vector<int> process;  // indexed by rank; -1: the rank has not asked
  std::vector<int> asked;    // the processes to answer
  bool is_answered = false;
};

class Bootstrap {
 public:
  void ask(const NewRank& j) {
    Head head;
    head.what = kAsks;
    head.from = j.rank;
    head.count = u64(j.ranks);
    head.number = j.id.number;
    if (j.id.process == this_process()) take({this_process(), head, {}});
    else Transport::world()->send(j.id.process, head, nullptr);
  }

  // Takes the packets that have arrived. Returns whether there were any.
  bool take() {
    bool has_come = false;
    for (Packet packet; Transport::world()->take(packet); has_come = true) take(std::move(packet));
    return has_come;
  }

  const Answer* answer(const Key& key) const {
    const auto found = answers_.find(key);
    return found == answers_.end() ? nullptr : &found->second;
  }

  // Ends a new_ranks in which a rank is missing for too long.
  void give_up(const NewRank& j) {
    const std::string where = "ncclCommInitRank, " + std::to_string(j.ranks) + " ranks: ";
    if (j.id.process != this_process()) {
      answers_[{j.id.process, j.id.number}] = {{},
                                               where + "process " + std::to_string(j.id.process) +
                                                   " of mpirun, which has made the unique id, never came"};
      return;
    }
    std::vector<int> absent;
    Gathering& g = gatherings_[j.id.number];
    for (std::size_t rank = 0; rank < g.process.size(); ++rank)
      if (g.process[rank] < 0) absent.push_back(int(rank));
    answer(j.id.number, g, {{}, where + ranks_text(absent) + " never came"});
  }

 private:
  void take(Packet packet) {
    const Head& h = packet.head;
    if (h.what == kAnswers) {
      Answer answer;
      if (h.from) answer.wrong.assign(packet.bytes.begin(), packet.bytes.end());
      else answer.process.resize(h.count);
      if (!h.from) std::memcpy(answer.process.data(), packet.bytes.data(), packet.bytes.size());
      answers_[{packet.process, h.number}] = std::move(answer);
      return;
    }
    Gathering& g = gatherings_[h.number];
    if (g.is_answered) return;  // this rank asks too late
    if (g.process.empty()) g.process.assign(h.count, -1);
    g.asked.push_back(packet.process);
    if (g.process.size() != h.count)
      return answer(h.number, g,
                    {{},
                     "ncclCommInitRank: rank " + std::to_string(h.from) + " says there are " +
                         std::to_string(h.count) + " ranks, another " + std::to_string(g.process.size())});
    int& process = g.process[std::size_t(h.from)];
    if (process >= 0)
      return answer(h.number, g,
                    {{}, "NCCL: rank " + std::to_string(h.from) + " of a communicator is made twice"});
    process = packet.process;
    if (std::ranges::count(g.process, -1) == 0)
      answer(h.number, g, {std::vector<s32>(g.process.begin(), g.process.end()), ""});
  }

  void answer(u64 number, Gathering& g, const Answer& answer) {
    g.is_answered = true;
    std::ranges::sort(g.asked);
    g.asked.erase(std::unique(g.asked.begin(), g.asked.end()), g.asked.end());
    Head head;
    head.what = kAnswers;
    head.from = !answer.wrong.empty();
    head.number = number;
    head.count = answer.process.size();
    head.bytes = answer.wrong.empty() ? answer.process.size() * sizeof(s32) : answer.wrong.size();
    const void* const bytes =
        answer.wrong.empty() ? static_cast<const void*>(answer.process.data()) : answer.wrong.data();
    for (const int process : g.asked)
      if (process != this_process()) Transport::world()->send(process, head, bytes);
    answers_[{this_process(), number}] = answer;
  }

  std::map<u64, Gathering> gatherings_;  // indexed by the number of the id
  std::map<Key, Answer> answers_;
};

// Makes the communicator with the ranks in the order of the answer, which is the same in all processes.
std::shared_ptr<Communicator> communicator_of(const Key& key, const Answer& answer) {
  std::weak_ptr<Communicator>& known = nccl().communicators[key];
  if (std::shared_ptr<Communicator> communicator = known.lock()) return communicator;
  const auto communicator = std::make_shared<Communicator>(int(answer.process.size()));
  std::set<int> all;
  for (std::size_t rank = 0; rank < answer.process.size(); ++rank) {
    all.insert(answer.process[rank]);
    if (answer.process[rank] != this_process()) communicator->process[rank] = answer.process[rank];
  }
  known = communicator;
  if (all.size() == 1) return communicator;
  communicator->transport = Transport::between({all.begin(), all.end()}, key.second);
  listen_to(communicator);
  return communicator;
}

}  // namespace

IdContents contents_of(const ncclUniqueId& id) {
  IdContents contents;
  std::memcpy(&contents, id.internal, sizeof contents);
  return contents;
}
// Whether an id was made by this process or another, and not by chance.
bool is_id(const IdContents& contents) {
  const bool is_own = contents.pid == s32(getpid());
  return std::memcmp(contents.mark, kMark, sizeof kMark) == 0 && (!is_own || contents.number <= nccl().ids);
}
ncclUniqueId make_id() {
  ncclUniqueId id = {};
  IdContents contents = {{}, this_process(), s32(getpid()), ++nccl().ids};
  std::memcpy(contents.mark, kMark, sizeof kMark);
  std::memcpy(id.internal, &contents, sizeof contents);
  return id;
}

ncclResult_t init_ranks(const std::vector<NewRank>& ranks) {
  static Bootstrap& state = *new Bootstrap;
  for (const NewRank& j : ranks) state.ask(j);
  for (const NewRank& j : ranks) {
    const Key key = {j.id.process, j.id.number};
    // The process that has made the id gives up first, and tells the others which rank is missing.
    const double patience = (j.id.process == this_process() ? 1 : 2) * runtime::process().patience;
    double waited = 0;
    while (!state.answer(key)) {  // another thread of this process may receive the answer
      constexpr double kPause = 2e-4;
      if (state.take()) waited = 0;
      else if (waited > patience) state.give_up(j);
      if (!state.answer(key)) runtime::process().mutex.wait_for(kPause, [] { return false; });
      waited += kPause;
    }
    const Answer& answer = *state.answer(key);
    if (!answer.wrong.empty()) return refuse(ncclRemoteError, answer.wrong);
    if (const ncclResult_t result = make(j.comm, communicator_of(key, answer), j.rank, j.device))
      return result;
  }
  return ncclSuccess;
}

ncclResult_t make(ncclComm_t* comm, const std::shared_ptr<Communicator>& communicator, int rank, int device) {
  for (int r = 0; r < communicator->size(); ++r) {
    const ncclComm_t other = communicator->comm[std::size_t(r)];
    if (other && r == rank)
      return refuse(ncclInvalidUsage,
                    "NCCL: rank " + std::to_string(rank) + " of a communicator is made twice");
    if (other && other->device == device)
      return refuse(ncclInvalidUsage, "NCCL: ranks " + std::to_string(r) + " and " + std::to_string(rank) +
                                          " are both on GPU " + std::to_string(device));
  }
  *comm = communicator->comm[std::size_t(rank)] =
      *nccl().comms.insert(new ncclComm{communicator, rank, device}).first;
  return ncclSuccess;
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
