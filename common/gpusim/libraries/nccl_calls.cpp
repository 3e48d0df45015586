#include "libraries/nccl_calls.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "libraries/nccl_collectives.h"
#include "libraries/nccl_remote_calls.h"
#include "runtime/errors.h"

namespace gpusim::libraries {

using runtime::Progress;

std::string ranks_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k)
    text += (k == 0 ? "" : k + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[k]);
  return text;
}

// Tells the checks what the call does to memory of its GPU at this moment.
static void tell_checks(const Call& c, const void* pointer, std::size_t count, bool writes,
                        const CUstream_st& s) {
  if (count == 0) return;
  const std::string what = std::string(name_of(c.kind)) + " of rank " + std::to_string(c.rank);
  runtime::tell_in_stream(what, address_of(pointer), count * size_of(c.type), writes, s);
}

void come(Operation& op, const Call& call, const runtime::Clock& clock) {
  op.call[std::size_t(call.rank)] = call;
  runtime::join(op.clock, clock);
  if (++op.come != op.call.size()) return;
  if (op.wrong.empty()) op.wrong = mismatch(op);
  if (op.wrong.empty()) perform(op);
  op.done = true;
}

Calls::Calls(std::vector<Call> calls) {
  for (const Call& c : calls) {
    waiting_.push_back({c, 0});
    if (c.kind < Collective::send) waiting_.back().number = c.comm->calls++;
  }
}

Progress Calls::step(CUstream_st& s) {
  if (runtime::device_lost()) return Progress::done;
  bool moved = false;
  for (auto w = waiting_.begin(); w != waiting_.end();) {
    if (!std::exchange(w->has_come, true)) moved = true, come(*w, s);
    if (is_done(*w, s)) w = waiting_.erase(w), moved = true;
    else ++w;
  }
  if (runtime::device_lost()) return Progress::done;
  return waiting_.empty() ? Progress::done : moved ? Progress::moved : Progress::waits;
}

bool Calls::give_up(CUstream_st&, bool tell) {
  const Waiting& w = waiting_.front();
  Communicator& communicator = *w.call.comm->communicator;
  std::string text = std::string(name_of(w.call.kind)) + " of rank " + std::to_string(w.call.rank);
  std::vector<int> absent;
  if (w.call.kind >= Collective::send) {
    absent = {w.call.peer};
  } else {
    text = std::string(name_of(w.call.kind)) + ", call " + std::to_string(w.number + 1) + " of " +
           std::to_string(communicator.size()) + " ranks";
    Operation& op = communicator.operation(w.number);
    op.wrong = "the other ranks have waited in vain";
    for (int r = 0; r < communicator.size(); ++r)
      if (!op.call[std::size_t(r)]) absent.push_back(r);
  }
  text += absent.empty() ? ": another process does not take what is sent to it"
                         : ": " + ranks_text(absent) + " never came";
  for (const int r : absent)
    if (communicator.is_here(r) && !communicator.comm[std::size_t(r)])
      text += "; rank " + std::to_string(r) + " has no communicator";
  w.call.comm->error = ncclRemoteError;
  nccl().last_error = text;
  runtime::kernel_faulted({FaultCode::timeout, text}, tell);
  return true;
}

void Calls::come(const Waiting& w, const CUstream_st& s) {
  const Call& c = w.call;
  Communicator& communicator = *c.comm->communicator;
  tell_others(c, w.number);
  if (c.kind == Collective::send && communicator.is_here(c.peer)) {
    const std::size_t bytes = c.count * size_of(c.type);
    const u8* from = memory_at(c.send, bytes);
    communicator.messages[{c.rank, c.peer}].push_back(
        {std::vector<u8>(from, from + bytes), c.count, c.type, s.clock, c.comm->device});
  }
  if (c.kind == Collective::send) tell_checks(c, c.send, c.count, false, s);
  if (c.kind == Collective::receive && communicator.is_here(c.peer)) ++communicator.awaited[{c.peer, c.rank}];
  if (c.kind < Collective::send) libraries::come(communicator.operation(w.number), c, s.clock);
}

// Whether the call is done. A send is done when its receiver waits for it, as on a GPU without a buffer for
// it.
bool Calls::is_done(const Waiting& w, CUstream_st& s) {
  const Call& c = w.call;
  Communicator& communicator = *c.comm->communicator;
  if (c.kind == Collective::receive) return receive(c, communicator, s);
  if (communicator.is_sending) return false;
  if (c.kind == Collective::send) {
    int& awaited = communicator.awaited[{c.rank, c.peer}];
    if (awaited == 0) return false;
    --awaited;
    return true;
  }
  Operation& op = communicator.operation(w.number);
  if (!op.done) return false;
  tell_checks(c, c.send, sent(c), false, s);
  runtime::join(s.clock, op.clock);
  tell_checks(c, c.receive, received(c), true, s);
  if (!op.wrong.empty())
    fail(c, name_of(c.kind) + (", call " + std::to_string(w.number + 1)) + ": " + op.wrong);
  ++op.taken;
  const auto here = std::size_t(std::ranges::count(communicator.process, -1));
  while (!communicator.operations.empty() && communicator.operations.front().taken == here)
    communicator.operations.pop_front(), ++communicator.first;
  return true;
}

bool Calls::receive(const Call& c, Communicator& communicator, CUstream_st& s) {
  auto& queue = communicator.messages[{c.peer, c.rank}];
  if (queue.empty()) return false;
  const Message m = std::move(queue.front());
  queue.pop_front();
  runtime::join(s.clock, m.clock);
  if (m.count != c.count || m.type != c.type) {
    fail(c, "ncclRecv of rank " + std::to_string(c.rank) + " takes " + std::to_string(c.count) + " " +
                name_of(c.type) + ", and rank " + std::to_string(c.peer) + " sends " +
                std::to_string(m.count) + " " + name_of(m.type));
    return true;
  }
  if (m.bytes.empty()) return true;
  std::memcpy(memory_at(c.receive, m.bytes.size()), m.bytes.data(), m.bytes.size());
  runtime::tell_written(address_of(c.receive), m.bytes.size());
  tell_checks(c, c.receive, c.count, true, s);
  if (m.gpu >= 0) runtime::count_link(u32(m.gpu), u32(c.comm->device), m.bytes.size());
  return true;
}

void Calls::fail(const Call& c, const std::string& why) {
  c.comm->error = ncclInvalidUsage;
  nccl().last_error = why;
  runtime::kernel_faulted({FaultCode::launch_failure, why});
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
