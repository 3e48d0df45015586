// How ranks of different processes find each other: each asks the process that has made the unique id, which answers when
// all have come.
#pragma once

#include "libraries/nccl_clique.h"

namespace gpusim::libraries {

// What a unique id holds.
struct IdContents {
  char mark[8];
  s32 process;  // that has made it
  s32 pid;      // … and its number in the system
  u64 number;   // of its ids
};
IdContents contents_of(const ncclUniqueId&);
bool is_id(const IdContents&);
ncclUniqueId make_id();

// ncclCommInitRank, and several of them in a group.
struct Joining {
  ncclComm_t* comm;
  int ranks;
  IdContents id;
  int rank, device;
};

// Waits for the others, as NCCL does. Only where there are several processes.
ncclResult_t join(const std::vector<Joining>&);

// Makes the communicator of a rank of this process.
ncclResult_t make(ncclComm_t*, const std::shared_ptr<Clique>&, int rank, int device);

}  // namespace gpusim::libraries
