// cuProfilerStart and cuProfilerStop, which have no effect: GPUSIM_REPORT=1 shows every launch.
#pragma once

#include "cuda.h"
#include "cuda_profiler_api.h"

inline CUresult cuProfilerStart() { return static_cast<CUresult>(cudaProfilerStart()); }
inline CUresult cuProfilerStop() { return static_cast<CUresult>(cudaProfilerStop()); }
// SPDX-License-Identifier: MIT
