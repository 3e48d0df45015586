// What programs include it for, cuda_runtime.h declares already.
#pragma once
#define __MATH_FUNCTIONS_H__

#include "cuda_runtime.h"
// SPDX-License-Identifier: MIT
