#pragma once
#include "nvtx3/nvToolsExt.h"
// SPDX-License-Identifier: MIT
