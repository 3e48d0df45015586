// Why is a softmax wrong? Other values and lengths tell: a mistake shows with some, and not with others.
#pragma once

#include <string>
#include <vector>

#include "softmax_checks.h"

namespace judge {

// The cause of a wrong result in this row, by further runs of the kernel, as a sentence of a message. Empty
// if none of the known mistakes explains it.
std::string why_wrong(const SoftmaxKernel& kernel, const std::vector<float>& row);

}  // namespace judge
// SPDX-License-Identifier: MIT
