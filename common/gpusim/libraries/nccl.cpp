// NCCL: communicators, groups of calls, and how a call waits in its stream for those of the other ranks.
#include "nccl.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "libraries/nccl_collectives.h"
#include "runtime/errors.h"
#include "runtime/work.h"

using namespace gpusim;
using namespace gpusim::libraries;
using runtime::Step;

namespace {

struct Nccl {
  std::set<ncclComm_t> comms;
  std::map<u64, std::weak_ptr<Clique>> cliques;  // by the number in their unique id
  u64 ids = 0;
  std::string last_error;
};
Nccl& nccl() {
  static Nccl& instance = *new Nccl;
  return instance;
}

struct Given {  // in a group
  Call call;
  cudaStream_t stream;
};
thread_local std::vector<Given> grouped;
thread_local int group_depth = 0;
thread_local char this_thread;  // its address tells threads apart

ncclResult_t refuse(ncclResult_t result, const std::string& why) {
  nccl().last_error = why;
  runtime::tell(why);
  return result;
}

std::string ranks_text(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t k = 0; k < ranks.size(); ++k)
    text += (k == 0 ? "" : k + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[k]);
  return text;
}

// The calls of one group that one rank gives to one stream: each waits for those of the others, none for one another.
class Calls final : public runtime::Task {
 public:
  explicit Calls(std::vector<Call> calls) {
    for (const Call& c : calls) {
      waiting_.push_back({c, 0});
      if (c.kind < Collective::send) waiting_.back().number = c.comm->calls++;
    }
  }

  Step step(CUstream_st& s) override {
    if (runtime::device_lost()) return Step::done;
    bool moved = false;
    for (auto w = waiting_.begin(); w != waiting_.end();) {
      if (!std::exchange(w->has_come, true)) moved = true, come(*w, s);
      if (is_done(*w, s)) w = waiting_.erase(w), moved = true;
      else ++w;
    }
    if (runtime::device_lost()) return Step::done;
    return waiting_.empty() ? Step::done : moved ? Step::moved : Step::waits;
  }

  bool give_up(CUstream_st&, bool tell) override {
    const Waiting& w = waiting_.front();
    const Clique& clique = *w.call.comm->clique;
    std::string text = std::string(name_of(w.call.kind)) + " of rank " + std::to_string(w.call.comm->rank);
    std::vector<int> absent;
    if (w.call.kind >= Collective::send) {
      absent = {w.call.peer};
    } else {
      text = std::string(name_of(w.call.kind)) + ", call " + std::to_string(w.number + 1) + " of " +
             std::to_string(clique.size()) + " ranks";
      Operation& op = operation_of(w);
      op.wrong = "the other ranks have waited in vain";
      for (int r = 0; r < clique.size(); ++r)
        if (!op.call[std::size_t(r)]) absent.push_back(r);
    }
    text += ": " + ranks_text(absent) + " never came";
    for (const int r : absent)
      if (!clique.comm[std::size_t(r)]) text += "; rank " + std::to_string(r) + " has no communicator";
    w.call.comm->error = ncclRemoteError;
    nccl().last_error = text;
    runtime::kernel_faulted({FaultCode::timeout, text}, tell);
    return true;
  }

 private:
  struct Waiting {
    Call call;
    std::size_t number;  // of collective calls
    bool has_come = false;
  };

  static Operation& operation_of(const Waiting& w) {
    Clique& clique = *w.call.comm->clique;
    while (clique.operations.size() <= w.number - clique.first) {
      clique.operations.emplace_back();
      clique.operations.back().call.resize(std::size_t(clique.size()));
    }
    return clique.operations[w.number - clique.first];
  }

