// What programs include it for, cuda_runtime.h declares already.
#pragma once
#define __SM_30_INTRINSICS_H__

#include "cuda_runtime.h"
// SPDX-License-Identifier: MIT
