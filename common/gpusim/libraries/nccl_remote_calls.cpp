#include "libraries/nccl_remote_calls.h"

#include <chrono>
#include <set>

#include "libraries/nccl_calls.h"
#include "libraries/nccl_collectives.h"

namespace gpusim::libraries {
namespace {

// A packet with a call has the call's kind. A packet of this kind has no call: it says that the process
// works.
constexpr s32 kBusy = 100;

std::set<int> others_of(const Communicator& communicator) {
  std::set<int> others(communicator.process.begin(), communicator.process.end());
  others.erase(-1);
  return others;
}

void take(Communicator& communicator, Packet packet) {
  const Head& h = packet.head;
  if (h.what == kBusy) return;
  const auto kind = Collective(h.what);
  const std::pair<int, int> way = {h.from, h.to};
  if (kind == Collective::send) {
    communicator.messages[way].push_back({std::move(packet.bytes), h.count, ncclDataType_t(h.type), {}, -1});
  } else if (kind == Collective::receive) {
    ++communicator.awaited[way];
  } else {
    Operation& op = communicator.operation(h.number);
    op.brought[std::size_t(h.from)] = std::move(packet.bytes);
    come(op, {kind, nullptr, nullptr, h.count, ncclDataType_t(h.type), ncclRedOp_t(h.operation), h.peer,
              nullptr, h.from, communicator.size()});
  }
}

class RemoteCalls final : public runtime::RemoteRanks {
 public:
  void add(const std::shared_ptr<Communicator>& communicator) { communicators_.push_back(communicator); }

  bool take() override {
    bool has_come = false;
    for_each([&](Communicator& communicator) {
      for (Packet packet; communicator.transport->take(packet); has_come = true)
        libraries::take(communicator, std::move(packet));
      if (!communicator.is_sending || !communicator.transport->has_sent()) return;
      communicator.is_sending = false;
      has_come = true;
    });
    return has_come;
  }

  // Sends at most five packets a second, which is often enough for the shortest patience of one second.
  void tell_busy() override {
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now();
    if (now - told_ < std::chrono::milliseconds(200)) return;
    told_ = now;
    for_each([&](Communicator& communicator) {
      Head head;
      head.what = kBusy;
      for (const int process : others_of(communicator)) communicator.transport->send(process, head, nullptr);
    });
  }

 private:
  template <class F> void for_each(F f) {
    std::erase_if(communicators_, [&](const std::weak_ptr<Communicator>& each) {
      const std::shared_ptr<Communicator> communicator = each.lock();
      if (communicator) f(*communicator);
      return !communicator;
    });
  }

  std::vector<std::weak_ptr<Communicator>> communicators_;
  std::chrono::steady_clock::time_point told_;
};

}  // namespace

void tell_others(const Call& c, std::size_t number) {
  Communicator& communicator = *c.comm->communicator;
  if (!communicator.transport) return;
  communicator.is_sending = true;
  const std::size_t bytes = sent(c) * size_of(c.type);
  Head head = {s32(c.kind), c.rank, c.peer, s32(c.type), s32(c.operation), c.peer, number, c.count, bytes};
  const u8* const data = bytes ? memory_at(c.send, bytes) : nullptr;
  if (c.kind < Collective::send) {
    for (const int process : others_of(communicator)) communicator.transport->send(process, head, data);
  } else if (!communicator.is_here(c.peer)) {
    if (c.kind == Collective::receive) std::swap(head.from, head.to);  // in the direction of the message
    communicator.transport->send(communicator.process[std::size_t(c.peer)], head, data);
  }
}

void listen_to(const std::shared_ptr<Communicator>& communicator) {
  static RemoteCalls& remote = *new RemoteCalls;
  remote.add(communicator);
  runtime::Process& process = runtime::process();
  process.remote_ranks = &remote;
  for (const auto& context : process.contexts)
    context->gpu.device.still_runs = [] { runtime::process().remote_ranks->tell_busy(); };
  runtime::expect_others();
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
