// What the tests of chapters include, all of it: precompiled (meson.build). That kernels.cuh stands by itself without
// it is seen where the chapter's own program is compiled.
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
