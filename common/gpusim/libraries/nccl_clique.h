// The ranks that belong together, and their calls: each rank's k-th collective call is one with the k-th of the others.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libraries/nccl_numbers.h"
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
  int peer;  // root, or the other rank of send and receive
  ncclComm_t comm;
};

// One operation of all ranks.
struct Operation {
  std::vector<std::optional<Call>> call;  // by rank; none: has not come
  std::size_t come = 0;
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
  u32 gpu;
};

struct Clique {
  explicit Clique(int ranks) : comm(std::size_t(ranks)) {}
  int size() const { return int(comm.size()); }

  std::vector<ncclComm_t> comm;                                 // by rank; null: has none
  std::deque<Operation> operations;                             // from number `first` on
  std::size_t first = 0;                                        //
  std::map<std::pair<int, int>, std::deque<Message>> messages;  // by from and to
  std::map<std::pair<int, int>, int> awaited;                   // receivers that wait, by from and to
  const void* ungrouped_thread = nullptr;  // that called for `ungrouped_rank` outside of a group
  int ungrouped_rank = -1;
};

}  // namespace gpusim::libraries

struct ncclComm {
  std::shared_ptr<gpusim::libraries::Clique> clique;
  int rank, device;
  std::size_t calls = 0;  // collective ones so far
  ncclResult_t error = ncclSuccess;
};
