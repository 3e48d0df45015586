// Why a call cannot use the memory that it was given.
#pragma once

#include <string>

#include "base/base.h"

namespace gpusim::runtime {

// In words, why `bytes` bytes at an address are not memory of a GPU: the address is null, was freed, is the host's, or the
// bytes end behind the allocation. `what` names them: "the destination". Empty if they are.
std::string why_not_of_gpu(const std::string& what, u64 address, std::size_t bytes);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
