#pragma once
#include "../nvToolsExtCudaRt.h"
// SPDX-License-Identifier: MIT
