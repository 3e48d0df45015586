// The device intrinsics: cuda_runtime.h declares them already.
#pragma once
#define __DEVICE_FUNCTIONS_H__  // programs ask whether it is there

#include "cuda_runtime.h"
// SPDX-License-Identifier: MIT
