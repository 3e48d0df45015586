#include "libraries/nccl_post.h"

#include <chrono>
#include <set>

#include "libraries/nccl_calls.h"
#include "libraries/nccl_collectives.h"

namespace gpusim::libraries {
namespace {

// A letter with a call has the call's kind. A letter of this kind has no call: it says that the process
// works.
constexpr s32 kBusy = 100;

std::set<int> others_of(const Clique& clique) {
  std::set<int> others(clique.process.begin(), clique.process.end());
  others.erase(-1);
  return others;
}

void take(Clique& clique, Letter letter) {
  const Head& h = letter.head;
  if (h.what == kBusy) return;
  const auto kind = Collective(h.what);
  const std::pair<int, int> way = {h.from, h.to};
  if (kind == Collective::send) {
    clique.messages[way].push_back({std::move(letter.bytes), h.count, ncclDataType_t(h.type), {}, -1});
  } else if (kind == Collective::receive) {
    ++clique.awaited[way];
  } else {
    Operation& op = clique.operation(h.number);
    op.brought[std::size_t(h.from)] = std::move(letter.bytes);
    come(op, {kind, nullptr, nullptr, h.count, ncclDataType_t(h.type), ncclRedOp_t(h.operation), h.peer,
              nullptr, h.from, clique.size()});
  }
}

class Post final : public runtime::Outside {
 public:
  void add(const std::shared_ptr<Clique>& clique) { cliques_.push_back(clique); }

  bool take() override {
    bool has_come = false;
    for_each([&](Clique& clique) {
      for (Letter letter; clique.wire->take(letter); has_come = true)
        libraries::take(clique, std::move(letter));
      if (!clique.is_sending || !clique.wire->has_sent()) return;
      clique.is_sending = false;
      has_come = true;
    });
    return has_come;
  }

  // Sends at most five letters a second, which is often enough for the shortest patience of one second.
  void tell_busy() override {
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now();
    if (now - told_ < std::chrono::milliseconds(200)) return;
    told_ = now;
    for_each([&](Clique& clique) {
      Head head;
      head.what = kBusy;
      for (const int process : others_of(clique)) clique.wire->send(process, head, nullptr);
    });
  }

 private:
  template <class F> void for_each(F f) {
    std::erase_if(cliques_, [&](const std::weak_ptr<Clique>& each) {
      const std::shared_ptr<Clique> clique = each.lock();
      if (clique) f(*clique);
      return !clique;
    });
  }

  std::vector<std::weak_ptr<Clique>> cliques_;
  std::chrono::steady_clock::time_point told_;
};

}  // namespace

void tell_others(const Call& c, std::size_t number) {
  Clique& clique = *c.comm->clique;
  if (!clique.wire) return;
  clique.is_sending = true;
  const std::size_t bytes = sent(c) * size_of(c.type);
  Head head = {s32(c.kind), c.rank, c.peer, s32(c.type), s32(c.operation), c.peer, number, c.count, bytes};
  const u8* const data = bytes ? memory_at(c.send, bytes) : nullptr;
  if (c.kind < Collective::send) {
    for (const int process : others_of(clique)) clique.wire->send(process, head, data);
  } else if (!clique.is_here(c.peer)) {
    if (c.kind == Collective::receive) std::swap(head.from, head.to);  // in the direction of the message
    clique.wire->send(clique.process[std::size_t(c.peer)], head, data);
  }
}

void listen_to(const std::shared_ptr<Clique>& clique) {
  static Post& post = *new Post;
  post.add(clique);
  runtime::Process& process = runtime::process();
  process.outside = &post;
  for (const auto& context : process.contexts)
    context->gpu.device.still_runs = [] { runtime::process().outside->tell_busy(); };
  runtime::expect_others();
}

}  // namespace gpusim::libraries
