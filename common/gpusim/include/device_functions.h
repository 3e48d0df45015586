// The device intrinsics: cuda_runtime.h declares them already.
#pragma once

#include "cuda_runtime.h"
