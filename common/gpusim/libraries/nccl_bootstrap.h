// How ranks of different processes find each other. Each rank asks the process that has made the unique id,
// and that process answers when all ranks have asked.
#pragma once

#include "libraries/nccl_communicator.h"

namespace gpusim::libraries {

// The contents of a unique id.
struct IdContents {
  char mark[8];
  s32 process;  // the process that has made it, by its rank in MPI_COMM_WORLD
  s32 pid;      // the same process, by its number in the operating system
  u64 number;   // its place among the ids of that process
};
IdContents contents_of(const ncclUniqueId&);
bool is_id(const IdContents&);
ncclUniqueId make_id();

// A call of ncclCommInitRank. There may be several in a group.
struct NewRank {
  ncclComm_t* comm;
  int ranks;
  IdContents id;
  int rank, device;
};

// Waits for the other ranks, as NCCL does. Used only if there are several processes.
ncclResult_t init_ranks(const std::vector<NewRank>&);

// Makes the communicator of a rank of this process.
ncclResult_t make(ncclComm_t*, const std::shared_ptr<Communicator>&, int rank, int device);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
