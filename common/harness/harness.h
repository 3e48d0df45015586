// Everything that a chapter's main.cu includes, in the order in which it uses it: options, inputs, device
// memory, launches to measure, results to verify, a report.
#pragma once

#include "harness/check.h"
#include "harness/device.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "harness/inputs.h"
#include "harness/matrix.h"
#include "harness/options.h"
#include "harness/reference.h"
#include "harness/report.h"
#include "harness/scan_reference.h"
// SPDX-License-Identifier: MIT