  void come(Waiting& w, CUstream_st& s) {
    const Call& c = w.call;
    Clique& clique = *c.comm->clique;
    if (c.kind == Collective::send) {
      const std::size_t bytes = c.count * size_of(c.type);
      const u8* from = memory_at(c.send, bytes);
      clique.messages[{c.comm->rank, c.peer}].push_back(
          {std::vector<u8>(from, from + bytes), c.count, c.type, s.clock, u32(c.comm->device)});
      return;
    }
    if (c.kind == Collective::receive) {
      ++clique.awaited[{c.peer, c.comm->rank}];
      return;
    }
    Operation& op = operation_of(w);
    op.call[std::size_t(c.comm->rank)] = c;
    runtime::join(op.clock, s.clock);
    if (++op.come != op.call.size()) return;
    if (op.wrong.empty()) op.wrong = mismatch(op);
    if (op.wrong.empty()) perform(op);
    op.done = true;
  }

  // A send is done when its receiver waits for it, as of a GPU that has no room for it.
  static bool is_done(const Waiting& w, CUstream_st& s) {
    const Call& c = w.call;
    Clique& clique = *c.comm->clique;
    if (c.kind == Collective::send) {
      int& awaited = clique.awaited[{c.comm->rank, c.peer}];
      if (awaited > 0) --awaited;
      else return false;
      return true;
    }
    if (c.kind == Collective::receive) return receive(c, clique, s);
    Operation& op = operation_of(w);
    if (!op.done) return false;
    runtime::join(s.clock, op.clock);
    if (!op.wrong.empty())
      fail(c, name_of(c.kind) + (", call " + std::to_string(w.number + 1)) + ": " + op.wrong);
    if (--op.come == 0)
      while (!clique.operations.empty() && clique.operations.front().done &&
             clique.operations.front().come == 0)
        clique.operations.pop_front(), ++clique.first;
    return true;
  }

  static bool receive(const Call& c, Clique& clique, CUstream_st& s) {
    auto& queue = clique.messages[{c.peer, c.comm->rank}];
    if (queue.empty()) return false;
    const Message m = std::move(queue.front());
    queue.pop_front();
    runtime::join(s.clock, m.clock);
    if (m.count != c.count || m.type != c.type) {
      fail(c, "ncclRecv of rank " + std::to_string(c.comm->rank) + " takes " + std::to_string(c.count) + " " +
                  name_of(c.type) + ", and rank " + std::to_string(c.peer) + " sends " +
                  std::to_string(m.count) + " " + name_of(m.type));
      return true;
    }
    std::memcpy(memory_at(c.receive, m.bytes.size()), m.bytes.data(), m.bytes.size());
    runtime::tell_written(address_of(c.receive), m.bytes.size());
    runtime::count_link(m.gpu, u32(c.comm->device), m.bytes.size());
    return true;
  }

  static void fail(const Call& c, const std::string& why) {
    c.comm->error = ncclInvalidUsage;
    nccl().last_error = why;
    runtime::kernel_faulted({FaultCode::launch_failure, why});
  }

  std::vector<Waiting> waiting_;
};

// What is wrong with a call by itself.
ncclResult_t check(const Call& c) {
  const std::string name = name_of(c.kind);
  if (!nccl().comms.count(c.comm)) return refuse(ncclInvalidArgument, name + ": this is no communicator");
  const int ranks = c.comm->clique->size();
  const std::string who = name + " of rank " + std::to_string(c.comm->rank);
  if (c.type < 0 || c.type >= ncclNumTypes)
    return refuse(ncclInvalidArgument, who + ": no such type of data");
  if (c.operation < 0 || c.operation >= ncclNumOps)
    return refuse(ncclInvalidArgument, who + ": no such operation");
  if (c.peer < 0 || c.peer >= ranks)
    return refuse(ncclInvalidArgument, who + ": there is no rank " + std::to_string(c.peer) + ", but 0 to " +
                                           std::to_string(ranks - 1));
  const auto lies = [&](const char* what, const void* pointer, std::size_t count) {
    const std::size_t bytes = count * size_of(c.type);
    if (bytes == 0 || memory_at(pointer, bytes)) return true;
    refuse(ncclInvalidArgument,
           who + ": " + what + " is of " + std::to_string(bytes) + " bytes, which " +
               (pointer ? "do not lie there in memory of a GPU" : "cannot be at a null pointer"));
    return false;
  };
  if (!lies("the buffer to send", c.send, sent(c)) || !lies("the buffer to receive", c.receive, received(c)))
    return ncclInvalidArgument;
  return ncclSuccess;
}

