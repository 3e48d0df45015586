// What ranks of one communicator in different processes tell each other: their calls, with what they send.
#pragma once

#include "libraries/nccl_clique.h"

namespace gpusim::libraries {

// A rank of this process has come with its call, the `number`th collective one.
void tell_others(const Call&, std::size_t number);

// From now on the clique, which has a wire, hears of the calls of others whenever this process works or waits.
void listen_to(const std::shared_ptr<Clique>&);

}  // namespace gpusim::libraries
