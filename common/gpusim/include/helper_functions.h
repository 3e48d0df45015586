// What programs take from NVIDIA's cuda-samples (Common/), but for CUDA's own errors (helper_cuda.h).
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
// SPDX-License-Identifier: MIT
