// The messages between ranks of one communicator in different processes: their calls, with the data that they
// send.
#pragma once

#include "libraries/nccl_communicator.h"

namespace gpusim::libraries {

// Tells the other processes of a call by a rank of this process, its `number`th collective one.
void tell_others(const Call&, std::size_t number);

// After this call the communicator, which must have a transport, gets other processes' calls whenever this process works
// or waits.
void listen_to(const std::shared_ptr<Communicator>&);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
