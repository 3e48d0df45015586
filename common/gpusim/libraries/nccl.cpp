// NCCL: communicators, groups of calls, and how a call waits in its stream for those of the other ranks.
#include "nccl.h"

#include <unistd.h>

#include "base/sizes.h"
#include "libraries/nccl_bootstrap.h"
#include "libraries/nccl_calls.h"
#include "libraries/nccl_collectives.h"
#include "runtime/errors.h"

using namespace gpusim;
using namespace gpusim::libraries;

namespace {

struct Given {  // a call in a group
  Call call;
  cudaStream_t stream;
};
thread_local std::vector<Given> in_group;
thread_local std::vector<NewRank> new_ranks;  // the group's ncclCommInitRank, if there are several processes
thread_local int group_depth = 0;
thread_local char this_thread;  // its address identifies the thread

// Checks a call on its own, without those of the other ranks.
ncclResult_t check(const Call& c) {
  const std::string name = name_of(c.kind);
  const std::string who = name + " of rank " + std::to_string(c.rank);
  if (c.type < 0 || c.type >= ncclNumTypes)
    return refuse(ncclInvalidArgument, who + ": no such type of data");
  if (c.operation < 0 || c.operation >= ncclNumOps)
    return refuse(ncclInvalidArgument, who + ": no such operation");
  if (c.peer < 0 || c.peer >= c.ranks)
    return refuse(ncclInvalidArgument, who + ": there is no rank " + std::to_string(c.peer) + ", but 0 to " +
                                           std::to_string(c.ranks - 1));
  const auto lies = [&](const char* what, const void* pointer, std::size_t count) {
    const std::size_t bytes = times(count, size_of(c.type));
    if (bytes == 0 || memory_at(pointer, bytes)) return true;
    refuse(ncclInvalidArgument,
           who + ": " + what + " is of " + size_text(bytes) + " bytes, which " +
               (pointer ? "do not lie there in memory of a GPU" : "cannot be at a null pointer"));
    return false;
  };
  if (!lies("the buffer to send", c.send, sent(c)) || !lies("the buffer to receive", c.receive, received(c)))
    return ncclInvalidArgument;
  return ncclSuccess;
}

// Notices a thread that calls for several ranks without a group: its first call may wait for ever for the
// second.
ncclResult_t check_thread(const Call& c) {
  Communicator& communicator = *c.comm->communicator;
  if (communicator.ungrouped_thread == &this_thread && communicator.ungrouped_rank != c.rank)
    return refuse(
        ncclInvalidUsage,
        std::string(name_of(c.kind)) + ": one host thread calls for ranks " +
            std::to_string(communicator.ungrouped_rank) + " and " + std::to_string(c.rank) +
            ", and the first call may wait for the second: put ncclGroupStart() and ncclGroupEnd() around both");
  communicator.ungrouped_thread = &this_thread;
  communicator.ungrouped_rank = c.rank;
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

ncclResult_t take(Call c, cudaStream_t stream) {
  const DeviceLock lock;
  if (!nccl().comms.count(c.comm))
    return refuse(ncclInvalidArgument, name_of(c.kind) + std::string(": this is no communicator"));
  c.rank = c.comm->rank;
  c.ranks = c.comm->communicator->size();
  if (const ncclResult_t result = check(c)) return result;
  if (group_depth > 0) {
    in_group.push_back({c, stream});
    return ncclSuccess;
  }
  if (const ncclResult_t result = check_thread(c)) return result;
  return give(c.comm, stream, {c});
}

}  // namespace

namespace gpusim::libraries {

Nccl& nccl() {
  static Nccl& instance = *new Nccl;
  return instance;
}
ncclResult_t refuse(ncclResult_t result, const std::string& why) {
  nccl().last_error = why;
  runtime::tell(why);
  return result;
}

}  // namespace gpusim::libraries

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
  *id = make_id();
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  const DeviceLock lock;
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: there is no rank " + std::to_string(rank) + " of " +
                                           std::to_string(ranks));
  if (const u64 most = u64(processes()) * Memory::kMostGpus; u64(ranks) > most)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: there cannot be " + std::to_string(ranks) +
                                           " ranks, but " + std::to_string(most) + " GPUs at most");
  const IdContents contents = contents_of(id);
  const NewRank mine = {comm, ranks, contents, rank, int(runtime::current_number())};
  if (processes() > 1 && is_id(contents)) {
    if (group_depth == 0) return init_ranks({mine});
    new_ranks.push_back(mine);
    return ncclSuccess;
  }
  if (!is_id(contents) || contents.pid != getpid())
    return refuse(ncclInvalidArgument,
                  "ncclCommInitRank: this id is not one of ncclGetUniqueId" +
                      (is_id(contents) ? " in this process" + why_alone() : std::string()));
  std::weak_ptr<Communicator>& known = nccl().communicators[{contents.process, contents.number}];
  std::shared_ptr<Communicator> communicator = known.lock();
  if (!communicator) known = communicator = std::make_shared<Communicator>(ranks);
  if (communicator->size() != ranks)
    return refuse(ncclInvalidArgument, "ncclCommInitRank: rank " + std::to_string(rank) + " says there are " +
                                           std::to_string(ranks) + " ranks, another " +
                                           std::to_string(communicator->size()));
  return make(comm, communicator, rank, mine.device);
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int count, const int* devices) {
  const DeviceLock lock;
  if (!comms || count < 1) return refuse(ncclInvalidArgument, "ncclCommInitAll: a null pointer, or no GPU");
  const auto device_of = [&](int rank) { return devices ? devices[rank] : rank; };
  for (int rank = 0; rank < count; ++rank)  // a large count ends where the GPUs do
    if (!runtime::is_gpu(device_of(rank)) || u32(rank) >= Memory::kMostGpus)
      return refuse(ncclInvalidArgument,
                    "ncclCommInitAll: there is no GPU " +
                        std::to_string(runtime::is_gpu(device_of(rank)) ? rank : device_of(rank)) +
                        " (GPUSIM_DEVICES=N gives N)");
  const auto communicator = std::make_shared<Communicator>(count);
  for (int rank = 0; rank < count; ++rank)
    if (const ncclResult_t result = make(&comms[rank], communicator, rank, device_of(rank))) return result;
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm))
    return refuse(ncclInvalidArgument, "ncclCommFinalize: this is no communicator");
  runtime::finish(*runtime::process().contexts[std::size_t(comm->device)]);
  return comm->error;
}
// Waits for the calls that still use the communicator.
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  const DeviceLock lock;
  if (!nccl().comms.count(comm))
    return refuse(ncclInvalidArgument, "ncclCommDestroy: this is no communicator");
  runtime::finish(*runtime::process().contexts[std::size_t(comm->device)]);
  comm->communicator->comm[std::size_t(comm->rank)] = nullptr;
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
  *count = comm->communicator->size();
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
  ncclResult_t result = init_ranks(std::exchange(new_ranks, {}));
  // One task for each rank and stream, in the order of their first calls.
  std::vector<Given> all = std::exchange(in_group, {});
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
// SPDX-License-Identifier: MIT
