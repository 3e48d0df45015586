// The ranks that belong together, and their calls: each rank's k-th collective call is one with the k-th of the others.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libraries/nccl_numbers.h"
#include "libraries/nccl_wire.h"
#include "runtime/clock.h"

namespace gpusim::libraries {

enum class Collective { all_reduce, reduce, broadcast, all_gather, reduce_scatter, send, receive };
const char* name_of(Collective);

struct Call {
  Collective kind;
  const void* send;
  void* receive;
  std::size_t count;  // as the function takes it
  ncclDataType_t type;
  ncclRedOp_t operation;
  int peer;         // root, or the other rank of send and receive
  ncclComm_t comm;  // null: of a rank in another process
  int rank = 0, ranks = 0;
};

// One operation of all ranks.
struct Operation {
  explicit Operation(std::size_t ranks) : call(ranks), brought(ranks) {}

  std::vector<std::optional<Call>> call;  // by rank; none: has not come
  std::vector<std::vector<u8>> brought;   // by rank, of other processes: what it sends
  std::size_t come = 0, taken = 0;        // ranks that have come; ranks of this process that are done with it
  bool done = false;
  std::string wrong;     // not empty: they do not fit together
  runtime::Clock clock;  // what all come after
};

// Messages from one rank to another, in order.
struct Message {
  std::vector<u8> bytes;
  std::size_t count;
  ncclDataType_t type;
  runtime::Clock clock;
  int gpu;  // from which; -1: of another process
};

struct Clique {
  explicit Clique(int ranks) : comm(std::size_t(ranks)), process(std::size_t(ranks), -1) {}
  int size() const { return int(comm.size()); }
  bool is_here(int rank) const { return process[std::size_t(rank)] < 0; }
  Operation& operation(std::size_t number) {
    while (operations.size() <= number - first) operations.emplace_back(comm.size());
    return operations[number - first];
  }

  std::vector<ncclComm_t> comm;      // by rank; null: has none, or another process has it
  std::vector<int> process;          // by rank: another one than this, or -1
  std::unique_ptr<Wire> wire;        // to them; null: there are none
  bool is_sending = false;           // what was sent is not all with them yet
  std::deque<Operation> operations;  // from number `first` on
  std::size_t first = 0;             //
  std::map<std::pair<int, int>, std::deque<Message>> messages;  // by from and to
  std::map<std::pair<int, int>, int> awaited;                   // receivers that wait, by from and to
  const void* ungrouped_thread = nullptr;  // that called for `ungrouped_rank` outside of a group
  int ungrouped_rank = -1;
};

// All communicators of the process.
struct Nccl {
  std::set<ncclComm_t> comms;
  std::map<std::pair<int, u64>, std::weak_ptr<Clique>>
      cliques;  // by the unique id: its process and its number
  u64 ids = 0;
  std::string last_error;
};
Nccl& nccl();
// Remembers why, and says so.
ncclResult_t refuse(ncclResult_t, const std::string& why);
// "rank 2", "ranks 1, 2 and 4".
std::string ranks_text(const std::vector<int>&);

}  // namespace gpusim::libraries

struct ncclComm {
  std::shared_ptr<gpusim::libraries::Clique> clique;
  int rank, device;
  std::size_t calls = 0;  // collective ones so far
  ncclResult_t error = ncclSuccess;
};
