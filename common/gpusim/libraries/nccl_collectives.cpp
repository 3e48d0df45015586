#include "libraries/nccl_collectives.h"

#include <cstring>

#include "base/sizes.h"
#include "runtime/process.h"

namespace gpusim::libraries {

const char* name_of(Collective kind) {
  switch (kind) {
    case Collective::all_reduce: return "ncclAllReduce";
    case Collective::reduce: return "ncclReduce";
    case Collective::broadcast: return "ncclBroadcast";
    case Collective::all_gather: return "ncclAllGather";
    case Collective::reduce_scatter: return "ncclReduceScatter";
    case Collective::send: return "ncclSend";
    case Collective::receive: break;
  }
  return "ncclRecv";
}

std::size_t sent(const Call& c) {
  if (c.kind == Collective::receive) return 0;
  if (c.kind == Collective::broadcast && c.rank != c.peer) return 0;
  return c.kind == Collective::reduce_scatter ? times(c.count, std::size_t(c.ranks)) : c.count;
}
std::size_t received(const Call& c) {
  if (c.kind == Collective::send) return 0;
  if (c.kind == Collective::reduce && c.rank != c.peer) return 0;
  return c.kind == Collective::all_gather ? times(c.count, std::size_t(c.ranks)) : c.count;
}

std::string mismatch(const Operation& op) {
  const Call& first = *op.call[0];
  for (std::size_t rank = 1; rank < op.call.size(); ++rank) {
    const Call& c = *op.call[rank];
    const auto differ = [&](const std::string& one, const std::string& other) {
      return "rank " + std::to_string(rank) + " " + one + ", rank 0 " + other;
    };
    if (c.kind != first.kind) return differ(std::string("calls ") + name_of(c.kind), name_of(first.kind));
    if (c.count != first.count)
      return differ("gives " + std::to_string(c.count) + " elements", std::to_string(first.count));
    if (c.type != first.type) return differ(std::string("gives ") + name_of(c.type), name_of(first.type));
    if (c.operation != first.operation) return differ("asks for another operation", "for its own");
    if (c.peer != first.peer)
      return differ("names root " + std::to_string(c.peer), std::to_string(first.peer));
  }
  for (const std::optional<Call>& c : op.call) {
    if (!c->comm) continue;  // a rank of another process, which has checked it
    const std::size_t element = size_of(c->type);
    const bool is_there = (sent(*c) == 0 || memory_at(c->send, sent(*c) * element)) &&
                          (received(*c) == 0 || memory_at(c->receive, received(*c) * element));
    if (!is_there) return "rank " + std::to_string(c->rank) + " has freed its buffer before the others came";
  }
  return "";
}

u64 address_of(const void* pointer) { return reinterpret_cast<u64>(pointer); }
u8* memory_at(const void* pointer, std::size_t bytes) {
  return runtime::memory_of(address_of(pointer)).resolve(address_of(pointer), bytes);
}

namespace {

// The data that a rank sends.
const u8* contents(const Operation& op, std::size_t rank, std::size_t bytes) {
  return op.call[rank]->comm ? memory_at(op.call[rank]->send, bytes) : op.brought[rank].data();
}

}  // namespace

// Bytes are counted as a ring would move them, each rank to the next. (Links between GPUs of different
// processes are not counted, because each process numbers its own GPUs.)
void perform(const Operation& op) {
  const Call& first = *op.call[0];
  const std::size_t ranks = op.call.size(), element = size_of(first.type);
  const std::size_t all = (first.kind == Collective::reduce_scatter ? ranks : 1) * first.count * element;
  const bool adds = first.kind == Collective::all_reduce || first.kind == Collective::reduce ||
                    first.kind == Collective::reduce_scatter;
  std::vector<u8> result;  // the whole result, because the output may overlap the input
  if (all == 0) return;
  if (adds) {
    result.resize(all);
    std::memcpy(result.data(), contents(op, 0, all), all);
    for (std::size_t rank = 1; rank < ranks; ++rank)
      combine(result.data(), contents(op, rank, all), all / element, first.type, first.operation);
    if (first.operation == ncclAvg) divide(result.data(), all / element, first.type, int(ranks));
  } else if (first.kind == Collective::all_gather) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const u8* part = contents(op, rank, all);
      result.insert(result.end(), part, part + all);
    }
  } else {
    const u8* root = contents(op, std::size_t(first.peer), all);
    result.assign(root, root + all);
  }
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const Call& c = *op.call[rank];
    if (!c.comm) continue;
    const std::size_t bytes = received(c) * element;
    const std::size_t from = c.kind == Collective::reduce_scatter ? rank * bytes : 0;
    if (bytes != 0) std::memcpy(memory_at(c.receive, bytes), result.data() + from, bytes);
    if (bytes != 0) runtime::tell_written(address_of(c.receive), bytes);
    const std::size_t rounds = c.kind == Collective::all_reduce ? 2 : 1;
    const bool is_chain = c.kind == Collective::broadcast || c.kind == Collective::reduce;
    const ncclComm_t next = op.call[(rank + 1) % ranks]->comm;
    const bool is_last = c.kind == Collective::broadcast ? (rank + 1) % ranks == std::size_t(c.peer)
                                                         : rank == std::size_t(c.peer);
    const std::size_t moved = is_chain                           ? (is_last ? 0 : all)
                              : c.kind == Collective::all_gather ? all * (ranks - 1)
                                                                 : rounds * (all / ranks) * (ranks - 1);
    if (next) runtime::count_link(u32(c.comm->device), u32(next->device), moved);
  }
}

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
