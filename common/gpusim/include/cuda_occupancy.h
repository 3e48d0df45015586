// Thrust includes it. The calculator that NVIDIA's has for a host without a GPU (cudaOcc…) is not simulated: ask
// cudaOccupancyMaxActiveBlocksPerMultiprocessor.
#pragma once
#define __cuda_occupancy_h__

#include "cuda_runtime_api.h"
// SPDX-License-Identifier: MIT