// Without a group the first call of a thread may wait for ever for its next, which is for another rank.
ncclResult_t check_thread(const Call& c) {
  Clique& clique = *c.comm->clique;
  if (clique.ungrouped_thread == &this_thread && clique.ungrouped_rank != c.comm->rank)
    return refuse(
        ncclInvalidUsage,
        std::string(name_of(c.kind)) + ": one host thread calls for ranks " +
            std::to_string(clique.ungrouped_rank) + " and " + std::to_string(c.comm->rank) +
            ", and the first call may wait for the second: put ncclGroupStart() and ncclGroupEnd() around both");
  clique.ungrouped_thread = &this_thread;
  clique.ungrouped_rank = c.comm->rank;
  return ncclSuccess;
}

ncclResult_t give(ncclComm_t comm, cudaStream_t in, std::vector<Call> calls) {
  const runtime::OnGpu on(*runtime::process().contexts[std::size_t(comm->device)]);
  if (runtime::device_lost())
    return refuse(ncclUnhandledCudaError, "NCCL: GPU " + std::to_string(comm->device) + " has faulted");
  CUstream_st* stream = runtime::find_stream(in);
  if (!stream || stream->context != &runtime::current())
    return refuse(ncclInvalidArgument, std::string(name_of(calls[0].kind)) + " of rank " +
                                           std::to_string(comm->rank) + ": the stream is not one of GPU " +
                                           std::to_string(comm->device));
  runtime::give(*stream, std::make_unique<Calls>(std::move(calls)));
  return ncclSuccess;
}

ncclResult_t take(const Call& c, cudaStream_t stream) {
  const DeviceLock lock;
  if (const ncclResult_t result = check(c)) return result;
  if (group_depth > 0) {
    grouped.push_back({c, stream});
    return ncclSuccess;
  }
  if (const ncclResult_t result = check_thread(c)) return result;
  return give(c.comm, stream, {c});
}

