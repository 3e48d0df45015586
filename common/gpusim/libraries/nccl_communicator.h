// The ranks of a communicator, and their calls. The k-th collective calls of all ranks form one operation.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libraries/nccl_numbers.h"
#include "libraries/nccl_transport.h"
#include "runtime/clock.h"

namespace gpusim::libraries {

enum class Collective { all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, receive };
const char* name_of(Collective);

struct Call {
  Collective kind;
  const void* send;
  void* receive;
  std::size_t count;  // elements, as the program passes it to the function
  ncclDataType_t type;
  ncclRedOp_t operation;
  int peer;         // the root, or the other rank of send and receive
  ncclComm_t comm;  // null: the rank is in another process
  int rank = 0, ranks = 0;
};

// One collective operation of all ranks.
struct Operation {
  explicit Operation(std::size_t ranks) : call(ranks), brought(ranks) {}

  std::vector<std::optional<Call>> call;  // indexed by rank; empty: the rank has not called yet
  std::vector<std::vector<u8>> brought;   // indexed by rank: the data of ranks in other processes
  std::size_t come = 0, taken = 0;        // ranks that have called; ranks of this process that are done
  bool done = false;
  std::string wrong;     // why the calls do not fit together; empty: they do
  runtime::Clock clock;  // the work before the operation, of all ranks
};

// A message from one rank to another.
struct Message {
  std::vector<u8> bytes;
  std::size_t count;
  ncclDataType_t type;
  runtime::Clock clock;
  int gpu;  // the sender's; -1: it is in another process
};

struct Communicator {
  explicit Communicator(int ranks) : comm(std::size_t(ranks)), process(std::size_t(ranks), -1) {}
  int size() const { return int(comm.size()); }
  bool is_here(int rank) const { return process[std::size_t(rank)] < 0; }
  Operation& operation(std::size_t number) {
    while (operations.size() <= number - first) operations.emplace_back(comm.size());
    return operations[number - first];
  }

  std::vector<ncclComm_t> comm;          // indexed by rank; null: none yet, or in another process
  std::vector<int> process;              // indexed by rank: the other process, or -1 for this one
  std::unique_ptr<Transport> transport;  // to the other processes; null: there are none
  bool is_sending = false;               // some data are still on their way to other processes
  std::deque<Operation> operations;      // the first of them has the number `first`
  std::size_t first = 0;                 //
  std::map<std::pair<int, int>, std::deque<Message>> messages;  // indexed by sender and receiver, in order
  std::map<std::pair<int, int>, int> awaited;                   // waiting receives, by sender and receiver
  const void* ungrouped_thread = nullptr;  // the thread that called for `ungrouped_rank` without a group
  int ungrouped_rank = -1;
};

// NCCL's state in this process.
struct Nccl {
  std::set<ncclComm_t> comms;
  // Indexed by the unique id: its process and its number.
  std::map<std::pair<int, u64>, std::weak_ptr<Communicator>> communicators;
  u64 ids = 0;
  std::string last_error;
};
Nccl& nccl();
// Prints why a call is refused, and keeps it for ncclGetLastError.
ncclResult_t refuse(ncclResult_t, const std::string& why);
// "rank 2", "ranks 1, 2 and 4".
std::string ranks_text(const std::vector<int>&);

}  // namespace gpusim::libraries

struct ncclComm {
  std::shared_ptr<gpusim::libraries::Communicator> communicator;
  int rank, device;
  std::size_t calls = 0;  // collective calls so far
  ncclResult_t error = ncclSuccess;
};
// SPDX-License-Identifier: MIT
