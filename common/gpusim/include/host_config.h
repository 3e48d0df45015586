// __device__, __align__ and the other words that CUDA adds to C++.
#pragma once
#define __HOST_CONFIG_H__

#include "gpusim/detail/host_defines.h"
// SPDX-License-Identifier: MIT
