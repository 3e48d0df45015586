// cuRAND in kernels: XORWOW, MRG32k3a and Philox4x32-10, with the numbers that NVIDIA's give for the same seed, subsequence
// and offset. Jumps are computed by the host: a GPU takes hundreds of instructions for each curand_init.
#pragma once
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"
#include "gpusim/detail/random_distributions.h"
// SPDX-License-Identifier: MIT