ncclResult_t make(ncclComm_t* comm, const std::shared_ptr<Clique>& clique, int rank, int device) {
  for (int r = 0; r < clique->size(); ++r) {
    const ncclComm_t other = clique->comm[std::size_t(r)];
    if (other && r == rank)
      return refuse(ncclInvalidUsage,
                    "NCCL: rank " + std::to_string(rank) + " of a communicator is made twice");
    if (other && other->device == device)
      return refuse(ncclInvalidUsage, "NCCL: ranks " + std::to_string(r) + " and " + std::to_string(rank) +
                                          " are both on GPU " + std::to_string(device));
  }
  *comm = clique->comm[std::size_t(rank)] = *nccl().comms.insert(new ncclComm{clique, rank, device}).first;
  return ncclSuccess;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  if (!version) return ncclInvalidArgument;
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return "no error";
    case ncclUnhandledCudaError: return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case ncclSystemError: return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case ncclInternalError: return "internal error - please report this issue to the NCCL developers";
    case ncclInvalidArgument: return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case ncclInvalidUsage: return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case ncclRemoteError: return "remote process exited or there was a network error";
    case ncclInProgress: return "NCCL operation in progress";
    default: return "unknown result code";
  }
}
const char* ncclGetLastError(ncclComm_t) { return nccl().last_error.c_str(); }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  const DeviceLock lock;
  if (!id) return refuse(ncclInvalidArgument, "ncclGetUniqueId: a null pointer");
  std::memset(id, 0, sizeof *id);
  const u64 number = ++nccl().ids;
  std::memcpy(id->internal, &number, sizeof number);
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  const DeviceLock lock;
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: there is no rank " + std::to_string(rank) + " of " +
                                           std::to_string(ranks));
  u64 number = 0;
  std::memcpy(&number, id.internal, sizeof number);
  if (number == 0 || number > nccl().ids)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: this id is not one of ncclGetUniqueId");
  std::shared_ptr<Clique> clique = nccl().cliques[number].lock();
  if (!clique) nccl().cliques[number] = clique = std::make_shared<Clique>(ranks);
  if (clique->size() != ranks)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: rank " + std::to_string(rank) + " says there are " +
                                           std::to_string(ranks) + " ranks, another " +
                                           std::to_string(clique->size()));
  return make(comm, clique, rank, int(runtime::current_number()));
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  const DeviceLock lock;
  if (!comms || count < 1) return refuse(ncclInvalidArgument, "ncclCommInitAll: a null pointer, or no GPU");
  const auto clique = std::make_shared<Clique>(count);
  for (int rank = 0; rank < count; ++rank) {
    const int device = devices ? devices[rank] : rank;
    if (!runtime::is_gpu(device))
      return refuse(ncclInvalidArgument, "ncclCommInitAll: there is no GPU " + std::to_string(device) +
                                             " (GPUSIM_DEVICES=N gives N)");
    if (const ncclResult_t result = make(&comms[rank], clique, rank, device)) return result;
  }
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm))
    return refuse(ncclInvalidArgument, "ncclCommFinalize: this is no communicator");
  runtime::finish(*runtime::process().contexts[std::size_t(comm->device)]);
  return comm->error;
}
// Calls that still wait end first, for they use it.
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm))
    return refuse(ncclInvalidArgument, "ncclCommDestroy: this is no communicator");
  runtime::finish(*runtime::process().contexts[std::size_t(comm->device)]);
  comm->clique->comm[std::size_t(comm->rank)] = nullptr;
  nccl().comms.erase(comm);
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm) || !error) return ncclInvalidArgument;
  *error = comm->error;
  return ncclSuccess;
}
ncclResult_t ncclCommCount(const ncclComm_t comm, int* count) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm) || !count) return ncclInvalidArgument;
  *count = comm->clique->size();
  return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int* device) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm) || !device) return ncclInvalidArgument;
  *device = comm->device;
  return ncclSuccess;
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int* rank) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm) || !rank) return ncclInvalidArgument;
  *rank = comm->rank;
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
  ++group_depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  const DeviceLock lock;
  if (group_depth == 0) return refuse(ncclInvalidUsage, "ncclGroupEnd: there was no ncclGroupStart");
  if (--group_depth > 0) return ncclSuccess;
  // One task for each rank and stream, in the order of their first calls.
  std::vector<Given> all = std::exchange(grouped, {});
  ncclResult_t result = ncclSuccess;
  while (!all.empty()) {
    const Given first = all.front();
    std::vector<Call> calls;
    std::erase_if(all, [&](const Given& g) {
      if (g.call.comm != first.call.comm || g.stream != first.stream) return false;
      calls.push_back(g.call);
      return true;
    });
    if (const ncclResult_t each = give(first.call.comm, first.stream, std::move(calls))) result = each;
  }
  return result;
}

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  return take({Collective::all_reduce, send, receive, count, type, operation, 0, comm}, stream);
}
ncclResult_t ncclReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t operation, int root, ncclComm_t comm, cudaStream_t stream) {
  return take({Collective::reduce, send, receive, count, type, operation, root, comm}, stream);
}
ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return take({Collective::broadcast, send, receive, count, type, ncclSum, root, comm}, stream);
}
ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return ncclBroadcast(buffer, buffer, count, type, root, comm, stream);
}
ncclResult_t ncclAllGather(const void* send, void* receive, size_t send_count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return take({Collective::all_gather, send, receive, send_count, type, ncclSum, 0, comm}, stream);
}
ncclResult_t ncclReduceScatter(const void* send, void* receive, size_t receive_count, ncclDataType_t type,
                               ncclRedOp_t operation, ncclComm_t comm, cudaStream_t stream) {
  return take({Collective::reduce_scatter, send, receive, receive_count, type, operation, 0, comm}, stream);
}
ncclResult_t ncclSend(const void* send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return take({Collective::send, send, nullptr, count, type, ncclSum, peer, comm}, stream);
}
ncclResult_t ncclRecv(void* receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return take({Collective::receive, nullptr, receive, count, type, ncclSum, peer, comm}, stream);
}

}  // extern "C"
