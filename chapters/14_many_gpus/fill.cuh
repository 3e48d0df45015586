// Fills an array with one value, for the experiments.
#pragma once

static __global__ void fill(float* array, long long n, float value) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n;
       i += (long long)gridDim.x * blockDim.x)
    array[i] = value;
}
// SPDX-License-Identifier: MIT
