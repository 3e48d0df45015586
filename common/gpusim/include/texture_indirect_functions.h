// Textures and surfaces: cuda_runtime.h declares them already.
#pragma once

#include "cuda_runtime.h"
// SPDX-License-Identifier: MIT
