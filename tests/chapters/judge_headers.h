// What the tests of chapters include, all of it: precompiled for wrong and right kernels (meson.build). kernels.cuh
// must stand by itself without it: the exercise and the solution are compiled as a learner would compile them.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "counts.h"
#include "gemm_checks.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "harness/inputs.h"
#include "harness/matrix.h"
#include "harness/scan_reference.h"
#include "judge.h"
#include "lane_checks.h"
#include "scan_checks.h"
#include "simulated.h"
#include "sum_checks.h"
#include "transpose_checks.h"
