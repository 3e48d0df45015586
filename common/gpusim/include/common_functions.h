// What programs include it for, cuda_runtime.h declares already.
#pragma once
#define __COMMON_FUNCTIONS_H__

#include "cuda_runtime.h"
// SPDX-License-Identifier: MIT
