// The types of CUDA C++: cuda_runtime.h declares them already.
#pragma once
#define __BUILTIN_TYPES_H__

#include "driver_types.h"
// SPDX-License-Identifier: MIT
