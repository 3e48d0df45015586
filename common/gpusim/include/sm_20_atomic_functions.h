// What programs include it for, cuda_runtime.h declares already.
#pragma once
#define __SM_20_ATOMIC_FUNCTIONS_H__

#include "cuda_runtime.h"
// SPDX-License-Identifier: MIT
