// What a chapter's main.cu includes. In the order of use: options, inputs, device memory, launches that are
// measured, results that are verified, a report.
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
