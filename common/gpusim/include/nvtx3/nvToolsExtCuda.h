#pragma once
#include "../nvToolsExtCuda.h"
// SPDX-License-Identifier: MIT
