// The chapters' kernels, for programs that trace them: figures/traces.cu and stepper/steps.cu. Compile with
// -I chapters/NN_topic for every chapter, whose headers differ in their names.
#pragma once

#include <cuda_runtime.h>

#include <block_sum.cuh>
#include <block_words.cuh>
#include <cstdint>
#include <packs.cuh>
#include <running.cuh>
#include <team.cuh>

// Chapters use the same names for different things. (Headers that they include are above.)
namespace c01 {
#include "solutions/01_global_memory/kernels.cuh"
}
namespace c02 {
#include "solutions/02_shared_memory/kernels.cuh"
}
namespace c03 {
#include "solutions/03_divergence/kernels.cuh"
}
namespace c04 {
#include "solutions/04_bank_conflicts/kernels.cuh"
}
namespace c05 {
#include "solutions/05_idle_threads/kernels.cuh"
}
namespace c06 {
#include "solutions/06_warp_unroll/kernels.cuh"
}
namespace c06_no_wait {  // of the lanes for each other, after reading; the rest is the solution's, above
using c06::kBlock, c06::kElements;
#include "tests/wrong/06_warp_unroll/no_wait_after_reading.cuh"
}  // namespace c06_no_wait
namespace c07 {
#include "solutions/07_full_unroll/kernels.cuh"
}
namespace c07_starter {  // a copy of it that no learner edits
#include "tests/wrong/07_full_unroll/unimproved.cuh"
}
namespace c08 {
#include "solutions/08_grid_sizing/kernels.cuh"
}
namespace c09 {
#include "solutions/09_shuffle/kernels.cuh"
}
namespace c10 {
#include "solutions/10_scan/kernels.cuh"
}
namespace c11 {
#include "solutions/11_transpose/kernels.cuh"
}
namespace c12 {
#include "solutions/12_bandwidth_limit/kernels.cuh"
}
namespace c13 {
#include "solutions/13_gemm/kernels.cuh"
}
namespace c14 {
#include "solutions/14_many_gpus/kernels.cuh"
}
namespace c15 {
#include "solutions/15_softmax/kernels.cuh"
}
// SPDX-License-Identifier: MIT
